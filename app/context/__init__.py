"""Layer four: a question becomes passages and answers with their sources, times, rights and reasons (G4)."""
