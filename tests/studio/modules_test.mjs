// node modules_test.mjs MODULES: the modules of the studio by themselves. MODULES is tests/studio/modules.ts, bundled.
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const page = await import(pathToFileURL(path.resolve(process.argv[2])));

test("laws: another one is as wide, and what may not be negative is not", () => {
  const normal = { distribution: "normal", mean: 0.1, sigma: 0.1 };
  const uniform = { distribution: "uniform", min: -0.07321, max: 0.2732 };
  assert.deepEqual(page.converted(normal, "uniform", -Infinity), uniform);
  assert.deepEqual(page.converted(normal, "uniform", 0), { ...uniform, min: 0 });
  assert.deepEqual(page.converted({ distribution: "fixed", value: 0 }, "uniform", 0),
    { distribution: "uniform", min: 0, max: 0.01732 });
  assert.deepEqual(page.converted(uniform, "normal", -Infinity), normal);
  const discrete = { distribution: "discrete", values: [uniform.max, uniform.min], weights: [1, 1] };
  assert.deepEqual(page.converted(discrete, "uniform", -Infinity), uniform);
  assert.deepEqual(page.converted(uniform, "normal", 0), { ...normal, min: 0 }); // friction needs a min
});

test("laws: the ends of a range stay in order", () => {
  const law = { distribution: "uniform", min: 0.25, max: 0.5 };
  assert.deepEqual(page.inOrder(law, "max", 0, 0.125, 0), { ...law, min: 0, max: 0 });
  assert.deepEqual(page.inOrder(law, "max", 0, 0.125, -Infinity), { ...law, min: -0.125, max: 0 });
  assert.deepEqual(page.inOrder(law, "min", 1, 0.125, 0), { ...law, min: 1, max: 1.125 });
});

const TOML = `
name = "a" # a "comment" [
[part] # the part's
  outline_mm = [
  [1, 2], # ] "
  [3, 4]
]
names = ["[x]", '#']
thickness_mm = 3
material = 'steel "A"' # 'soft'
[[ success ]]
left = ["a"]
[gripper.finger]
tip_radius_mm = 2`;

test("TOML: the text of a key", () => {
  assert.equal(page.writtenText(TOML, "", "name"), "a");
  assert.equal(page.writtenText(TOML, "part", "thickness_mm"), "3");
  assert.equal(page.writtenText(TOML, "part", "material"), 'steel "A"');
  assert.equal(page.writtenText(TOML, "gripper.finger", "tip_radius_mm"), "2");
  assert.equal(page.writtenText(TOML, "gripper.finger", "left"), null);
  assert.equal(page.writtenText('name = "a \\"b\\"" # "c"', "", "name"), 'a \\"b\\"');
});

test("TOML: a key is written as a line or as a table", () => {
  const written = ["name", "part", "part.names", "part.thickness_mm", "success", "gripper", "gripper.finger"];
  for (const key of written) assert.ok(page.isWritten(TOML, key), key);
  const others = ["left", "par", "part.left", "gripper.finger.width_mm", "3, 4"];
  for (const key of others) assert.ok(!page.isWritten(TOML, key), key);
  const inline = 'placement.noise.x_mm = 0.5\nfriction = { jaw = { min = 0.2, max = 0.3 }, support = 0.2 }\n[stop]\n';
  for (const key of ["placement", "placement.noise", "placement.noise.x_mm", "friction.jaw", "friction.jaw.max",
    "friction.support", "stop"]) assert.ok(page.isWritten(inline, key), key);
  for (const key of ["friction.min", "friction.jaw.support", "placement.x_mm", "support"]) {
    assert.ok(!page.isWritten(inline, key), key);
  }
});
