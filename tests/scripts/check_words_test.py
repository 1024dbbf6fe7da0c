"""What scripts/check_words must notice. Run: python3 tests/scripts/check_words_test.py"""
import unittest

from checked_tree import CheckedTree


class CheckWords(CheckedTree):
    script = "check_words"

    def test_plain_words(self):
        self.write("README.md", "Of course, this is fine. Nonetheless there is nothing.\nPart of it: yes.\n")
        self.write("a.py", 'if x is None or "a" in vainly:\n    pass\n')
        self.check()

    def test_each_expression(self):
        lines = ["There is none here.", "There are none.", "Of a table: its origin.",
                 "All is well. Of the largest maps, one", "All but for one.", "Boxes and the like of them",
                 "as far as the trials tell.", "as far as these trials can show", "It is compared rightly.",
                 "They come ever nearer.", "This is no run store.",
                 "It takes part in the variance.", "They take part in it.",
                 "Trials that there are.", "The trial that there is.", "Likewise the others.",
                 "It asks in vain.", "two-digit of a number"]
        page = "docs/" + "page.md"  # not a document of ours
        self.write(page, "\n\n".join(lines) + "\n")
        found = [f"{page}:{number}: " for number in range(1, 2 * len(lines), 2)]
        found[4] = page + ':9: "but for": write "except; apart from" instead'
        self.check(*found)

    def test_line_breaks(self):
        self.write("a.cpp", "/// All, but\n/// for one.\n\n"
                   '  print("there is "\n        "none");\n\n'
                   "int i;  ///< Of the largest\n        ///< map: its index\n")
        self.write("b.py", "# as far as the\n# trials tell\n")
        self.write("c.md", "Each but\n\nfor one.\n\n> There is\n> none.\n")
        self.check('a.cpp:1: "but for"', 'a.cpp:4: "is none"', 'a.cpp:7: "Of the largest map:"',
                   "b.py:1:", "c.md:5:")

    def test_which_files(self):
        for name in ("build/a.md", "outputs/a.md", "tests/data/a.toml", ".git/a.md", "data.csv", "notes"):
            self.write(name, "in vain")
        self.check()
        for name in ("run", "CMakeLists.txt", "x.ts", "scripts/x.sh", "configs/x.toml"):
            self.write(name, "#!/bin/bash\n# in vain\n")
        self.check("run:2:", "CMakeLists.txt:2:", "x.ts:2:", "scripts/x.sh:2:", "configs/x.toml:2:")

    def test_kept(self):
        self.write("a.md", "<!-- check_words: keep -->\nIt is\nin vain.\n\nIn vain.\n")
        self.check("a.md:5:")


if __name__ == "__main__":
    unittest.main()
