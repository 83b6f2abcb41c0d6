"""The Model Context Protocol: a shell like the window and the command line, for programs (G4.6)."""
