"""A small tree that one of the scripts checks."""
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


class CheckedTree(unittest.TestCase):
    """The tree is made anew for each test; `script` names the script, `options` what it is called with."""

    script = ""
    options = []

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def check(self, *messages):
        """The script must print one line for each message, which holds it; or succeed without any."""
        done = subprocess.run([SCRIPTS / self.script, *self.options, self.root], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1 if messages else 0, done.stdout + done.stderr)
        if messages:
            self.assertEqual(len(done.stdout.splitlines()), len(messages), done.stdout)
        for message in messages:
            self.assertIn(message, done.stdout)
