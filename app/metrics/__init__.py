"""The five metrics, computed from logs of references (G7). Pure: rows come in, figures and Markdown go out."""
