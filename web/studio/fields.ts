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
  when?: string; // a key that must be there
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

export const FINGER_FIELDS: NumberField[] = [
  {
    key: "gripper.finger.pad_width_mm",
    label: t.padWidth,
    unit: "mm",
    min: 1,
    max: 60,
    step: 0.5,
    when: "gripper.finger.pad_width_mm",
  },
  {
    key: "gripper.finger.pad_depth_mm",
    label: t.padDepth,
    unit: "mm",
    min: 1,
    max: 40,
    step: 0.5,
    when: "gripper.finger.pad_depth_mm",
  },
  {
    key: "gripper.finger.tip_radius_mm",
    label: t.tipRadius,
    unit: "mm",
    min: 0,
    max: 10,
    step: 0.1,
    when: "gripper.finger.tip_radius_mm",
  },
  {
    key: "gripper.finger.tip_chamfer_mm",
    label: t.tipChamfer,
    unit: "mm",
    min: 0,
    max: 10,
    step: 0.1,
    when: "gripper.finger.tip_chamfer_mm",
  },
  {
    key: "gripper.finger.groove_angle_rad",
    label: t.grooveAngle,
    unit: "\u00b0",
    min: 20,
    max: 160,
    step: 1,
    scale: DEGREES,
    when: "gripper.finger.groove_angle_rad",
  },
  {
    key: "gripper.finger.groove_radius_mm",
    label: t.grooveRadius,
    unit: "mm",
    min: 1,
    max: 60,
    step: 0.5,
    when: "gripper.finger.groove_radius_mm",
  },
  {
    key: "gripper.finger.groove_depth_mm",
    label: t.grooveDepth,
    unit: "mm",
    min: 0.5,
    max: 20,
    step: 0.25,
    when: "gripper.finger.groove_depth_mm",
  },
  {
    key: "gripper.finger.groove_position_mm",
    label: t.groovePosition,
    unit: "mm",
    min: -40,
    max: 20,
    step: 0.25,
    when: "gripper.finger.groove_position_mm",
  },
  {
    key: "gripper.finger.step_depth_mm",
    label: t.stepDepth,
    unit: "mm",
    min: 0,
    max: 10,
    step: 0.1,
    when: "gripper.finger.step_depth_mm",
  },
  {
    key: "gripper.finger.step_height_mm",
    label: t.stepHeight,
    unit: "mm",
    min: 1,
    max: 30,
    step: 0.5,
    when: "gripper.finger.step_height_mm",
  },
];

export const FRICTION_FIELDS: LawField[] = [
  { key: "friction.jaw", label: t.jawFriction, unit: "", max: 1, step: 0.01 },
  { key: "friction.support", label: t.supportFriction, unit: "", max: 1, step: 0.01 },
];

export const PART_FIELDS: NumberField[] = [
  {
    key: "placement.theta_rad",
    label: t.partAngle,
    unit: "\u00b0",
    min: -180,
    max: 180,
    step: 1,
    scale: DEGREES,
    when: "placement.theta_rad",
  },
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
