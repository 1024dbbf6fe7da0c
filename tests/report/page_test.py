#!/usr/bin/env python3
"""tests/report/page_test.py GRASPMAP [--simulator] [--times]: the page of `graspmap report` in headless Chromium.

Makes small runs, writes their reports, opens each from the disk, and checks that the page says what the
commands say: each cell as map.csv; that trials which are clicked end as they are stored; that hostile names,
odd runs and narrow windows do no harm; and that nothing asks the network for anything, or writes to the
console. Where the program has the simulator of the page also: the success under a positioning error as
`plan`, the map under other distributions as `reweight`, what was drawn for a trial as trials.csv; else that the page
says what it lacks. --simulator: it must be there. Exit code 77, which CTest takes for "skipped", without
Debian's chromium, chromium-driver and python3-selenium. --times: prints how long it takes from a drag to
the picture.
"""
import csv
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from browser import Browser  # noqa: E402  (it ends this program where there is no browser)

PROGRAM = None  # graspmap
CONFIGS = ROOT / "configs"
HOSTILE = "</script><script>alert(1)</script> \"'&<img src=x onerror=alert(2)> \u202e\u00e9\U0001F600 "
TOLERANCE = 1e-12

# Functions for the page, put before each script.
HELPERS = """
const q = (s) => document.querySelector(s);
const all = (s) => [...document.querySelectorAll(s)];
const values = (box) => Object.fromEntries([...box.querySelectorAll('data')].map((d) => [d.dataset.name, d.value]));
const middle = (n) => {
  const box = all('.plot .cells rect')[n].getBoundingClientRect();
  return { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, bubbles: true };
};
const hover = (n) => q('.plot').dispatchEvent(new PointerEvent('pointermove', middle(n)));
const click = (n) => q('.plot').dispatchEvent(new MouseEvent('click', middle(n)));
const leave = () => q('.plot').dispatchEvent(new PointerEvent('pointerleave'));
const slide = (name, value) => {
  const input = q(`[data-name="${name}"]`);
  input.value = value;
  input.dispatchEvent(new Event('input'));
};
const press = (id) => q(`[data-choice="${id}"]`).click();
const key = (name) => q('.plot').dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
"""
SETTLE = "const done = arguments[arguments.length - 1]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(result()), 0)));"


COMMANDS = {"seconds": 0.0}  # spent in graspmap itself


def graspmap(*words):
    begun = time.monotonic()
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
    COMMANDS["seconds"] += time.monotonic() - begun
    assert done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout


class Page(Browser):
    """A browser with one window."""

    def __init__(self):
        super().__init__("1200,900", 60)

    def open(self, file):
        self.file = Path(file).as_uri()
        self.driver.get_log("performance")
        self.driver.get(self.file)
        self.wait_for("document.documentElement.dataset.ready")
        assert self.run("return document.documentElement.dataset.ready") == "yes", self.run("return document.body.innerText")

    def run(self, script):
        return self.driver.execute_script(HELPERS + script)

    def after(self, script, result):
        """Runs a script, lets the page draw, and returns what `result` says then."""
        return self.driver.execute_async_script(f"{HELPERS}{script}; const result = () => {{ {result} }}; {SETTLE}")

    def wait_for(self, condition):
        for _ in range(400):
            if self.run(f"return Boolean({condition})"):
                return
            time.sleep(0.05)
        raise AssertionError(f"not within 20 s: {condition}")



def rows_of(file):
    with open(file, encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def check_map(page, run):
    """Hovering over each cell shows the numbers of map.csv."""
    rows = rows_of(run / "map.csv")
    slices = max(int(row["cell_theta"]) for row in rows) + 1
    per_slice = len(rows) // slices
    for k in range(slices):
        if slices > 1:
            page.run(f"slide('slice', {k})")
        shown = page.run("""return all('.plot .cells rect').map((_, n) => {
          hover(n); return { cell: q('#readout').dataset.cell, text: q('#readout').textContent, ...values(q('#readout')) }; })""")
        assert len(shown) == per_slice
        for n, cell in enumerate(shown):
            row = rows[k * per_slice + n]
            assert int(cell["cell"]) == k * per_slice + n
            assert cell["success_probability"] == row["success_probability"], (cell, row)
            assert cell["wilson"] == f"{row['wilson_low']} {row['wilson_high']}"
            assert cell["trials"] == row["trials"]
            for outcome in ("success", "wedged", "missed", "timeout", "blocked", "failed"):
                assert cell.get(outcome, "0") == row[outcome], (outcome, cell, row)
            if row["success_probability"] != "nan":
                assert f"{100 * float(row['success_probability']):.1f} %" in cell["text"], (cell, row)
    page.run("leave()")


def check_expected_success(page, run, sigmas, angle=""):
    """The success under an error is that of `graspmap plan`, at the placements that it finds."""
    page.run("press('expected')")
    compared = 0
    for sigma in sigmas:
        words = ["plan", run, "--position-sigma-mm", ",".join(map(str, sigma)), "--no-plots"]
        if angle:
            words += ["--angle-sigma-rad", angle]
            page.run(f"slide('sigma_theta', {angle})")
        graspmap(*words)
        plan = json.loads((run / "plan" / "plan.json").read_text(encoding="utf-8"))
        for place in plan["placements"]:
            at = [("at_x", place["x_mm"]), ("at_y", place["y_mm"])]
            if "theta_rad" in place:
                at.append(("at_theta", place["theta_rad"]))
            script = f"slide('sigma_x', {sigma[0]}); slide('sigma_y', {sigma[1]});"
            script += "".join(f"slide('{name}', {value});" for name, value in at)
            shown = page.after(script, "return values(q('[data-for=expected]'))")
            assert abs(float(shown["expected_at"]) - place["success_probability"]) < TOLERANCE, (sigma, place, shown)
            compared += 1
        page.wait_for("q('[data-name=expected_best]')")
        shown = page.run("return values(q('[data-for=expected]'))")
        best = plan["placements"][0]
        told = [float(shown[name]) for name in ("best_x", "best_y", "expected_best")]
        assert told == [best["x_mm"], best["y_mm"], best["success_probability"]], (sigma, best, shown)
        cell = page.run("hover(0); return values(q('#readout'))")
        page.run("leave()")
        assert 0 <= float(cell["expected"]) <= best["success_probability"] + TOLERANCE, (cell, best)
    assert compared >= len(sigmas)
    page.run("press('success')")


def check_reweighting(page, run, sets, sliders):
    """The map under other distributions is that of `graspmap reweight`."""
    words = [word for assignment in sets for word in ("--set", assignment)]
    graspmap("reweight", run, *words, "--no-plots")
    rows = rows_of(run / "reweight" / "map.csv")
    total = json.loads((run / "reweight" / "reweight.json").read_text(encoding="utf-8"))
    page.run("press('friction')")
    script = "".join(f"slide('{name}', {value});" for name, value in sliders)
    shown = page.after(script, """return { all: values(q('[data-for=friction]')),
      tail: q('[data-for=friction] .answer').dataset.paretoK,
      cells: all('.plot .cells rect').map((_, n) => { hover(n); return values(q('#readout')); }) }""")
    assert abs(float(shown["all"]["effective_trials"]) - total["effective_trials"]) < TOLERANCE * total["effective_trials"], (shown["all"], total)
    tail = total["pareto_k"]
    assert shown["tail"] == "null" if tail is None else abs(float(shown["tail"]) - tail) < TOLERANCE, (shown["tail"], tail)
    known = 0
    for row, cell in zip(rows, shown["cells"], strict=True):
        wanted = float(row["success_probability"])
        if wanted != wanted:
            assert cell["reweighted"] == "NaN"
            continue
        known += 1
        assert abs(float(cell["reweighted"]) - wanted) < TOLERANCE, (row, cell)
        assert abs(float(cell["effective"]) - float(row["effective_trials"])) < TOLERANCE * float(row["effective_trials"])
    assert known > len(rows) / 2
    page.run("press('success'); leave()")


def check_comparison(page, run, lab, other):
    """The layers of an experiment and of a second run have the numbers of `compare` and `difference`."""
    graspmap("difference", run, other, "--no-plots", "--out", run / "difference")
    for id_, column in (("second", "probability_b"), ("second_minus", "b_minus_a")):
        page.run(f"press('{id_}')")
        shown = page.run("return all('.plot .cells rect').map((_, n) => { hover(n); return values(q('#readout')); })")
        for row, cell in zip(rows_of(run / "difference" / "difference.csv"), shown, strict=True):
            assert float(cell[id_]) == float(row[column]), (row, cell)
    graspmap("compare", run, lab, "--no-plots", "--quiet", "--trials", "1000", "--out", run / "compare")
    rows = rows_of(run / "compare" / "compare.csv")
    page.run("press('experiment')")
    shown = page.run("return all('.plot .cells rect').map((_, n) => { hover(n); return values(q('#readout')).experiment; })")
    told = sorted(float(value) for value in shown if value != "NaN")
    assert told == sorted(float(row["experiment_probability"]) for row in rows), (told, rows)
    page.run("leave(); press('success')")


def check_designs(page, folder):
    """The designs have the numbers of `design`, a row each, and a chart for each variable."""
    found = json.loads((folder / "design.json").read_text(encoding="utf-8"))
    shown = page.run("""return { text: q('#designs-section').textContent, charts: all('.profiles svg').length,
      points: all('.profiles circle').length,
      rows: all('.designs tbody tr').map((row) => [...row.querySelectorAll('data')].map((d) => d.value)) }""")
    designs = found["designs"][:10]
    assert designs[0]["words"] in shown["text"], shown
    assert f"{100 * found['gains'][0]['value']:.1f} percentage points" in shown["text"], shown
    for row, design in zip(shown["rows"], designs, strict=True):
        assert [float(value) for value in row] == [design["value"], design["second_value"]], (row, design)
    assert shown["charts"] == len(found["variables"])
    assert shown["points"] == sum(value is not None for one in found["variables"] for value in one["values"])


def check_trials(page, count):
    """Trials that are clicked replay to their stored outcomes."""
    shown = page.run(f"""const seen = []; const most = {count};
      const cells = all('.plot .cells rect').length;
      for (let n = 0; n < cells && seen.length < most; ++n) {{
        click(n);
        const rows = all('.trials tbody tr').map((row) => row.dataset.row);
        for (const row of rows.slice(0, Math.ceil(most / cells) + 1)) {{
          q(`.trials tr[data-row="${{row}}"]`).click();
          const panel = q('.trial_panel');
          seen.push([panel.dataset.outcome, q('[data-name=stored_outcome]').textContent,
            q(`.trials tr[data-row="${{row}}"] td:nth-child(2)`).textContent, panel.querySelectorAll('.scene .touch').length >= 0]);
        }}
      }}
      return seen;""")
    assert len(shown) >= count, len(shown)
    for outcome, stored, listed, _ in shown:
        assert outcome == stored == listed, (outcome, stored, listed)
    return len(shown)


def check_drawn(page, run):
    """Trials that are clicked show what was drawn for them, as trials.csv has it."""
    rows = {row["index"]: row for row in rows_of(run / "trials.csv")}
    shown = page.run("""return all('.trials tbody tr').slice(0, 20).map((row) => {
      row.querySelector('button').click(); return [row.querySelector('button').textContent, values(q('.trial_panel .facts'))]; })""")
    assert shown
    for index, drawn in shown:
        keys = ["x_mm", "y_mm", "theta_rad", "mu_jaw", "mu_support"]
        keys += [key for key in rows[index] if "." in key]
        assert set(drawn) == set(keys), (drawn, keys)
        for key in keys:
            assert float(drawn[key]) == float(rows[index][key]), (index, key, drawn, rows[index])


def check_without(page):
    """A page without the simulator says what it lacks."""
    assert "not in this report" in page.run("return q('#without_simulator').textContent")
    assert page.run("return all('[data-choice=expected], [data-choice=friction]').length") == 0
    shown = page.run("click(0); return [all('.dots').length, all('.trials thead th').map((one) => one.textContent)]")
    assert shown == [0, ["trial", "outcome"]], shown
    page.run("q('.trials tbody tr').click()")
    assert page.run("return all('.trial_panel .scene').length") == 1
    page.run("key('ArrowUp'); key('Enter')")


def check_reasons(page):
    """The layer of reasons tells its colours; a cell that is clicked has its reasons, the largest first."""
    shown = page.run("""press('reasons'); click(0);
      const found = { legend: all('.classes li').map((one) => one.textContent),
        rows: all('.cell_panel .reasons tr').map((row) => [row.dataset.reason, row.children[0].textContent]) };
      press('success'); return found;""")
    assert shown["legend"][0] == "every grasp succeeded" and len(shown["legend"]) >= 3, shown
    shares = [float(share.rstrip(" %")) for _, share in shown["rows"]]
    assert shares and shares == sorted(shares, reverse=True), shown
    assert all(reason in shown["legend"] for reason, _ in shown["rows"]), shown


def check_keyboard(page):
    """Arrows move the cell, Enter opens a trial and plays it."""
    page.run("press('success'); key('ArrowUp'); key('ArrowLeft')")
    before = page.run("return Number(q('#readout').dataset.cell)")
    after = page.run("key('ArrowRight'); return Number(q('#readout').dataset.cell)")
    assert after == before + 1, (before, after)
    assert page.run("key('Enter'); return q('.trial_panel .play').textContent") == "Pause"
    assert page.run("key('Enter'); return q('.trial_panel .play').textContent") == "Play"


def check_widths(page):
    """Nothing is wider than the window, and no table than its place, except that of designs, which has a column
    for each variable; no number is rounding."""
    for width in (360, 900, 1600):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        wide, room = page.after("", "const root = document.documentElement; return [root.scrollWidth, root.clientWidth]")
        assert wide <= room, f"{wide} px in a window of {width} with room for {room}"
        tables = page.run("return all('.scroll:not(:has(.designs))').map((box) => [box.querySelector('caption, th')?.textContent, box.scrollWidth, box.clientWidth])")
        assert all(wide <= room for _, wide, room in tables), (width, tables)
    tiny = page.run("return q('main').innerText.match(/\\([^()]*e-1\\d/g)")
    assert not tiny, tiny
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def check_live(page, times):
    """Dragging the gripper simulates; without the simulator the page says so."""
    if page.run("return q('#live-section').classList.contains('without')"):
        assert "not in this report" in page.run("return q('#live-section').textContent")
        return False
    page.run("q('#live-section').scrollIntoView()")
    page.wait_for("q('.live_picture svg') && q('[data-name=live_outcome]')")
    script = """
      const picture = q('.live_picture');
      const box = picture.getBoundingClientRect();
      const at = (k) => ({ clientX: box.x + 150 + 4 * (k % 20), clientY: box.y + 120 - 3 * (k % 15), pointerId: 1, bubbles: true });
      picture.setPointerCapture = () => undefined;
      picture.dispatchEvent(new PointerEvent('pointerdown', at(0)));
      const done = arguments[arguments.length - 1];
      const spent = [];
      const step = (k) => {
        if (k > MOST) { picture.dispatchEvent(new PointerEvent('pointerup', at(k))); done([spent, q('[data-name=live_outcome]').textContent]); return; }
        picture.dispatchEvent(new PointerEvent('pointermove', at(k)));
        requestAnimationFrame(() => requestAnimationFrame(() => { spent.push(Number(picture.dataset.lastMs)); step(k + 1); }));
      };
      step(1);"""
    moves = 200 if times else 5
    spent, outcome = page.driver.execute_async_script(HELPERS + script.replace("MOST", str(moves)))
    assert outcome in ("success", "wedged", "missed", "timeout", "blocked", "failed")
    assert page.run("return Number(q('.live_picture').dataset.pictures)") >= moves
    if times:
        spent.sort()
        print(f"drag to picture, {len(spent)} times: median {spent[len(spent) // 2]:.1f} ms, largest {spent[-1]:.1f} ms")
    return True


def report_of(folder, name, config, *words, report_words=()):
    run = folder / name
    graspmap("run", config, "--out", run, "--quiet", "--no-plots", *words)
    graspmap("report", run, "--quiet", *report_words)
    return run


def main():
    begun = time.monotonic()
    times = "--times" in sys.argv
    folder = Path(tempfile.mkdtemp(prefix="graspmap-page-"))
    page = Page()
    try:
        quick = report_of(folder, "quick", CONFIGS / "lock_piece_quick.toml", "--trials-per-cell", "30")
        page.open(quick / "report.html")
        check_map(page, quick)
        live = not page.run("return q('#without_simulator')")
        assert live or "--simulator" not in sys.argv, page.run("return q('#without_simulator').textContent")
        if live:
            check_expected_success(page, quick, [(1, 1), (0.3, 2.5), (0, 1.5)])
            check_reweighting(page, quick, ["friction.jaw.max=0.2", "friction.support.min=0.15"],
                              [("mu_jaw_max", 0.2), ("mu_support_min", 0.15)])
            page.run("click(44)")
            check_drawn(page, quick)
        else:
            check_without(page)
        check_reasons(page)
        clicked = check_trials(page, 200)
        check_keyboard(page)
        assert check_live(page, times) == live
        check_widths(page)
        page.check_quiet()
        print(f"{clicked} trials clicked, simulator {'in' if live else 'not in'} the page")

        graspmap("report", quick, "--quiet", "--no-live", "--trials", "1000", "--out", folder / "sample.html")
        page.open(folder / "sample.html")
        check_map(page, quick)
        assert "a sample: 1,000 of 3,000 trials" in page.run("return q('#sampled').textContent")
        assert "not in this report" in page.run("return q('#live-section').textContent")
        check_without(page)
        check_trials(page, 100)
        check_widths(page)
        page.check_quiet()

        graspmap("design", CONFIGS / "shaft_fingers.toml", "--quiet", "--no-plots", "--designs", "8", "--generations", "0",
                 "--most-trials", "64", "--trials", "100", "--set", "design.second_objective=worst-cell",
                 "--set", "placement.x_cells=2", "--set", "placement.y_cells=2", "--out", folder / "design")
        graspmap("report", quick, "--quiet", "--no-live", "--design", folder / "design", "--out", folder / "design.html")
        page.open(folder / "design.html")
        check_designs(page, folder / "design")
        check_widths(page)
        page.check_quiet()

        small = ["--set", "placement.x_cells=3", "--set", "placement.y_cells=4"]
        angles = report_of(folder, "angles", CONFIGS / "lock_piece_angles.toml", "--trials-per-cell", "6", *small)
        page.open(angles / "report.html")
        check_map(page, angles)
        if live:
            check_expected_success(page, angles, [(1, 2)], "0.1")
        page.check_quiet()

        hostile = folder / f"{HOSTILE}/run"
        hostile.parent.mkdir(parents=True)
        lab = hostile.parent / "lab.csv"
        session = '"' + (HOSTILE * 200).replace('"', '""') + '"'
        rows = [f"{x},-10,{int(x > -3)},{session}" for x in range(-6, 6)]
        lab.write_text("\n".join(["# origin = measured", f"# source = {HOSTILE * 300}", "x_mm,y_mm,success,session",
                                  *rows]) + "\n", encoding="utf-8")
        shutil.copytree(quick, hostile)
        graspmap("run", CONFIGS / "lock_piece_quick.toml", "--out", folder / "strong", "--quiet", "--no-plots",
                 "--trials-per-cell", "30", "--set", "gripper.closing_force_n=30")
        graspmap("report", hostile, "--quiet", "--experiment", lab, "--compare-trials", "1000", "--against", folder / "strong")
        page.open(hostile / "report.html")
        assert page.run("return document.querySelectorAll('main img, main iframe, main script').length") == 0
        assert "alert(1)" in page.run("return q('#provenance-section').textContent")
        check_map(page, hostile)
        check_comparison(page, hostile, lab, folder / "strong")
        check_widths(page)
        page.check_quiet()

        odd = {
            "adaptive": (CONFIGS / "lock_piece_adaptive.toml", "--set", "sweep.adaptive.most_trials=2600"),
            "outlines": (CONFIGS / "v_fingers.toml", "--trials-per-cell", "4"),
            "noise": (CONFIGS / "bolt.toml", "--trials-per-cell", "18"),
            "failed": (CONFIGS / "lock_piece_quick.toml", "--trials-per-cell", "2", "--set", "placement.x_cells=1",
                       "--set", "placement.y_cells=1", "--set", "placement.x_min_mm=6", "--set", "placement.x_max_mm=10",
                       "--set", "placement.y_min_mm=-12", "--set", "placement.y_max_mm=-8", "--set",
                       "simulation.tolerance_mm=1e-13"),
            "uncertain": (CONFIGS / "lock_piece_tolerances.toml", "--trials-per-cell", "2", *small),
            "one": (CONFIGS / "lock_piece_quick.toml", "--trials-per-cell", "1", "--set", "placement.x_cells=1",
                    "--set", "placement.y_cells=1"),
        }
        for name, (config, *words) in odd.items():
            print(name, flush=True)
            run = report_of(folder, name, config, *words)
            page.open(run / "report.html")
            check_map(page, run)
            check_trials(page, 1)
            if name == "failed":
                assert page.run("return q('#readout') && document.body.textContent.includes('failed 2')")
            if live:
                page.run("click(0)")
                check_drawn(page, run)
            if name == "uncertain":
                assert page.run("return all('.toolbar [data-choice=friction]').length") == 0  # correlated
                check_widths(page)
            if live and name == "noise":
                check_expected_success(page, run, [(1.5, 1.5)])
                check_reweighting(page, run, ["friction.jaw.mean=0.28", "friction.jaw.sigma=0.06"],
                                  [("mu_jaw_mean", 0.28), ("mu_jaw_sigma", 0.06)])
            page.check_quiet()
    finally:
        page.driver.quit()
        shutil.rmtree(folder)
    print(f"the page says what the commands say ({COMMANDS['seconds']:.0f} s of "
          f"{time.monotonic() - begun:.0f} s in graspmap)")


if __name__ == "__main__":
    PROGRAM = Path(sys.argv[1]).resolve()
    main()
