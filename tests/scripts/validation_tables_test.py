"""What scripts/validation_tables writes. Run: python3 tests/scripts/validation_tables_test.py"""
import importlib.machinery
import importlib.util
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = "| quantity | expected | from | obtained | deviation | verdict |\n| --- | --- | --- | --- | --- | --- |\n"
TIMES = "| computing time, not checked | here | printed | from |\n| --- | --- | --- | --- |\n| a | 1 ms | 2 ms | x |\n"
PAGE = """# Checked

| id | what | solver | held | shown | not met | tightest |
| --- | --- | --- | --- | --- | --- | --- |
| A1 | a disc | implicit | 9 | 9 | 9 | old |
| B1 | a sphere | all | 9 | 9 | 9 | old |
| all | - | - | 9 | 9 | 9 | - |

| example | claim |
| --- | --- |
| A1 | by hand |
"""
TABLES = f"""
### A1: a disc

{HEAD}| \\|v\\|, m/s | 2 +- 0.1 | x | 2.02 | +0.02 | held |
| time, s | 1 +- 0.2 | x | 1.1 | +0.1 | held |
| angle | 1 +- 0.2 | paper | 3 | +2 | not met |
| gap | <= 2 | x | 1 | -1 | held |
| chaos | 0 | x | 1 | +1 | shown |

  angle: not met: a reason

{TIMES}
### B1: a sphere

{HEAD}| steps not solved | 0 +- 0 | x | 0 | +0 | held |
| y | 1 +- 0.1 | x | 1 | +1e-15 | held |
"""


def script():
    path = ROOT / "scripts" / "validation_tables"
    loader = importlib.machinery.SourceFileLoader("validation_tables", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("validation_tables", loader))
    loader.exec_module(module)
    return module


class ValidationTables(unittest.TestCase):
    def test_counts_verdicts_and_finds_the_tightest_check(self):
        module = script()
        page = module.updated(PAGE, module.examples(TABLES))
        self.assertIn("| A1 | a disc | implicit | 3 | 1 | 1 | time, s: 1.1, expected 1 +- 0.2 |\n", page)
        self.assertIn("| B1 | a sphere | all | 2 | 0 | 0 | - |\n", page)
        self.assertIn("| all | - | - | 5 | 1 | 1 | - |\n\n| example | claim |\n| --- | --- |\n| A1 | by hand |\n", page)
        self.assertEqual(page, module.updated(page, module.examples(TABLES)))

    def test_refuses_failing_checks_and_missing_examples(self):
        module = script()
        failing = module.examples(TABLES.replace("| held |", "| FAILS |"))
        self.assertRaises(SystemExit, module.updated, PAGE, failing)
        self.assertRaises(SystemExit, module.updated, PAGE, module.examples(TABLES.split("### B1")[0]))
        self.assertRaises(SystemExit, module.updated, "no table", module.examples(TABLES))

    def test_the_page_adds_up(self):
        rows = [line.strip("| ").split(" | ") for line in (ROOT / "docs/lab/validation.md").read_text().splitlines()
                if line.startswith("| ")]
        of_examples = [row for row in rows if len(row[0]) == 2 and row[0][1].isdigit() and len(row) == 8]
        total = next(row for row in rows if row[0] == "all")
        listed = [line.split('"')[1] for line in (ROOT / "lab/validation/examples.hpp").read_text().splitlines()
                  if "ValidationExample{\"" in line]
        self.assertEqual([row[0] for row in of_examples], listed)
        for column in (4, 5, 6):
            self.assertEqual(sum(int(row[column]) for row in of_examples), int(total[column]))


if __name__ == "__main__":
    unittest.main()
