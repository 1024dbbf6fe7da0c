"""Sweeps: simulated, stopped, resumed, extended, merged; the same bits as the command's."""
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest

import graspmap as gm
from conftest import QUICK, SOURCE

QUICK_DIGEST = "8db20a3654369b6e0c51c73b16ec0544"


@pytest.fixture
def long_config(config):
    """A sweep that takes far longer than any test."""
    return config.copy({"sweep.trials_per_cell": 100_000})


def test_a_run_is_that_of_the_command(command, tmp_path, capfd):
    config = gm.load(QUICK)
    run = gm.run(config, tmp_path / "python")
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")
    assert run.digest == command("hash", tmp_path / "python").strip() == QUICK_DIGEST
    command("run", QUICK, "--no-plots", "--quiet", "--out", tmp_path / "command")
    for file in ("config.toml", "map.csv", "trials.csv"):
        assert (tmp_path / "python" / file).read_bytes() == (tmp_path / "command" / file).read_bytes()
    of_command = gm.open(tmp_path / "command")
    assert of_command.digest == run.digest and of_command.config == config == run.config
    assert run.complete and run.trials_done == run.trials_asked == 2000
    assert run.sessions[0].trials == 2000


def test_the_number_of_threads_changes_no_bit(config, tmp_path):
    digests = {gm.run(config, tmp_path / str(n), threads=n).digest for n in (1, 2, 5)}
    assert len(digests) == 1


def test_a_folder_with_a_run_is_refused(config, tmp_path):
    gm.run(config, tmp_path / "run")
    with pytest.raises(gm.ConfigError, match="resume=True continues it, overwrite=True") as caught:
        gm.run(config, tmp_path / "run")
    assert caught.value.file == str(tmp_path / "run")
    with pytest.raises(gm.UsageError, match="give one"):
        gm.run(config, tmp_path / "run", resume=True, overwrite=True)
    assert gm.run(config, tmp_path / "run", resume=True).trials_done == 100
    with pytest.raises(gm.ConfigError, match="gripper.closing_force_n"):
        gm.run(config.copy({"gripper.closing_force_n": 9}), tmp_path / "run", resume=True)
    other = gm.run(config.copy({"sweep.seed": 2}), tmp_path / "run", overwrite=True)
    assert other.config.sweep.seed == 2


def test_a_function_watches(tmp_path):
    seen = []
    gm.run(gm.load(QUICK), tmp_path / "run", progress=seen.append)
    last = seen[-1]
    assert last.done == last.asked == 2000 and last.fraction == 1
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    assert sum(last.outcomes.values()) == 2000 and last.outcomes["success"] == 1119
    assert last.seconds > 0 and last.trials_per_s > 0 and last.left_s == 0
    assert "2000/2000" in last.bar() and "2000 of 2000 trials" in repr(last)


def test_a_function_stops_a_run_and_it_goes_on(tmp_path):
    # So many trials take longer than the tenth of a second between two calls of the function.
    config = gm.load(QUICK, {"sweep.trials_per_cell": 200})
    run = gm.run(config, tmp_path / "run", threads=1,
                 progress=lambda progress: progress.done < 100)
    assert 100 <= run.trials_done < 20_000 and not run.complete
    assert "incomplete" in repr(run)
    assert run.resume() is run
    assert run.complete and run.digest == gm.run(config, tmp_path / "at_once").digest
    assert len(run.sessions) == 2


def test_an_exception_of_the_function_ends_a_run_cleanly(long_config, tmp_path):
    class Mine(Exception):
        pass

    def fail(progress):
        if progress.done >= 100:
            raise Mine("enough")

    with pytest.raises(Mine, match="enough"):
        gm.run(long_config, tmp_path / "run", progress=fail)
    assert not (tmp_path / "run" / "run.lock").exists()
    with gm.open(tmp_path / "run") as run:
        assert run.trials_done >= 100


def test_ctrl_c_leaves_a_run_that_can_be_resumed(long_config, tmp_path):
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        gm.run(long_config, tmp_path / "run")
    assert signal.getsignal(signal.SIGINT) is before
    kept = gm.open(tmp_path / "run").trials_done
    assert kept > 0
    run = gm.run(long_config, tmp_path / "run", resume=True,
                 progress=lambda progress: progress.done < kept + 50)
    assert run.trials_done >= kept + 50


def test_a_killed_process_leaves_a_run_that_can_be_resumed(config, long_config, tmp_path):
    folder = tmp_path / "run"
    program = (f"import graspmap as gm\nconfig = gm.load({str(QUICK)!r}, "
               f"{{'sweep.trials_per_cell': 100_000}})\ngm.run(config, {str(folder)!r})")
    process = subprocess.Popen([sys.executable, "-c", program])
    deadline = time.monotonic() + 60
    while not (folder / "run.lock").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)
    process.kill()
    process.wait()
    with pytest.warns(gm.GraspmapWarning, match="ended without finishing") as warned:
        run = gm.run(long_config, folder, resume=True, progress=lambda p: p.done < 200)
    assert warned[0].filename == __file__
    assert (run.trials["index"][:200] == range(200)).all()
    assert (run.trials[:100] == gm.run(config, tmp_path / "whole").trials).all()


def test_a_folder_that_another_process_writes(config, tmp_path):
    folder = tmp_path / "run"
    gm.run(config, folder)
    with open(folder / "run.lock", "w") as lock:
        lock.write("process 4711 on host lab3")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(gm.RunInUseError, match="process 4711 on host lab3 is writing this run"):
            gm.run(config, folder, resume=True)
        assert gm.open(folder).trials_done == 100  # it can be read meanwhile


def test_two_runs_in_two_threads(config, tmp_path):
    runs, errors = {}, []

    def simulate(seed):
        try:
            runs[seed] = gm.run(config.copy({"sweep.seed": seed}), tmp_path / str(seed))
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=simulate, args=(seed,)) for seed in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    alone = gm.run(config.copy({"sweep.seed": 2}), tmp_path / "alone")
    assert runs[2].digest == alone.digest != runs[1].digest


def test_other_threads_go_on_meanwhile(long_config, tmp_path):
    counted = [0]
    ended = threading.Event()

    def count():
        while not ended.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    begin = counted[0]
    start = time.monotonic()
    gm.run(long_config, tmp_path / "run", progress=lambda p: time.monotonic() < start + 0.5)
    ended.set()
    thread.join()
    assert counted[0] - begin > 20


def test_a_run_is_extended(config, tmp_path):
    run = gm.run(config, tmp_path / "run")
    assert run.extend(2) is run
    assert run.trials_done == 200 and run.config.sweep.trials_per_cell == 2
    at_once = gm.run(config, tmp_path / "at_once", trials_per_cell=2)
    assert run.digest == at_once.digest
    assert gm.run(config, tmp_path / "at_once", trials_per_cell=3).trials_done == 300
    with pytest.raises(gm.ConfigError, match="must not be fewer"):
        run.extend(1)
    with pytest.raises(gm.UsageError):
        run.extend()


def test_an_adaptive_run(command, tmp_path):
    config = gm.load(SOURCE / "configs" / "lock_piece_adaptive.toml", {
        "placement.x_cells": 5, "placement.y_cells": 5, "sweep.adaptive.most_trials": 300,
        "sweep.adaptive.first_trials": 4, "sweep.adaptive.round_trials": 50})
    with pytest.raises(gm.UsageError, match="adaptive"):
        gm.run(config, tmp_path / "shard", shard=(1, 2))
    assert "adaptive" in repr(config)
    run = gm.run(config, tmp_path / "run")
    assert run.complete and run.summary.adaptive.rounds >= 1
    first = run.trials_done
    run.extend(most_trials=600)
    assert run.trials_done >= first
    (tmp_path / "a.toml").write_text(config.copy({"sweep.adaptive.most_trials": 600}).to_toml())
    command("run", tmp_path / "a.toml", "--no-plots", "--quiet", "--out", tmp_path / "command")
    assert run.digest == gm.open(tmp_path / "command").digest


def test_shards_are_merged(tmp_path):
    config = gm.load(QUICK)
    shards = [gm.run(config, tmp_path / f"shard_{i}", shard=(i, 2)).path for i in (1, 2)]
    assert gm.open(shards[1]).shard == (2, 2)
    with pytest.raises(gm.ConfigError, match="partial=True"):
        gm.merge(tmp_path / "whole", shards[:1])
    assert not (tmp_path / "whole").exists()
    whole = gm.merge(tmp_path / "whole", shards)
    assert whole.digest == QUICK_DIGEST and whole.complete
    assert (tmp_path / "whole" / "map.csv").exists()
    with pytest.raises(gm.ConfigError, match="overwrite=True"):
        gm.merge(tmp_path / "whole", shards)
    part = gm.merge(tmp_path / "whole", shards[:1], partial=True, overwrite=True)
    assert part.trials_done == 1000 and not part.complete
    with pytest.raises(gm.UsageError, match="list"):
        gm.merge(tmp_path / "other", [])
    with pytest.raises(gm.UsageError, match="shard"):
        gm.run(config, tmp_path / "other", shard=(3, 2))


def test_the_default_folder(config, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert str(gm.run(config).path) == "outputs/lock_piece_quick"
    assert str(gm.run(config, shard="1/4").path) == "outputs/lock_piece_quick/shards/1-of-4"


def test_a_closed_run(config, tmp_path):
    with gm.run(config, tmp_path / "run") as run:
        trials = run.trials
    assert run.closed and "closed" in repr(run)
    assert trials["index"][-1] == 99  # what was read stays
    for use in (lambda: run.digest, lambda: run.map.success, lambda: run.trial(1),
                lambda: run.resume(), lambda: run.config):
        if use is not None:
            with pytest.raises(gm.ClosedRunError, match="the run is closed"):
                use()
    run.close()


def test_a_run_is_closed_while_other_threads_read_it(config, tmp_path):
    gm.run(config, tmp_path / "run")

    def read(run, found):
        try:
            found.append(len(run.trials))
        except gm.ClosedRunError:
            found.append(100)

    for attempt in range(60):
        run, found = gm.open(tmp_path / "run"), []
        threads = [threading.Thread(target=read, args=(run, found)) for _ in range(2)]
        for thread in threads:
            thread.start()
        time.sleep(0.0003 * (attempt % 5))
        run.close()
        for thread in threads:
            thread.join()
        assert found == [100, 100]


def test_what_is_no_run(config, tmp_path):
    with pytest.raises(gm.ConfigError, match="there is no such folder") as caught:
        gm.open(tmp_path / "nothing")
    assert caught.value.file == str(tmp_path / "nothing")
    (tmp_path / "run.sqlite").write_text("no database")
    with pytest.raises(gm.ConfigError):
        gm.open(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(gm.ConfigError, match="there is a file in its place"):
        gm.run(config, tmp_path / "file")
    with pytest.raises(gm.UsageError, match="must be a Config"):
        gm.run(str(QUICK), tmp_path / "run")
    with pytest.raises(gm.UsageError, match="threads"):
        gm.run(config, tmp_path / "run", threads=0)


def test_a_run_of_another_process_is_read_as_it_grows(config, tmp_path):
    gm.run(config, tmp_path / "run")
    reader = gm.open(tmp_path / "run")
    assert len(reader.trials) == 100
    gm.run(config, tmp_path / "run", trials_per_cell=2)
    reader.reload()
    assert len(reader.trials) == 200 and reader.config.sweep.trials_per_cell == 2


def test_nothing_warns_without_need(config, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gm.run(config, tmp_path / "run", progress=True)
