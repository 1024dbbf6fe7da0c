"""The certified ends of configs/certified, computed again by scripts/certified_answers, and what it must notice.

Run: python3 tests/scripts/certified_answers_test.py
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/certified_answers"
PROBLEMS = ROOT / "configs/certified"


def answers(*arguments):
    return subprocess.run([sys.executable, "-B", SCRIPT, *arguments], capture_output=True, text=True)


class CertifiedAnswers(unittest.TestCase):
    def test_files_have_what_is_computed(self):
        result = answers("--check")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_finds_and_mends_a_wrong_digit_and_a_missing_problem(self):
        with tempfile.TemporaryDirectory() as folder:
            problems = pathlib.Path(folder) / "problems"
            shutil.copytree(PROBLEMS, problems)
            ellipse, wedge = problems / "ellipse_squeezed.toml", problems / "wedge_squeezed_out.toml"
            right = {file: file.read_text() for file in (ellipse, wedge)}
            ellipse.write_text(right[ellipse].replace("value = 1.58411039", "value = 1.58411029"))
            wedge.write_text(re.sub(r"mass_kg = 0.1\b", "mass_kg = 0.11", right[wedge], count=1))
            (problems / "disc_in_v.toml").unlink()
            result = answers("--check", problems)
            self.assertEqual(result.returncode, 1)
            self.assertIn("ellipse_squeezed.toml: has theta_rad = { value = 1.584110292", result.stdout)
            self.assertIn("wedge_squeezed_out.toml: has y_mm", result.stdout)
            self.assertIn("no problem disc_in_v", result.stdout)
            self.assertEqual(len(result.stdout.splitlines()), 4)  # the wedge has two values that change
            self.assertEqual(answers(problems).returncode, 0)
            self.assertEqual(ellipse.read_text(), right[ellipse])
            self.assertNotEqual(wedge.read_text(), right[wedge])


if __name__ == "__main__":
    unittest.main()
