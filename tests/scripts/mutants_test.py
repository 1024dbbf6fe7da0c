"""What scripts/mutants --check must notice. Run: python3 tests/scripts/mutants_test.py"""
import unittest

from checked_tree import CheckedTree


class Mutants(CheckedTree):
    script = "mutants"
    options = ["--check"]

    def mutant(self, file, before):
        with open(self.root / "scripts/mutants.toml", "a", encoding="utf-8") as toml:
            toml.write(f"[[mutant]]\nfile = '{file}'\nbefore = '{before}'\nafter = 'x'\n")

    def setUp(self):
        super().setUp()
        self.write("sim/a.cpp", "a + b; c + d; c + d;\n")
        self.write("bench/b.cpp", "a + b;\n")
        self.write("scripts/mutants.toml", "")
        self.mutant("sim/a.cpp", "a + b")

    def test_a_text_that_occurs_once(self):
        self.check()

    def test_stale_ones(self):
        self.mutant("sim/a.cpp", "c + d")
        self.mutant("sim/a.cpp", "e + f")
        self.mutant("lab/gone.cpp", "a + b")
        self.mutant("bench/b.cpp", "a + b")
        self.check("sim/a.cpp: c + d: its text occurs 2 times", "sim/a.cpp: e + f: its text occurs 0 times",
                   "lab/gone.cpp: a + b: there is no such file", "bench/b.cpp: a + b: no program tests")


if __name__ == "__main__":
    unittest.main()
