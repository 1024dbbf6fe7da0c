// node modules_test.mjs MODULES: the modules of the page by themselves. MODULES is tests/report/modules.ts, bundled.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const page = await import(pathToFileURL(path.resolve(process.argv[2])));

const close = (a, b, relative = 1e-13) =>
  assert.ok(Math.abs(a - b) <= relative * Math.max(Math.abs(a), Math.abs(b)), `${a} is not ${b}`);

test("erf and erfc: values of Abramowitz and Stegun, table 7.1, and of the far tail", () => {
  close(page.erf(0.5), 0.5204998778130465);
  close(page.erf(1.5), 0.9661051464753108);
  close(page.erf(-1), -0.8427007929497149);
  close(page.erfc(2), 0.004677734981047266);
  close(page.erfc(5), 1.5374597944280349e-12);
  close(page.erfc(10), 2.0884875837625446e-45);
  assert.equal(page.erf(0), 0);
  close(page.erf(1.9999999999), page.erf(2.0000000001), 1e-10);
});

test("the normal quantile is the inverse of the distribution function", () => {
  for (const p of [1e-300, 1e-15, 1e-4, 0.02425, 0.3, 0.4999]) {
    close(page.lowerTail(page.normalQuantile(p)), p, 1e-12);
    if (p > 1e-10) close(page.normalQuantile(1 - p), -page.normalQuantile(1 - (1 - p)), 1e-12);
  }
  assert.equal(page.normalQuantile(0.5), 0);
  close(page.normalQuantile(0.975), 1.959963984540054);
});

test("laws: quantiles stay within bounds, densities integrate to what is no atom", () => {
  const laws = [
    { kind: "uniform", mean: 0, sigma: 0, min: 0.05, max: 0.35 },
    { kind: "normal", mean: 0.2, sigma: 0.05, min: 0.12, max: 0.25 },
    { kind: "truncated_normal", mean: 0.2, sigma: 0.05, min: 0.12, max: 0.25 },
  ];
  for (const law of laws) {
    const width = law.max - law.min;
    let mass = page.atom(law, law.min) + page.atom(law, law.max);
    const cells = 20000;
    for (let k = 0; k < cells; ++k) {
      mass += (page.density(law, law.min + ((k + 0.5) / cells) * width) * width) / cells;
    }
    close(mass, 1, 1e-8);
    for (const u of [1e-9, 0.2, 0.5, 0.8, 1 - 1e-9]) {
      const x = page.quantile(law, u);
      assert.ok(x >= law.min && x <= law.max);
    }
  }
  assert.equal(page.atom(laws[1], 0.2), 0);
  close(page.probabilityRatio(laws[0], { ...laws[0], max: 0.2 }, 0.1), 2);
  assert.equal(page.probabilityRatio(laws[0], { ...laws[0], max: 0.2 }, 0.3), 0);
});

test("Philox 4x32-10: the known answers of Random123", () => {
  assert.deepEqual(page.philox([0, 0, 0, 0], [0, 0]), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
  assert.deepEqual(page.keyOfSeed("18446744073709551615"), [0xffffffff, 0xffffffff]);
  const u = page.uniformOpen([1, 0], 12345678901, 7);
  assert.ok(u > 0 && u < 1);
});

test("scrambled Sobol points: those of even_points_test.cpp", () => {
  const directions = [0x80000000, 0xc0000000, 0x60000000];
  assert.equal(page.sobolCoordinate([11, 0], 5, 6, 2, directions), 0.5356581136248463);
  const plain = Array.from({ length: 32 }, (_, k) => 2 ** (31 - k));
  assert.equal(page.sobolCoordinate([11, 0], 5, 6, 0, plain), 0.5597512831160284);
  const u = Array.from({ length: 8 }, (_, n) => page.sobolCoordinate([3, 0], 4000000000, n, 0, plain));
  assert.deepEqual(u.map((x) => Math.floor(8 * x)).sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
});

test("CSV, ticks and numbers for people", () => {
  assert.deepEqual(page.parseCsv("a,b\n1,2\n3,4\n"), [{ a: "1", b: "2" }, { a: "3", b: "4" }]);
  assert.deepEqual(page.ticks(-10, 10, 5), [-10, -5, 0, 5, 10]);
  assert.deepEqual(page.ticks(0, 1, 5), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(page.ticks(3, 3, 5), []);
  assert.equal(page.short(-0.0001), "0");
  assert.equal(page.short(2.5), "2.5");
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
