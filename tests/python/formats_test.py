"""The fields and columns in docs/reference/formats.md, and the types of fields in
python/graspmap/result_fields.py, are those that decisions have.

    python3 tests/python/formats_test.py        writes both anew
"""
import keyword
import os
import re
import sys
import tempfile
import textwrap
from pathlib import Path

import numpy as np
import pytest

import graspmap as gm
from graspmap.results import Result

SOURCE = Path(__file__).resolve().parents[2]
CONFIGS = SOURCE / "configs"
FORMATS = SOURCE / "docs" / "reference" / "formats.md"
TYPES = SOURCE / "python" / "graspmap" / "result_fields.py"
LAB = CONFIGS / "lab" / "lock_piece_off.csv"
LOOKS = {"x_mm": [1, 1.1, 1, 1, 1, 0.9], "y_mm": [2, 2, 2.1, 2, 2, 2], "theta_rad": [0.1, 0.1, 0.2, 0.1, 0.1, 0.1],
         **{f"cov_{name}": [0.01] * 6 for name in ("xx_mm2", "yy_mm2", "tt_rad2")}}
PLACE = re.compile(r"(<!-- fields: (\S+) -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)
# Names that the page has words for.
SHARED = [
    ("*cell*", "cell_x cell_y cell_theta"),
    ("*bounds*", "x_min_mm x_max_mm y_min_mm y_max_mm theta_min_rad theta_max_rad"),
    ("*rectangle*", "x_min_mm x_max_mm y_min_mm y_max_mm"),
    ("*outcomes*", "success wedged missed timeout blocked failed"),
    ("*placement*", "x_mm y_mm theta_rad"),
    ("*friction*", "mu_jaw mu_support"),
    ("*pose*", "part_x_mm part_y_mm part_theta_rad"),
    ("*jaws*", "jaw_right_x_mm jaw_left_x_mm"),
]


class Fields:
    """What a document has: names, what they mean, and the fields of those that are objects."""

    def __init__(self):
        self.meanings = {}
        self.inner = {}

    def add(self, result):
        """A field that an earlier sample had not comes behind the one before it."""
        names = list(self.meanings)
        place = 0
        for name, meaning in result._meanings.items():
            if name not in self.meanings:
                names.insert(place, name)
                self.meanings[name] = meaning
            place = names.index(name) + 1
            value = result[name]
            for inner in value if isinstance(value, tuple) else (value,):
                if isinstance(inner, Result):
                    self.inner.setdefault(name, Fields()).add(inner)
        self.meanings = {name: self.meanings[name] for name in names}

    def is_estimate(self):
        return not any(self.meanings.values()) and " ".join(self.meanings) in ("value interval",
                                                                               "value low high")

    def objects(self):
        """Fields that need a row of their own: no numbers, and no values with an interval."""
        return {name: inner for name, inner in self.inner.items() if inner.meanings and not inner.is_estimate()}

    def marked(self):
        """The meanings, with ± in front of names of a value and its interval."""
        return {("±" if name in self.inner and self.inner[name].is_estimate() else "") + name: meaning
                for name, meaning in self.meanings.items()}

    def key(self):
        return tuple((name, meaning, self.inner[name].key() if name in self.inner else None)
                     for name, meaning in self.meanings.items())


def said(name, meaning, told):
    """"`a` (what it means)", the meaning once."""
    text = f"±`{name[1:]}`" if name.startswith("±") else f"`{name}`"
    if not meaning or (name, meaning) in told:
        return text
    told.add((name, meaning))
    return f"{text} ({meaning})"


def listed(meanings, told):
    """"`a`, `b` (what it means)"."""
    names = list(meanings)
    words = []
    while names:
        for word, shared in SHARED:
            group = shared.split()
            if names[:len(group)] == group:
                words.append(word)
                names = names[len(group):]
                break
        else:
            name = names.pop(0)
            words.append(said(name, meanings[name], told))
    return ", ".join(words)


def rows(fields, seen, told, depth=0):
    """Plain fields and ± ones (a value and its interval) in one row, an object in one of its own; equal
    ones together."""
    def row(text):
        return textwrap.fill(text, 120, initial_indent="  " * depth + "- ",
                             subsequent_indent="  " * depth + "  ", break_long_words=False,
                             break_on_hyphens=False)

    text = []
    plain = {}
    meanings, objects = fields.marked(), fields.objects()
    names = list(meanings)

    def flush():
        if plain:
            text.append(row(listed(plain, told) + "."))
            plain.clear()

    while names:
        name = names.pop(0)
        inner = objects.get(name)
        if inner is None:
            plain[name] = meanings[name]
            continue
        flush()
        alike = [name]
        while (names and names[0] in objects and not meanings[names[0]]
               and objects[names[0]].key() == inner.key()):
            alike.append(names.pop(0))
        title = ", ".join(said(one, meanings[one], told) for one in alike)
        if inner.key() in seen:
            same = seen[inner.key()]
            text.append(row(f"{title}: as above." if same in alike else f"{title}: as `{same}`."))
        elif not inner.objects():
            text.append(row(f"{title}: {listed(inner.marked(), told)}."))
        else:
            text.append(row(title + ":"))
            text += rows(inner, seen, told, depth + 1)
        if len(inner.meanings) > 3:
            seen.setdefault(inner.key(), name)
    flush()
    return text


def document_text(results):
    fields = Fields()
    for result in results:
        fields.add(result)
    for head in ("graspmap_version", "git_commit"):
        fields.meanings.pop(head)
    return "\n".join(rows(fields, {}, set())) + "\n"


def table_text(columns):
    return textwrap.fill(listed(columns, set()) + ".", 120, break_long_words=False,
                         break_on_hyphens=False) + "\n"


class Types:
    """The classes of fields of a kind of result, from samples of it."""

    def __init__(self, kind, samples):
        self.classes = {}  # name: rows
        self.names = {}  # rows: name
        self.add(f"{kind.__name__}Fields", samples, kind)

    def add(self, name, samples, kind):
        """The class of these results; equal ones share one."""
        values = {}
        for sample in samples:
            for field in sample:
                values.setdefault(field, []).append(sample[field])
        rows = []
        for field, there in values.items():
            if not field.isidentifier() or keyword.iskeyword(field):
                continue
            if hasattr(kind, field):
                continue  # a property says it
            inner = name.removesuffix("Fields") + field.title().replace("_", "")
            rows.append(f"    {field}: {self.type_of(inner, there)}")
        if not rows:
            return "Result"
        if name.endswith("Fields") or tuple(rows) not in self.names:
            self.names[tuple(rows)] = name
            self.classes[name] = rows
        return self.names[tuple(rows)]

    def type_of(self, name, values):
        kinds = []
        results = [value for value in values if isinstance(value, Result)]
        lists = [value for value in values if type(value) is tuple]
        if results:
            kinds.append(self.add(name, results, Result))
        if lists:
            elements = [element for value in lists for element in value]
            kinds.append(f"tuple[{self.type_of(name, elements) if elements else 'Result'}, ...]")
        plain = {type(value).__name__ for value in values} - {"tuple"}
        plain -= {type(value).__name__ for value in results}
        if "float" in plain or plain == {"NoneType"}:
            plain = (plain - {"int"}) | {"float"}  # NaN is None
        kinds += sorted(plain - {"NoneType"}) + ["None"] * ("NoneType" in plain)
        return " | ".join(kinds)

    def text(self):
        return "".join(f"\n\nclass {name}(Result):\n    __slots__ = ()\n\n" + "\n".join(rows) + "\n"
                       for name, rows in self.classes.items())


TYPES_HEAD = '''"""The types of the fields of results, for type checkers and editors. Written by
tests/python/formats_test.py from results that have all fields; which are there depends on what was
asked, and a number that is not finite is None."""
from __future__ import annotations

from .results import Interval, Result
'''


def experiment(sessions):
    """Trials all over the map, in sessions or as one."""
    numbers = np.random.default_rng(1)
    table = {"x_mm": numbers.uniform(-8, 8, 90), "y_mm": numbers.uniform(-18, -2, 90),
             "success": numbers.integers(0, 2, 90)}
    return table | ({"session": ["a", "b", "c"] * 30} if sessions else {})


def sweep(folder, file="lock_piece_quick.toml", trials=100, **more):
    return gm.run(gm.load(CONFIGS / file, {"placement.x_cells": 4, "placement.y_cells": 4,
                                           "sweep.trials_per_cell": trials, **more}), folder)


def designed():
    """A design of two objectives."""
    return gm.design(gm.load(CONFIGS / "shaft_from_above.toml", {
        "placement.x_cells": 2, "placement.y_cells": 2, "robot.position_sigma_mm": 2,
        "design": {"second_objective": "worst-cell", "variable": [
            {"key": "gripper.finger.groove_depth_mm", "min": 1, "max": 7}]}}),
        designs=8, generations=0, most_trials=64, trials=100)


def samples(folder):
    """Decisions that have all fields between them, by their commands."""
    run = sweep(folder / "run", trials=200)
    tolerant = sweep(folder / "tolerant", "lock_piece_tolerances.toml", 60)
    turned = sweep(folder / "turned", trials=40, **{
        "placement.theta_min_rad": -0.2, "placement.theta_max_rad": 0.2,
        "placement.theta_cells": 2})
    strong = sweep(folder / "strong", trials=200, **{"gripper.closing_force_n": 20})
    adaptive = sweep(folder / "adaptive", "hex_nut.toml", 20, **{
        "sweep.sampling": "adaptive", "robot.position_sigma_mm": 1})
    failed = sweep(folder / "failed", trials=1, **{
        "placement.x_cells": 1, "placement.x_min_mm": 6, "placement.x_max_mm": 10,
        "placement.y_cells": 1, "placement.y_min_mm": -12, "placement.y_max_mm": -8,
        "simulation.tolerance_mm": 1e-13})
    costs = folder / "costs.toml"
    costs.write_text('[[input]]\nkey = "friction.jaw"\ngrades = [[0.15, 0], [0.05, 1]]\n'
                     '[[input]]\nkeys = ["robot.x_mm", "robot.y_mm"]\ngrades = [[6, 0], [2, 2]]\n')
    table = run.compare(strong, simulate=False).table("compare.csv")
    cells = {name: table[name] for name in ("x_min_mm", "x_max_mm", "y_min_mm", "y_max_mm")}
    cells["trials"] = np.full(len(table), 20)
    cells["successes"] = np.rint(20 * table["run_probability"]).astype(int)
    fit = run.calibrate(cells)
    return {
        "plan": [turned.plan(1, repeats=10, offset_sigma_mm=0.5), run.plan(1, after=fit),
                 turned.plan(1, required_probability=0.5),
                 tolerant.plan(1, required_probability=0.5)],
        "pose": [turned.pose(plateau=True), turned.pose((0, -7, 0), sigma_mm=1)],
        "hold": [turned.hold((0, -7, 0), hold={"part_height_mm": 10}, sigma_mm=1,
                             required_probability=0.05)],
        "compare": [turned.compare(experiment(False), theta_rad=0.1, trials=1000),
                    run.compare(experiment(True), trials=1000),
                    run.compare(cells, simulate=False)],
        "facts": [run.compare(CONFIGS / "published" / "brost_christiansen_1996.toml")],
        "calibrate": [fit],
        "reweight": [run.reweight({"friction.jaw.max": 0.25})],
        "sensitivity": [turned.sensitivity((0, -7, 0), sigma_mm=2, angle_sigma_rad=0.1,
                                           halved_trials=50)],
        "difference": [run.difference(strong)],
        "tolerances": [run.tolerances((0, -10), 0.6, costs, sigma_mm=6, trials=250,
                                      check_trials=300)],
        "fit-support": [gm.fit_support(CONFIGS / "pushes" / "simulated_tripod.csv", weight_n=8,
                                       folds=2, resamples=5)],
        "sequence": [gm.sequence(gm.load(CONFIGS / "connecting_rod.toml"), angles_deg=(-40, 40),
                                 within_deg=1, within_mm=4, trials=100)],
        "design": [designed()],
        "summary": [run.summary, turned.summary, tolerant.summary, adaptive.summary, failed.summary],
        "detections": [gm.detections(LOOKS), gm.detections(LOOKS, truth=(0, 0, 0))],
        "grasps": [run.grasps(height_mm=10, sigma_mm=1, frame_position_mm=(0, 0, 0),
                              frame_rpy_rad=(0, 0, 0)),
                   run.grasps(height_mm=10, sigma_mm=1, robot_points_mm=(0, 0, 0, 9, 0, 0, 0, 9, 0),
                              plane_points_mm=((0, 0), (9, 0), (0, 9)))],
    } | ({"lab_plan": [run.lab_plan(detect={"shift_y_mm": 2}, experiments=200)]}
         if "GRASPMAP_LONG_TESTS" in os.environ else {})


def texts(found_by_command):
    """The rows of each place in the page that its samples are there for."""
    found = {}
    for command, decisions in found_by_command.items():
        found[f"{command}.json"] = document_text(decisions)
        for decision in decisions:
            if not isinstance(decision, gm.Decision):
                continue
            for name in decision.files:
                table = decision._analysis.table_meanings(name)
                if table is not None:
                    found[f"{command}/{name}"] = table_text(table)
    return found


def type_texts(found_by_command):
    """The classes of each kind of result."""
    found = {}
    for results in found_by_command.values():
        kinds = {}
        for result in results:
            kinds.setdefault(result._kind or type(result), []).append(result)
        found.update({kind.__name__: Types(kind, samples).text() for kind, samples in kinds.items()})
    return found


@pytest.fixture(scope="module")
def found_by_command(tmp_path_factory):
    return samples(tmp_path_factory.mktemp("samples"))


def test_the_types_are_those_of_the_fields(found_by_command):
    there = TYPES.read_text(encoding="utf-8")
    for kind, classes in type_texts(found_by_command).items():
        assert classes in there, f"{kind}: run tests/python/formats_test.py"


def test_the_page_has_the_fields_and_their_meanings(found_by_command):
    page = FORMATS.read_text(encoding="utf-8")
    wanted = texts(found_by_command)
    places = {place[2]: place[3] for place in PLACE.finditer(page)}
    assert len(places) > 20
    assert {name for name in wanted if name.endswith(".json")} <= places.keys()
    for name, rows_there in places.items():
        if name in wanted:
            assert rows_there == wanted[name], f"{name}: run tests/python/formats_test.py"
        else:
            assert "GRASPMAP_LONG_TESTS" not in os.environ, f"{name}: no decision has it"


def test_the_page_has_the_columns_of_maps_and_trials(tmp_path):
    page = FORMATS.read_text(encoding="utf-8")
    run = sweep(tmp_path, trials=20, **{"sweep.sampling": "adaptive"})
    for name in ("map.csv", "trials.csv"):
        columns = (run.path / name).read_text(encoding="utf-8").partition("\n")[0].split(",")
        section = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        there = [column for words in re.findall(r"\*\w+\*|`\w+`", section)
                 for column in dict(SHARED).get(words, words.strip("`")).split()]
        assert [column for column in there if column in columns] == columns


def write_page():
    os.environ["GRASPMAP_LONG_TESTS"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        found = samples(Path(folder))
        wanted, classes = texts(found), type_texts(found)
    TYPES.write_text(TYPES_HEAD + "".join(classes.values()), encoding="utf-8")
    page = FORMATS.read_text(encoding="utf-8")
    FORMATS.write_text(PLACE.sub(lambda place: place[1] + wanted.get(place[2], place[3]), page),
                       encoding="utf-8")


if __name__ == "__main__":
    sys.exit(write_page())
