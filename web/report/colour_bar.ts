// The bar that shows what colours stand for.

import { colour, type Scale } from "./colours";
import { s } from "./dom";
import { ticks } from "./axis_ticks";
import { short } from "./format";

const text = (scale: Scale, value: number): string => {
  if (scale.unit === "percent") return `${short(100 * value, 0)} %`;
  if (scale.unit === "points") return `${value > 0 ? "+" : ""}${short(100 * value, 1)}`;
  return short(value, 0);
};

export function colourBar(scale: Scale, title: string, width: number): SVGSVGElement {
  const bar = Math.min(width - 48, 380);
  const svg = s("svg", {
    class: "bar",
    width: bar + 48,
    height: 48,
    role: "img",
    "aria-label": `Colours: ${title}, from ${text(scale, scale.low)} to ${text(scale, scale.high)}`,
  });
  const steps = 64;
  for (let k = 0; k < steps; ++k) {
    const value = scale.low + ((k + 0.5) / steps) * (scale.high - scale.low);
    svg.append(
      s("rect", {
        x: 12 + (k * bar) / steps,
        y: 16,
        width: bar / steps + 0.5,
        height: 12,
        fill: colour(scale, value),
      }),
    );
  }
  for (const value of ticks(scale.low, scale.high, bar / 70)) {
    const x = 12 + (bar * (value - scale.low)) / (scale.high - scale.low);
    svg.append(
      s("line", { class: "tick", x1: x, x2: x, y1: 28, y2: 32 }),
      s("text", { x, y: 44, "text-anchor": "middle" }, text(scale, value)),
    );
  }
  svg.append(s("text", { x: 12, y: 11 }, title));
  return svg;
}
