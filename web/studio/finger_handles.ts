// Handles on the right finger of a picture: its pad, tip and groove, and how far it is open, by dragging.

import { s } from "../report/dom";
import type { Change } from "./field_controls";
import type { Point } from "./elements";
import { tomlText, valueAt } from "./toml";

interface Handle {
  at: Point; // in the finger's frame, mm
  moves: { key: string; axis: 0 | 1; factor: number; least: number }[];
  name: string;
}

const STEP = 0.1; // mm

function handlesOf(document: Record<string, any>): Handle[] {
  const number = (key: string): number | undefined => {
    const value = valueAt(document, key);
    return typeof value === "number" ? value : undefined;
  };
  const f = (name: string) => `gripper.finger.${name}`;
  const width = number(f("pad_width_mm"));
  const depth = number(f("pad_depth_mm"));
  const top = width === undefined ? 0 : width / 2;
  const handles: Handle[] = [
    {
      at: [0, top - (width ?? 8) / 4],
      name: "opening",
      moves: [{ key: "gripper.opening_mm", axis: 0, factor: 2, least: 2.5 }],
    },
  ];
  if (width !== undefined && depth !== undefined) {
    handles.push({
      at: [depth, width / 2],
      name: "pad",
      moves: [
        { key: f("pad_depth_mm"), axis: 0, factor: 1, least: 0.5 },
        { key: f("pad_width_mm"), axis: 1, factor: 2, least: 0.5 },
      ],
    });
  }
  const radius = number(f("tip_radius_mm"));
  if (radius !== undefined)
    handles.push({
      at: [radius, top],
      name: "tip",
      moves: [{ key: f("tip_radius_mm"), axis: 0, factor: 1, least: 0 }],
    });
  const groove = number(f("groove_depth_mm"));
  if (groove !== undefined) {
    handles.push({
      at: [groove, number(f("groove_position_mm")) ?? 0],
      name: "groove",
      moves: [
        { key: f("groove_depth_mm"), axis: 0, factor: 1, least: 0.2 },
        { key: f("groove_position_mm"), axis: 1, factor: 1, least: -1000 },
      ],
    });
  }
  return handles;
}

/** The handles as SVG; `place`: from the finger's frame to px, `px`: of a millimetre. */
export function fingerHandles(
  document: Record<string, any>,
  place: (at: Point) => Point,
  px: number,
  change: Change,
  ended: () => void,
): SVGElement[] {
  return handlesOf(document).map(({ at, moves, name }) => {
    const [cx, cy] = place(at);
    const circle = s("circle", { class: "handle", cx, cy, r: 5, "data-handle": name, "aria-hidden": "true" });
    circle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const from: Point = [event.clientX, event.clientY];
      const values = moves.map(({ key }) => Number(valueAt(document, key) ?? 0));
      // The picture is redrawn meanwhile: the window has the pointer.
      const move = (now: PointerEvent): void => {
        const by: Point = [(now.clientX - from[0]) / px, (from[1] - now.clientY) / px];
        moves.forEach(({ key, axis, factor, least }, k) => {
          const value = Math.max(least, Math.round((values[k] + factor * by[axis]) / STEP) * STEP);
          change(key, tomlText(Number(value.toFixed(2))), `handle ${name}`);
        });
      };
      const up = (): void => {
        window.removeEventListener("pointermove", move);
        window.removeEventListener("pointerup", up);
        window.removeEventListener("pointercancel", up);
        ended();
      };
      window.addEventListener("pointermove", move);
      window.addEventListener("pointerup", up);
      window.addEventListener("pointercancel", up);
    });
    return circle;
  });
}
