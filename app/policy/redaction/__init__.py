"""What in a text names, locates or exposes a person, and how it is kept back when the text leaves (L5.3, DESIGN 2).

`finder` says where it stands, `redactor` puts placeholders there and takes them out of a reply. Rules and word lists
alone: no model, no network. What a model of names finds is handed in (see `app.govern.redaction`), and rules go on
working without it. It does not decide *whether* something may leave: that is `app.policy.disclosure`.
"""
