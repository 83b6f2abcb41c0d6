"""Layer one: collect. Each kind of source is a plug-in behind `contract.Source` (G1.1, L6.2).

What comes out are `Entry` values and the news of deletions. Nothing here writes to the database, and nothing here reads
an untrusted file in this process: parsing happens in another one (`parsing.worker`).
"""
