"""Layer three: the encrypted database, its keys, full text, vectors, and the proof that they agree (D3.1, G3, G4.3).

Synchronous by design: the facade runs these functions on the lanes of `app.runtime`. Nothing here reads a clock; a
caller passes `now`. What belongs where:

    keys, wrapping, recovery_code   the key and its wraps (key.json)
    database, connection, faults    one writer, pooled readers, errors with a next step
    migrations/                     the schema, one frozen file for each version
    writes, structure, sources      the one write path
    reading, agenda                 passages, events and tasks for layer four
    visibility                      who may see which chunk, as a mask made before anything is scored
    analyser, words, lexical        full text for English and Chinese, BM25 on what is visible
    vectors, vector_rows            meaning
    check                           rows = words = vectors + waiting = cursors, and the repair of what is derived
    store                           all of it, opened together and kept in step

Deliberately absent: decisions on who may see what (`app.policy`), and ranking (`app.context`).
"""
