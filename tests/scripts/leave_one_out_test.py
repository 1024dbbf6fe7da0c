"""What scripts/leave_one_out must do. Run: python3 tests/scripts/leave_one_out_test.py"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "leave_one_out"
EXPERIMENT = """# origin = measured
id,x_mm,y_mm,success
a,0,1,1
a,0,1,1
b,2,1,0
c,4,1,0
"""
# In place of graspmap: predicts the share of the successes that it is shown, and tells what they are.
CALIBRATE = """#!/usr/bin/env python3
import csv, pathlib, sys
lines = pathlib.Path(sys.argv[3]).read_text().splitlines()
rows = list(csv.DictReader(lines[1:]))
shown = [row for row in rows if row["success"]]
p = sum(row["success"] == "1" for row in shown) / len(shown)
folder = pathlib.Path(sys.argv[sys.argv.index("--out") + 1])
with (folder / "map.csv").open("w") as out:
    out.write("x_min_mm,y_min_mm,probability,probability_low,probability_high\\n")
    for row in rows:
        out.write(f"{row['x_mm']},{row['y_mm']},{0.1 + 0.8 * p},0,1\\n")
"""


class LeaveOneOut(unittest.TestCase):
    def score(self, *options):
        """What is printed for the experiment."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "graspmap"
            program.write_text(CALIBRATE)
            program.chmod(0o755)
            experiment = pathlib.Path(folder) / "lab.csv"
            experiment.write_text(EXPERIMENT)
            return subprocess.run([sys.executable, SCRIPT, "run", experiment, "id", *options], check=True, text=True,
                                  capture_output=True, env=os.environ | {"GRASPMAP": str(program)}).stdout

    def test_a_group_is_predicted_from_the_others(self):
        text = self.score()
        self.assertIn("a                 2 of 2       0.10", text)  # shown: none of 2
        self.assertIn("b                 0 of 1       0.63", text)  # shown: 2 of 3
        # (0.9^2 + 0.9^2 + 2 0.6333^2) / 4 and 0.5^2
        self.assertIn("all: 4 trials, Brier's score 0.606 (0.250 for always 0.5)", text)

    def test_what_is_only_predicted_is_never_learned_from(self):
        text = self.score("--only-predict", "c")
        self.assertIn("b                 0 of 1       0.90", text)  # shown: 2 of 2
        self.assertIn("c                 0 of 1       0.63", text)  # shown: 2 of 3
        self.assertIn("without --only-predict: 3 trials", text)


if __name__ == "__main__":
    unittest.main()
