// node modules_test.mjs MODULES: the modules of the page by themselves. MODULES is tests/report/modules.ts, bundled.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const page = await import(pathToFileURL(path.resolve(process.argv[2])));

test("CSV, ticks and numbers for people", () => {
  assert.deepEqual(page.parseCsv("a,b\n1,2\n3,4\n"), [{ a: "1", b: "2" }, { a: "3", b: "4" }]);
  assert.deepEqual(page.ticks(-10, 10, 5), [-10, -5, 0, 5, 10]);
  assert.deepEqual(page.ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(page.ticks(3, 3, 5), []);
  assert.equal(page.short(-0.0001), "0");
  assert.equal(page.short(2.5), "2.5");
  assert.equal(page.short(-7e-12), "0");
  assert.equal(page.short(-20, 0), "-20");
  assert.equal(page.significant(-7.1e-12), "0");
  assert.equal(page.significant(7.14e-12, 2, 0), "7.1e-12");
  assert.equal(page.percent(-1e-9), "0.0 %");
  assert.equal(page.percentRange(-1e-9, 0.5), "0.0 to 50.0 %");
  assert.equal(page.percent(NaN), "unknown");
  assert.equal(page.whole(100800), "100,800");
});

test("frames between two are mixed; before the first and beyond the last are these", () => {
  const frame = (time_s, x) => ({ time_s, part: [x, 0, 0], jaws: [x, -x], gripper: [0, x, 0], phase: 0, contacts: [] });
  const frames = [frame(0, 0), frame(1, 10), frame(3, 20)];
  assert.equal(page.frameAt(frames, 0.5).frame.part[0], 5);
  assert.equal(page.frameAt(frames, 2).frame.jaws[1], -15);
  assert.equal(page.frameAt(frames, 1).passed, 2);
  assert.equal(page.frameAt(frames, 99).frame.part[0], 20);
  assert.equal(page.frameAt([frame(0, 4)], 0).frame.part[0], 4);
});

test("colours: the ends of a scale are its first and last stops", () => {
  assert.equal(page.colour(page.probabilityScale, 0), "rgb(68,1,84)");
  assert.equal(page.colour(page.probabilityScale, 1), "rgb(253,231,37)");
  assert.equal(page.colour(page.probabilityScale, 7), "rgb(253,231,37)");
  assert.equal(page.differenceScale([0.1, -0.4, NaN]).high, 0.4);
});

test("names of files: what shells and file systems may not like becomes _", () => {
  assert.equal(page.fileName("</script> x"), "_script_x");
  assert.equal(page.fileName("lock_piece-1.2"), "lock_piece-1.2");
  assert.equal(page.fileName("\u00e9"), "_");
});

test("designs: values and gains as people read them, and what a design sets", () => {
  const of = (word) => ({ word, probability: 0.95, unit: "rad" });
  assert.equal(page.designValue(of("success"), 0.931), "93.1 %");
  assert.equal(page.designValue(of("pose-spread"), 0.01234), "0.0123 rad");
  assert.equal(page.designValue(of("pose-spread"), null), "success below 95.0 %");
  assert.equal(page.designValue(of("tolerated-error"), 2.1), "2.1 times the robot's error");
  assert.equal(page.designGain(of("success"), { value: 0.123, interval: [0.11, 0.136] }),
    "+12.3 percentage points (11.0 to 13.6)");
  assert.equal(page.designGain(of("pose-spread"), { value: -0.001, interval: [-0.002, 0] }), "-0.001 rad (-0.002 to 0)");
  assert.equal(page.designGain(of("pose-spread"), { value: 1e6, interval: [1e6, 1e6] }),
    "one of them does not reach the probability");
  assert.deepEqual(page.designValues(["gripper.finger.width_mm=", "gripper.closing_force_n=20", 'a.file="x=1.dxf"']),
    [["gripper.closing_force_n", "20"], ["a.file", "x=1.dxf"]]);
});
