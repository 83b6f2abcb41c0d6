"""Takes pictures of the real program on a real screen: its tray icon, its window, and an answer from real notes.

    python packaging/screenshots/desktop.py [FOLDER]

Needs what `make env-test` installs on Debian, and ImageMagick's `import`. It makes a folder with a few notes and a
calendar, collects it with the command line, starts the desktop app, and works it with keys as a person would.
"""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FAMULUS = Path(sys.executable).with_name("famulus")
QUESTIONS = {
    "en": "Who must finish the test report?",
    "agenda": "What do I have on Wednesday?",
}
NOTES = {
    "Project A weekly meeting.md": """\
        # Project A weekly meeting, 10 May

        The launch is tentatively set for next Friday. Zhang San must finish the test report by Wednesday.
        If the test report is not finished, the launch is postponed by one week. Li Si notifies operations.
        """,
    "Garden.md": """\
        # Garden

        The roses need water every second day in summer. Cut them back in February, above an outward bud.
        """,
    "租房合同.md": """\
        # 租房合同

        房东王伟，电话在合同首页。每个月一号交房租，押金两个月。提前一个月通知可以退租。
        """,
    "杭州旅行.md": """\
        # 国庆杭州旅行

        国庆假期去杭州西湖，酒店订在断桥附近，十月二日坐高铁去，五日回来。
        """,
}
SCREEN = "1120x760x24"


def calendar() -> str:
    """A calendar of the present week, so that the agenda has something to show."""
    today = dt.date.today()  # noqa: DTZ011
    monday = today - dt.timedelta(days=today.weekday())
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Famulus//Screenshots//EN"]
    happenings = ((0, "090000", "091500", "项目晨会", ""), (2, "150000", "160000", "Dentist", "Main Street 5"))
    for number, (offset, start, end, title, place) in enumerate(happenings):
        day = (monday + dt.timedelta(days=offset)).strftime("%Y%m%d")
        lines += ["BEGIN:VEVENT", f"UID:shot-{number}", f"DTSTAMP:{day}T000000Z", f"DTSTART:{day}T{start}"]
        lines += [f"DTEND:{day}T{end}", f"SUMMARY:{title}", f"LOCATION:{place}"]
        lines += ["RRULE:FREQ=DAILY;COUNT=5"] if number == 0 else []
        lines.append("END:VEVENT")
    return "\r\n".join([*lines, "END:VCALENDAR", ""])


def main(folder: Path) -> int:
    """Take all pictures into a folder; returns the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        notes, base = Path(scratch, "Notes"), Path(scratch, "base")
        notes.mkdir()
        for name, text in NOTES.items():
            (notes / name).write_text(textwrap.dedent(text), "utf-8")
        (notes / "Calendar.ics").write_text(calendar(), "utf-8")
        environment = os.environ | {"FAMULUS_PASSPHRASE": "screenshots", "TZ": "Asia/Shanghai"}
        for command in (("add", "files", str(notes)), ("sync", "--wait"), ("quit",)):
            subprocess.run([FAMULUS, "--basedir", base, *command], check=True, env=environment)
        script = _script(base, folder.resolve())
        done = subprocess.run(["dbus-run-session", "--", "bash", "-c", script], check=False, env=environment)
    return done.returncode


def _script(base: Path, folder: Path) -> str:
    """What happens on the screen, from the first window to the last."""
    famulus = f"{FAMULUS} --basedir {base}"
    shots = "\n".join(
        f"""
        {famulus} --toggle; sleep 3
        xdotool key ctrl+a key BackSpace; xdotool type --delay 250 '{question}'; sleep 3; xdotool key Return; sleep 6
        import -window root {folder}/real-{name}.png
        xdotool key Escape; sleep 1
        """
        for name, question in QUESTIONS.items()
    )
    return f"""
        exec 2>/dev/null
        number=$(mktemp); Xvfb -displayfd 3 -screen 0 {SCREEN} -nolisten tcp 3>$number & screen=$!
        while [ ! -s $number ]; do sleep 0.1; done
        export DISPLAY=:$(cat $number) XDG_CURRENT_DESKTOP=XFCE QT_QPA_PLATFORM=xcb QT_LOGGING_RULES='*=false'
        openbox & manager=$!; sleep 1
        trayer --edge top --align right --widthtype request --height 28 --SetDockType true & tray=$!; sleep 1
        {famulus} & program=$!; xdotool search --sync --onlyvisible --name Famulus; sleep 6
        import -window root {folder}/real-window.png
        {shots}
        {famulus} quit; wait $program; code=$?
        kill $tray $manager $screen
        exit $code
    """


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "screenshots"))
