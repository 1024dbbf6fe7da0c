#!/usr/bin/env python3
"""tests/studio/firefox_test.py GRASPMAP: the studio in headless Firefox.

`graspmap studio` writes a page with a drawing in it; Firefox must come to the answer that `graspmap init` and `run` give.
Exit code 77 without Debian's firefox-esr.
"""
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from firefox import Firefox

SKIPPED = 77
DRAWING = Path(__file__).resolve().parents[2] / "configs" / "drawings" / "l_bracket.dxf"


def words(text):
    return " ".join(text.split())


def main():
    if not shutil.which("firefox-esr"):
        print("skipped: firefox-esr is not installed")
        sys.exit(SKIPPED)
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name, Firefox() as firefox:
        def native(*args):
            return subprocess.run([program, *args], cwd=name, check=True, capture_output=True, text=True).stdout

        native("studio", str(DRAWING), "--out", "studio.html")
        firefox.get((Path(name) / "studio.html").as_uri())
        for _ in range(240):
            time.sleep(0.5)
            if firefox.execute_script("return document.querySelector('.answer_panel')?.dataset.done === 'true'"):
                break
        shown = words(firefox.execute_script("return document.querySelector('#headline').innerText"))
        native("init", str(DRAWING), "--no-plots")
        printed = words(native("run", "l_bracket.toml", "--quiet", "--no-plots"))
        assert shown.startswith("Put the gripper at (") and shown in printed, f"{shown}\n{printed}"
        print(f"in Firefox as on the command line: {shown}")


main()
