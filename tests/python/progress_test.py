"""What progress=True shows."""
import io
import sys
import types

import pytest

import graspmap as gm


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_on_a_terminal(config, tmp_path, monkeypatch):
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    gm.run(config, tmp_path / "run", progress=True)
    assert shown.getvalue().startswith("\r[") and shown.getvalue().endswith("\x1b[K\n")
    assert "100/100" in shown.getvalue()
    assert all(len(line) <= 82 for line in shown.getvalue().split("\r"))


def test_lines_elsewhere(config, tmp_path, capsys):
    gm.run(config, tmp_path / "run", progress=True)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "100/100" in captured.err and "\r" not in captured.err


def test_a_bar_in_a_notebook(config, tmp_path, monkeypatch, capsys):
    shown = []

    class Shell:
        kernel = object()

    class Handle:
        def update(self, thing):
            shown.append(thing)

    def display(thing, display_id):
        assert display_id
        shown.append(thing)
        return Handle()

    ipython = types.ModuleType("IPython")
    ipython.get_ipython = Shell
    ipython.display = types.ModuleType("IPython.display")
    ipython.display.display = display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython.display)
    gm.run(config, tmp_path / "run", progress=True)
    assert "<progress value='100' max='100'>" in shown[-1]._repr_html_()
    assert "100 %" in shown[-1]._repr_html_() and repr(shown[-1]).startswith("[#")
    assert capsys.readouterr().err == ""


def test_no_progress_shows_nothing(config, tmp_path, capsys):
    gm.run(config, tmp_path / "run")
    assert capsys.readouterr() == ("", "")


def test_the_time_left():
    progress = gm.Progress((30, 0, 0, 0, 0, 0), 90, 10, 2.0)
    assert (progress.trials_per_s, progress.left_s) == (10.0, 6.0)
    assert progress.fraction == pytest.approx(1 / 3)
    assert gm.Progress((0,) * 6, 90, 0, 0.0).left_s is None
