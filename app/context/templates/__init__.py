"""Task templates (G4.5): what a recurring task needs of a person's context, as data; shipped ones and the person's own.

`shelf` knows which there are, `reading` reads a file, `preparing` makes a briefing of a template and its fields, and
`writing` puts it down as Markdown with numbered sources.
"""
