"""check_json.py FOLDER VERSION: reads every *.json below a folder, and prints their names.

Each must be an object with graspmap_version and git_commit, as VERSION, which is what
`--version` prints, has them. NaN and Infinity are no JSON. Exit code 1 when one is not so.
"""
import json
import sys
from pathlib import Path


def no_number(name):
    raise ValueError(f"{name} is no JSON")


def problem(file, version):
    try:
        document = json.loads(file.read_text(encoding="utf-8"), parse_constant=no_number)
    except ValueError as error:
        return str(error)
    if not isinstance(document, dict):
        return "is no object"
    program = f"{document.get('graspmap_version')} ({document.get('git_commit')})"
    return None if program in version else f"names the program {program}"


folder, version = Path(sys.argv[1]), sys.argv[2]
bad = False
for file in sorted(folder.rglob("*.json")):
    wrong = problem(file, version)
    print(file.relative_to(folder), *([] if wrong is None else [wrong]))
    bad = bad or wrong is not None
sys.exit(1 if bad else 0)
