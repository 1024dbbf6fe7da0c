#!/usr/bin/env python3
"""Tests of scripts/check_docs, with a program of a few lines in place of graspmap."""

import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/check_docs"

PROGRAM = """#!/bin/sh
# A stand-in: `graspmap run` makes a folder and counts how often it was asked.
case $1 in
  run)
    mkdir -p outputs/sweep && echo x >>"$0.runs"
    echo ' 50 % (5 of 10 trials), 812 per second, 0:01 left' >&2
    echo '100 % (10 of 10 trials), 815 per second' >&2
    echo 'Put the gripper at (0, -11) mm.'
    echo '55.4 % of 100800 trials succeeded'
    echo 'worst residual 3.1e-10'
    echo '10 trials in 2.5 s (815 per second)' ;;
  hash) echo 8fc67f969a7172714268ddc6c8b90c26 ;;
  *) echo "graspmap: error: unknown command '$1'" >&2; exit 2 ;;
esac
"""


def load():
    loader = importlib.machinery.SourceFileLoader("check_docs", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_docs", loader))
    sys.modules["check_docs"] = module
    loader.exec_module(module)
    return module


sys.dont_write_bytecode = True
check_docs = load()


class Repository(unittest.TestCase):
    """A repository of a README, a page and the stand-in program."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        for name in ("scripts", "docs", "configs", "bin"):
            (self.root / name).mkdir()
        shutil.copy(SCRIPT, self.root / "scripts/check_docs")
        program = self.root / "bin/graspmap"
        program.write_text(PROGRAM)
        program.chmod(0o755)
        self.write("configs/a.toml", "")
        self.write("README.md", "# A\n")
        subprocess.run(["git", "init", "-q", self.root], check=True)

    def write(self, name, text):
        (self.root / name).write_text(text)

    def check(self, *arguments):
        subprocess.run(["git", "-C", self.root, "add", "-A"], check=True)
        result = subprocess.run(
            [sys.executable, "-B", self.root / "scripts/check_docs", "--program-dir", self.root / "bin",
             *arguments], capture_output=True, text=True, check=False, cwd=self.root)
        return result.returncode, result.stdout + result.stderr

    def agrees(self, *arguments):
        code, out = self.check(*arguments)
        self.assertEqual(code, 0, out)
        return out

    def refuses(self, *words, arguments=()):
        code, out = self.check(*arguments)
        self.assertEqual(code, 1, out)
        for word in words:
            self.assertIn(word, out)
        return out

    def console(self, *lines, marks=()):
        self.write("README.md", "\n".join(["# A", "", *marks, "```console", *lines, "```", ""]))


class Consoles(Repository):
    def test_true_output_passes(self):
        self.console("$ graspmap hash x", "8fc67f969a7172714268ddc6c8b90c26")
        self.assertIn("1 commands", self.agrees())

    def test_a_stale_line_is_told_with_its_place(self):
        self.console("$ graspmap run configs/a.toml", "...", "Put the gripper at (0, -12) mm.", "...")
        self.refuses("README.md:6: this is not what comes out", "expected  Put the gripper at (0, -12) mm.")

    def test_a_stale_line_after_one_that_is_found(self):
        self.console("$ graspmap run configs/a.toml", "...", "Put the gripper at (0, -11) mm.",
                     "60.4 % of 100800 trials succeeded", "...")
        self.refuses("README.md:7:", "got       55.4 % of 100800 trials succeeded")

    def test_lines_that_are_missing_or_too_many(self):
        self.console("$ graspmap hash x", "8fc67f969a7172714268ddc6c8b90c26", "more")
        self.refuses("README.md:6:", "(no such line)")
        self.console("$ graspmap run configs/a.toml")
        self.refuses("README.md:5:", "(no more lines)")

    def test_a_page_in_docs_is_checked_too(self):
        self.write("docs/page.md", "# P\n\n```console\n$ echo a\nb\n```\n")
        self.refuses("docs/page.md:5:", "expected  b", "got       a")

    def test_of_progress_the_last_line_counts(self):
        self.console("$ graspmap run configs/a.toml", "100 % (10 of 10 trials), 815 per second", "...")
        self.agrees()

    def test_rates_and_times_may_differ_where_the_block_says_so(self):
        lines = ("$ graspmap run configs/a.toml", "...", "10 trials in 9.5 s (12345 per second)")
        self.console(*lines)
        self.refuses("README.md:6:")
        self.console(*lines, marks=["<!-- check: rates -->"])
        self.refuses("README.md:7:")
        self.console(*lines, marks=["<!-- check: rates times -->"])
        self.agrees()

    def test_close_numbers_and_rounding_errors(self):
        lines = ["$ graspmap run configs/a.toml", "...", "55.4 % of 100823 trials succeeded",
                 "worst residual 8.8e-12", "..."]
        self.console(*lines, marks=["<!-- check: close -->"])
        self.refuses("README.md:8:", "got       worst residual 3.1e-10")
        self.console(*lines, marks=["<!-- check: close, rounding -->"])
        self.agrees()
        self.refuses("README.md:7:", arguments=["--exact"])
        self.console("$ graspmap run configs/a.toml", "...", "55.4 % of 101000 trials succeeded", "...",
                     marks=["<!-- check: close -->"])
        self.refuses("README.md:7:")

    def test_digests(self):
        self.console("$ graspmap hash x", "0" * 32, marks=["<!-- check: digest -->"])
        self.agrees()
        self.console("$ graspmap hash x", "0" * 32, marks=["<!-- check: close -->"])
        self.refuses("README.md:6:")

    def test_digests_that_are_equal_in_the_block_must_be_equal(self):
        other = "cdef" * 8
        two = ("$ graspmap hash x", "0" * 32, f"$ echo {other}")
        self.console(*two, "0" * 32, marks=["<!-- check: digest -->"])
        self.refuses("README.md:4: digests that are equal in the block differ")
        self.console(*two, "1" * 32, marks=["<!-- check: digest -->"])
        self.agrees()

    def test_text_may_not_differ_whatever_numbers_may(self):
        self.console("$ graspmap run configs/a.toml", "...", "Put the hand at (0, -11) mm.", "...",
                     marks=["<!-- check: numbers -->"])
        self.refuses("README.md:7:")

    def test_rest_of_a_line_may_be_left_out(self):
        self.console("$ graspmap run configs/a.toml", "...", "55.4 % of ...", "...")
        self.agrees()
        self.console("$ graspmap run configs/a.toml", "...", "55.5 % of ...", "...")
        self.refuses("README.md:6:")

    def test_exit_codes(self):
        error = ("$ graspmap bogus", "graspmap: error: unknown command 'bogus'")
        self.console(*error)
        self.refuses("README.md:4: exit code 2, expected 0")
        self.console(*error, marks=["<!-- check: exit 2 -->"])
        self.agrees()

    def test_commands_over_several_lines(self):
        self.console("$ echo 'a", "b' \\", "  c", "a", "b c")
        self.agrees()

    def test_files_setups_and_needs(self):
        self.write("README.md", "# A\n\n<!-- file: a.txt -->\n```text\nhello\n```\n\n<!-- setup\n"
                   "cp a.txt b.txt\n-->\n```console\n$ cat b.txt\nhello\n```\n\n"
                   "<!-- needs: no_such_program -->\n```console\n$ no_such_program\n```\n")
        self.assertIn("README.md:17: not checked: no no_such_program here", self.agrees())

    def test_a_block_that_is_not_checked_has_a_reason(self):
        self.console("$ no_such_program", marks=["<!-- not checked: needs hardware -->"])
        self.assertIn("README.md:4: not checked: needs hardware", self.agrees())
        self.console("$ true", marks=["<!-- not checked: -->"])
        self.refuses("README.md:3:", "says nothing")

    def test_marks_are_checked(self):
        self.console("$ true", marks=["<!-- check: speed -->"])
        self.refuses("README.md:3:", "no such kind")
        self.write("README.md", "# A\n\n<!-- check: rates -->\ntext\n")
        self.refuses("README.md:3:", "not in front of a block")

    def test_pages_share_a_sweep(self):
        block = "```console\n$ graspmap run configs/a.toml\n...\n$ ls outputs\nsweep\n```\n"
        self.write("README.md", block)
        self.write("docs/page.md", block)
        self.agrees()
        self.assertEqual((self.root / "bin/graspmap.runs").read_text(), "x\n")

    def test_without_a_program_it_is_a_wrong_command_line(self):
        (self.root / "bin/graspmap").unlink()
        code, out = self.check()
        self.assertEqual(code, 2)
        self.assertIn("no program graspmap", out)


class Update(Repository):
    def test_real_lines_replace_stale_ones_and_gaps_stay(self):
        self.console("$ graspmap run configs/a.toml", "...", "Put the gripper at (1, -12) mm.", "...",
                     "10 trials in 9.5 s (12 ...", marks=["<!-- check: rates times -->"])
        self.agrees("--update")
        self.assertIn("run configs/a.toml\n...\nPut the gripper at (0, -11) mm.\n...\n"
                      "10 trials in 9.5 s (12 ...\n", (self.root / "README.md").read_text())
        self.agrees()

    def test_a_block_without_gaps_is_renewed_as_a_whole(self):
        self.console("$ printf 'a\\nb\\n'", "c")
        self.agrees("--update")
        self.assertIn("'\na\nb\n```", (self.root / "README.md").read_text())


class Links(Repository):
    def test_dead_links_and_images(self):
        self.write("README.md", "[a](docs/no.md)\n![b](docs/images/no.png)\n`[c](no.md)`\n"
                   "[d](https://example.org)\n")
        out = self.refuses("README.md:1: dead link: docs/no.md", "README.md:2: dead link: docs/images/no.png")
        self.assertIn("2 wrong", out)

    def test_anchors(self):
        self.write("docs/page.md", "# The `run` command, and more\n")
        self.write("README.md", "[a](docs/page.md#the-run-command-and-more)\n")
        self.agrees()
        self.write("README.md", "[a](docs/page.md#the-command)\n")
        self.refuses("README.md:1: no such heading")

    def test_documents_that_sources_mention(self):
        self.write("configs/a.toml", "# see docs/no.md\n")
        self.refuses("configs/a.toml:1: no such document: docs/no.md")

    def test_links_follow_files_that_moved(self):
        self.write("docs/page.md", "[a](../old/thing.hpp)\n")
        self.write("scripts/thing.hpp", "")
        self.refuses("docs/page.md:1: dead link")
        self.agrees("--fix-links")
        self.assertEqual((self.root / "docs/page.md").read_text(), "[a](../scripts/thing.hpp)\n")


class Length(Repository):
    def test_a_readme_over_the_limit(self):
        self.write("README.md", "a\n" * 300)
        self.agrees()
        self.write("README.md", "a\n" * 301)
        self.refuses("README.md:301: 301 lines; at most 300 are allowed")


if __name__ == "__main__":
    unittest.main()
