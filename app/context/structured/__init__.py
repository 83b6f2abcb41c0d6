"""Questions that structure answers before similarity: decisions, tasks, people, facts, changes (G3.2, L6.3)."""
