"""What scripts/check_symbols must notice. Run: python3 tests/scripts/check_symbols_test.py"""
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_symbols"


class CheckSymbols(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def source(self, name, text):
        file = self.folder / name
        file.write_text("#include <cmath>\n" + text, encoding="utf-8")
        return file

    def compiled(self, name, text):
        source = self.source(name + ".cpp", text)
        target = self.folder / (name + ".o")
        subprocess.run(["c++", "-O2", "-fmath-errno", "-c", source, "-o", target], check=True)
        return target

    def check(self, files, code, *texts):
        result = subprocess.run([SCRIPT, *files], text=True, capture_output=True)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        for text in texts:
            self.assertIn(text, result.stdout + result.stderr)

    def test_exact_functions_are_allowed(self):
        exact = "double f(double x) { return std::sqrt(x) + std::floor(x) + std::fmod(x, 3.0); }\n"
        self.check([self.compiled("exact", exact), self.source("exact.cpp", exact)], 0, "2 files: none")

    def test_others_are_named_with_their_member(self):
        bad = self.compiled("bad", "double f(double x) { return std::sin(x); }\n")
        bad_float = self.compiled("float", "float f(float x) { return std::pow(x, x); }\n")
        library = self.folder / "all.a"
        good = self.compiled("good", "double g(double x) { return std::floor(x); }\n")
        subprocess.run(["ar", "rcs", library, good, bad, bad_float], check=True)
        self.check([library], 1, "bad.o: sin is the C library's", "float.o: powf is the C library's")

    def test_calls_in_sources(self):
        file = self.source("calls.cpp", "// std::exp(x) here is a comment\nint k = std::log1p(2.0);\n")
        self.check([file], 1, "calls.cpp:3: log1p")

    def test_what_cannot_be_read(self):
        self.check([self.folder / "none.a"], 2, "none.a")
        self.check([], 2, "FILE")


if __name__ == "__main__":
    unittest.main()
