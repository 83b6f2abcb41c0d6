"""Who is who: people, organisations, projects and places, across sources and scripts (G2.4, X9.3)."""
