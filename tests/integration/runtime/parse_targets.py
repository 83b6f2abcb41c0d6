"""What a hostile file could make a parser do."""

import ctypes
import os
import sys
import time
from pathlib import Path


def work(job):
    return getattr(sys.modules[__name__], "_" + job["do"])(job)


def _echo(job):
    return {"said": job["text"], "pid": os.getpid()}


def _hang(job):
    time.sleep(3600)


def _spin(job):
    while True:
        pass


def _crash(job):
    ctypes.string_at(0)


def _leave(job):
    os._exit(0)


def _eat(job):
    return {"size": len(bytearray(job["bytes"]))}


def _print(job):
    print(job["text"])
    os.write(1, job["text"].encode())
    os.write(2, job["text"].encode())
    return {"printed": True}


def _write(job):
    try:
        with Path(job["path"]).open("w") as stream:
            stream.write("secret")
    except OSError as error:
        return {"error": type(error).__name__}
    return {"written": True}


def _raise(job):
    raise ValueError(job["text"])


def _recurse(job):
    return _recurse(job)


def _unserialisable(job):
    return {"x": object()}


def _environment(job):
    return dict(os.environ)
