"""What scripts/validation_tables writes. Run: python3 tests/scripts/validation_tables_test.py"""
import importlib.machinery
import importlib.util
import pathlib
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "validation_tables"
HEAD = "| quantity | expected | from | obtained | deviation | verdict |\n| --- | --- | --- | --- | --- | --- |\n"
PAGE = f"""# Checked

### A1: a disc

A paper

By hand.

{HEAD}| old | 1 +- 0 | x | 1 | +0 | ok |

- an old note

![figure](a1.png)

### B1: a sphere

{HEAD}| kept | 1 +- 0 | x | 1 | +0 | ok |
"""
TABLES = f"""
### A1: a disc

A paper

{HEAD}| new, \\|v\\| | <= 2 | x | 1 | -1 | held |

  new, |v|: a note
  a remark

| computing time, not checked | here | printed | from |
| --- | --- | --- | --- |
| a step | 0.1 ms | 20 ms | section 6 |
"""


def script():
    loader = importlib.machinery.SourceFileLoader("validation_tables", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("validation_tables", loader))
    loader.exec_module(module)
    return module


class ValidationTables(unittest.TestCase):
    def test_replaces_one_section(self):
        module = script()
        page = module.with_section(PAGE, "A1", module.examples(TABLES)["A1"])
        self.assertIn("By hand.", page)
        self.assertIn("| new, \\|v\\| | <= 2 | x | 1 | -1 | held |\n\n- new, |v|: a note\n- a remark\n", page)
        self.assertIn("| a step | 0.1 ms | 20 ms | section 6 |\n\n![figure](a1.png)", page)
        self.assertNotIn("old", page)
        self.assertIn("| kept |", page)
        again = module.with_section(page, "A1", module.examples(TABLES)["A1"])
        self.assertEqual(page, again)

    def test_rows_of_solvers_become_one(self):
        rows = [[f"case 2, {name}: v", "1 +- 0.1", "x", value, "+0", "held"]
                for name, value in [("mlcp-lemke", "1"), ("mlcp-pfb-rlm", "1.05"), ("mlcp-pfb-plm", "1.01")]]
        alone = ["mncp-rlm: v", "1 +- 0.1", "x", "1", "+0", "held"]
        self.assertEqual(list(script().merged(rows + [alone])),
                         [["case 2, the three MLCP solvers: v", "1 +- 0.1", "x", "1.05", "+0", "held"], alone])

    def test_notes_are_shared(self):
        notes = ["a: it creeps", "b: it creeps", "c: it creeps", "d: other", "remark"]
        self.assertEqual(list(script().shared(["a", "b", "c", "d"], notes)),
                         ["a (and 2 rows like it): it creeps", "d: other", "remark"])


if __name__ == "__main__":
    unittest.main()
