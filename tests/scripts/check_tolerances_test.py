"""What scripts/check_tolerances must notice. Run: python3 tests/scripts/check_tolerances_test.py"""
import unittest

from checked_tree import CheckedTree


class CheckTolerances(CheckedTree):
    script = "check_tolerances"

    def setUp(self):
        super().setUp()
        self.write("geometry/tolerances.hpp", "inline constexpr double kTie = 1e-12;\n")
        self.write("sim/closing/tolerances.hpp", "inline constexpr double kGapMm = -1e-8;\n")
        self.write("sim/closing/model.cpp", "/// Relative error below 1e-9.\nint k = 0;  // 1e-9\n")
        self.write("lab/grasp_scene/scene.cpp", "double half = 0.5, hex = 0x1e5, e = value1e4;\n")

    def test_comments_and_other_numbers_are_allowed(self):
        self.check()

    def test_stray_literals(self):
        self.write("sim/closing/step.cpp", "\nif (x < 1e-9 * h || x > 2.5E+3) return;\n")
        self.write("lab/grasp_scene/step.hpp", "constexpr double kSmall = .5e-3;  // of the step\n")
        self.write("geometry/shape.cpp", "return 1.0 - 1'000e-6;\n")
        self.check("sim/closing/step.cpp:2: 1e-9 belongs", "sim/closing/step.cpp:2: 2.5E+3 belongs",
                   "lab/grasp_scene/step.hpp:1: .5e-3 belongs", "geometry/shape.cpp:1: 1'000e-6 belongs")

    def test_folders_inside_are_others(self):
        self.write("lab/solids/solid.cpp", "constexpr double kFlat = 1e-12;\n")
        self.check()

    def test_missing_header(self):
        (self.root / "geometry/tolerances.hpp").unlink()
        self.check("geometry: has no tolerances.hpp")


if __name__ == "__main__":
    unittest.main()
