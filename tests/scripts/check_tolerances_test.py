"""What scripts/check_tolerances must notice. Run: python3 tests/scripts/check_tolerances_test.py"""
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_tolerances"


class CheckTolerances(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("geometry/tolerances.hpp", "inline constexpr double kTie = 1e-12;\n")
        self.write("sim/closing/tolerances.hpp", "inline constexpr double kGapMm = -1e-8;\n")
        self.write("sim/closing/model.cpp", "/// Relative error below 1e-9.\nint k = 0;  // 1e-9\n")
        self.write("sim/grasp_scene/scene.cpp", "double half = 0.5, hex = 0x1e5, e = value1e4;\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self, *messages):
        done = subprocess.run([SCRIPT, self.root], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1 if messages else 0, done.stdout + done.stderr)
        if messages:
            self.assertEqual(len(done.stdout.splitlines()), len(messages), done.stdout)
        for message in messages:
            self.assertIn(message, done.stdout)

    def test_comments_and_other_numbers_are_allowed(self):
        self.check()

    def test_stray_literals(self):
        self.write("sim/closing/step.cpp", "\nif (x < 1e-9 * h || x > 2.5E+3) return;\n")
        self.write("sim/grasp_scene/step.hpp", "constexpr double kSmall = .5e-3;  // of the step\n")
        self.write("geometry/shape.cpp", "return 1.0 - 1'000e-6;\n")
        self.check("sim/closing/step.cpp:2: 1e-9 belongs", "sim/closing/step.cpp:2: 2.5E+3 belongs",
                   "sim/grasp_scene/step.hpp:1: .5e-3 belongs", "geometry/shape.cpp:1: 1'000e-6 belongs")

    def test_folders_inside_are_others(self):
        self.write("geometry/spatial/solid.cpp", "constexpr double kFlat = 1e-12;\n")
        self.check()

    def test_missing_header(self):
        (self.root / "geometry/tolerances.hpp").unlink()
        self.check("geometry: has no tolerances.hpp")


if __name__ == "__main__":
    unittest.main()
