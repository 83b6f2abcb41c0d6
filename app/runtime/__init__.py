"""Threads, tasks, processes, the clock, folders, secrets and the log: each has its one home here.

Nothing in this package knows what Famulus is for; it knows how a process of it lives and ends.
"""
