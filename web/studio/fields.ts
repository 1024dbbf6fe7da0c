// The numbers that have sliders: keys, units, and how far a slider goes. Explanations come from the schema.

import { texts } from "./texts";

export interface NumberField {
  key: string;
  label: string;
  unit: string;
  min: number; // of the slider; a number that is typed may be beyond
  max: number;
  step: number;
  scale?: number; // what is shown is so many times what the key has
}

export interface LawField {
  key: string;
  label: string;
  unit: string;
  max: number;
  step: number;
  scale?: number;
}

const DEGREES = 180 / Math.PI;
const t = texts.fields;

export const GRIPPER_FIELDS: NumberField[] = [
  { key: "gripper.closing_force_n", label: t.force, unit: "N", min: 1, max: 150, step: 1 },
  { key: "gripper.closing_speed_mm_s", label: t.speed, unit: "mm/s", min: 1, max: 250, step: 1 },
  { key: "gripper.opening_mm", label: t.opening, unit: "mm", min: 3, max: 120, step: 0.5 },
];

/** Keys of [gripper.finger], and how far their sliders go: from, to, by. */
const FINGER_SLIDERS: [string, number, number, number][] = [
  ["pad_width_mm", 1, 60, 0.5],
  ["pad_depth_mm", 1, 40, 0.5],
  ["tip_radius_mm", 0, 10, 0.1],
  ["tip_chamfer_mm", 0, 10, 0.1],
  ["groove_angle_rad", 20, 160, 1],
  ["groove_radius_mm", 1, 60, 0.5],
  ["groove_depth_mm", 0.5, 20, 0.25],
  ["groove_position_mm", -40, 20, 0.25],
  ["step_depth_mm", 0, 10, 0.1],
  ["step_height_mm", 1, 30, 0.5],
];

export const FINGER_FIELDS: NumberField[] = FINGER_SLIDERS.map(([name, min, max, step]) => ({
  key: `gripper.finger.${name}`,
  label: name.replace(/_(mm|rad)$/, "").replace(/_/g, " "), // as the answers call it: "groove angle"
  ...(name.endsWith("_rad") ? { unit: "\u00b0", scale: DEGREES } : { unit: "mm" }),
  min,
  max,
  step,
}));

export const FRICTION_FIELDS: LawField[] = [
  { key: "friction.jaw", label: t.jawFriction, unit: "", max: 1, step: 0.01 },
  { key: "friction.support", label: t.supportFriction, unit: "", max: 1, step: 0.01 },
];

export const PART_FIELDS: NumberField[] = [
  { key: "placement.theta_rad", label: t.partAngle, unit: "\u00b0", min: -180, max: 180, step: 1, scale: DEGREES },
];

export const NOISE_FIELDS: LawField[] = [
  { key: "placement.noise.theta_rad", label: t.angleNoise, unit: "\u00b0", max: 20, step: 0.1, scale: DEGREES },
];

export const MAP_FIELDS: NumberField[] = [
  { key: "sweep.trials_per_cell", label: t.trials, unit: "", min: 2, max: 400, step: 2 },
  { key: "placement.x_min_mm", label: t.xMin, unit: "mm", min: -100, max: 100, step: 0.5 },
  { key: "placement.x_max_mm", label: t.xMax, unit: "mm", min: -100, max: 100, step: 0.5 },
  { key: "placement.x_cells", label: t.xCells, unit: "", min: 1, max: 60, step: 1 },
  { key: "placement.y_min_mm", label: t.yMin, unit: "mm", min: -100, max: 100, step: 0.5 },
  { key: "placement.y_max_mm", label: t.yMax, unit: "mm", min: -100, max: 100, step: 0.5 },
  { key: "placement.y_cells", label: t.yCells, unit: "", min: 1, max: 60, step: 1 },
];

/** What the schema says of a key, as a sentence: "mm; between the finger frames at the start". */
export function explanation(schema: Record<string, any>, key: string): string {
  let at: any = schema;
  for (const name of key.split(".")) at = /^\d+$/.test(name) ? at?.items : at?.properties?.[name];
  const text: string = at?.description ?? "";
  return text.replace(/\s*(Required|Default: [^.]*)\.$/, "").replace(/\.$/, "");
}
