"""Frames between processes of one person on one machine: a Unix socket, or a named pipe on Windows.

What the frames mean is not known here; see `app.famulus.server`. Whoever connects has to prove that they can read a
file that only the owner of the data can read.
"""
