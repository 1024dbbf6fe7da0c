"""What scripts/independent must notice. Run: python3 tests/scripts/independent_test.py"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "independent"
SOURCE = "bench/independent/soft_disc.py"
CORE = "case 1: core impulse of the first step, N s"


class Independent(unittest.TestCase):
    def compare(self, quantity, expected, source=SOURCE, only="soft_disc"):
        """The exit code and what is printed for a validation with one row."""
        check = {"quantity": quantity, "expected": expected, "allowed": 1e-5, "source": source}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "validation.json"
            path.write_text(json.dumps({"examples": [{"id": "A3", "checks": [check]}]}))
            finished = subprocess.run([sys.executable, SCRIPT, path, "--only", only], capture_output=True, text=True,
                                      check=False)
        return finished.returncode, finished.stdout + finished.stderr

    def test_agrees(self):
        code, text = self.compare(CORE, 2.70316)
        self.assertEqual(code, 0, text)
        self.assertIn("A3  soft_disc: 1 of 1 expected values recomputed", text)

    def test_other_value(self):
        code, text = self.compare(CORE, 2.7033)
        self.assertEqual(code, 1, text)
        self.assertIn("recomputed [2.70315", text)

    def test_not_computed(self):
        code, text = self.compare("case 3: a quantity", 1.0)
        self.assertEqual(code, 1, text)
        self.assertIn("soft_disc does not compute: case 3", text)

    def test_no_row(self):
        code, text = self.compare(CORE, 2.70316, source="closed form")
        self.assertEqual(code, 1, text)
        self.assertIn("0 of 0 expected values", text)

    def test_unknown_program(self):
        code, text = self.compare(CORE, 2.70316, only="lemke")
        self.assertEqual(code, 2, text)
        self.assertIn("must be some of ellipse_drop, ", text)


if __name__ == "__main__":
    unittest.main()
