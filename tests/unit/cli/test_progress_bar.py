import io

from app.cli.progress_bar import ProgressBar
from app.cli.screen import Screen
from app.domain.progress import Progress
from app.domain.text import msg


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_nothing_is_drawn_where_nobody_watches():
    bar = ProgressBar(Screen(io.StringIO(), io.StringIO()))
    bar.show(Progress("sync", msg("x"), 1, 2))
    assert bar._bars is None
    bar.close()


def test_a_terminal_shows_each_task_and_no_escape_sequence_of_a_document(monkeypatch):
    terminal = Terminal()
    # a dumb terminal is drawn nothing, and CI has no other
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr("sys.stderr", terminal)
    bar = ProgressBar(Screen(io.StringIO(), terminal))
    bar.show(Progress("sync", msg("Reading {name}", name="[red]evil\x1b]0;x\x07"), 0))
    bar.show(Progress("sync", msg("Reading {name}", name="b"), 2, 3))
    bar.show(Progress("embed", msg("Meaning"), 1, 1))
    assert len(bar._bars.tasks) == 2
    assert bar._bars.tasks[0].completed == 2
    bar.close()
    bar.close()
    drawn = terminal.getvalue()
    assert "Reading b" in drawn
    assert "\x1b]0;" not in drawn
