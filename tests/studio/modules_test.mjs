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
  assert.deepEqual(page.converted(uniform, "normal", 0), { ...normal, min: 0 }); // friction needs a min
});

test("laws: the ends of a range stay in order", () => {
  const law = { distribution: "uniform", min: 0.25, max: 0.5 };
  assert.deepEqual(page.inOrder(law, "max", 0, 0.125, 0), { ...law, min: 0, max: 0 });
  assert.deepEqual(page.inOrder(law, "max", 0, 0.125, -Infinity), { ...law, min: -0.125, max: 0 });
  assert.deepEqual(page.inOrder(law, "min", 1, 0.125, 0), { ...law, min: 1, max: 1.125 });
});
