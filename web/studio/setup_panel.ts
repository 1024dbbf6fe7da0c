// The left side: the part, the gripper, friction, the robot, the map. Each field has its sentence from the schema.

import { h } from "../report/dom";
import { short } from "../report/format";
import { type Change, type FieldControl, lawField, numberField } from "./field_controls";
import {
  explanation,
  FINGER_FIELDS,
  FRICTION_FIELDS,
  GRIPPER_FIELDS,
  type LawField,
  MAP_FIELDS,
  NOISE_FIELDS,
  type NumberField,
  PART_FIELDS,
} from "./fields";
import { askForFiles } from "./start_page";
import { texts } from "./texts";
import { tomlText, valueAt } from "./toml";

export interface SetupInput {
  schema: Record<string, any>;
  grippers: Record<string, any>[];
  change: Change;
  changes: (pairs: [string, string][]) => void; // in one step
  ended: () => void; // a drag
  turn: (degrees: number) => void; // the drawing
  fingerFile: (file: File) => void; // a drawing as fingers
}

const t = texts.setup;

/** Shapes of a finger from above. Lengths are millimetres. */
const SHAPES: Record<string, string> = {
  pad: "{ pad_width_mm = 10, pad_depth_mm = 5 }",
  rounded: "{ pad_width_mm = 10, pad_depth_mm = 5, tip_radius_mm = 1 }",
  v: "{ pad_width_mm = 20, pad_depth_mm = 10, groove_angle_deg = 120, groove_depth_mm = 3, groove_position_mm = 0 }",
  round: "{ pad_width_mm = 20, pad_depth_mm = 10, groove_radius_mm = 12, groove_depth_mm = 2, groove_position_mm = 0 }",
};

export class SetupPanel {
  readonly element = h("div", { class: "setup" });
  private readonly controls: { key: string; control: FieldControl; hides?: boolean }[] = [];
  private readonly partPlace = h("div", {});
  private readonly successPlace = h("div", {});
  private readonly programPlace = h("div", {});
  private readonly facts = h("p", { class: "hint" });
  private readonly material: HTMLSelectElement;
  private readonly model: HTMLSelectElement;
  private readonly shape: HTMLSelectElement;
  private readonly coupling: HTMLSelectElement;
  private readonly support: HTMLSelectElement;
  private readonly turnRow: HTMLElement;
  private gripper: Record<string, any> = {}; // as it was read

  constructor(private readonly input: SetupInput) {
    const { schema, grippers, change, changes } = input;
    this.material = this.select(
      "material",
      t.material,
      [["", t.asGiven], ...materialsOf(schema).map((name): [string, string] => [name, name])],
      (id) =>
        id &&
        changes([
          ["part.material", tomlText(id)],
          ["part.density_kg_mm3", ""],
        ]),
    );
    this.model = this.select(
      "gripper.model",
      t.model,
      [["", t.ownNumbers], ...grippers.map((one): [string, string] => [one.model, one.product])],
      (id) => changes(id === "" ? ownChanges(this.gripper) : modelChanges(id)),
    );
    this.shape = this.select(
      "gripper.finger",
      t.shape,
      [["", t.asGiven], ...Object.keys(SHAPES).map((id): [string, string] => [id, t.shapes[id]])],
      (id) => id && change("gripper.finger", SHAPES[id]),
    );
    this.coupling = this.select("gripper.coupling", t.coupling, Object.entries(t.couplings), (id) =>
      change("gripper.coupling", tomlText(id)),
    );
    this.support = this.select(
      "support",
      t.support,
      [...Object.entries(t.supports), ["", t.asGiven]],
      (id) => id && change("support", tomlText({ model: id })),
    );
    this.turnRow = this.turns();
    this.element.append(
      this.group(
        "part",
        t.part,
        true,
        this.partPlace,
        this.facts,
        this.turnRow,
        this.material.parentElement!,
        ...this.numbers(PART_FIELDS, true),
        ...this.laws(NOISE_FIELDS),
      ),
      this.group("success", t.success, false, this.successPlace),
      this.group(
        "gripper",
        t.gripper,
        true,
        this.model.parentElement!,
        ...this.numbers(GRIPPER_FIELDS),
        this.coupling.parentElement!,
      ),
      this.group(
        "finger",
        t.finger,
        false,
        this.shape.parentElement!,
        this.fingerFile(),
        ...this.numbers(FINGER_FIELDS, true),
      ),
      this.group("friction", t.friction, true, ...this.laws(FRICTION_FIELDS), this.support.parentElement!),
      this.group("robot", t.robot, true, ...this.robot()),
      this.group("program", t.program, false, this.programPlace),
      this.group("map", t.map, false, ...this.numbers(MAP_FIELDS)),
    );
  }

  /** Puts the picture, the success and the program into their groups. */
  put(picture: HTMLElement, success: HTMLElement, program: HTMLElement): void {
    this.partPlace.replaceChildren(picture);
    this.successPlace.replaceChildren(success);
    this.programPlace.replaceChildren(program);
  }

  private group(id: string, title: string, isOpen: boolean, ...children: Node[]): HTMLElement {
    return h(
      "details",
      { class: "group", id: `group-${id}`, open: isOpen },
      h("summary", {}, title),
      h("div", { class: "group_body" }, ...children),
    );
  }

  private select(
    name: string,
    label: string,
    options: [string, string][],
    chosen: (id: string) => void,
  ): HTMLSelectElement {
    const select: HTMLSelectElement = h(
      "select",
      { "data-name": name, change: () => chosen(select.value) },
      ...options.map(([value, text]) => h("option", { value }, text)),
    );
    h("label", { class: "pick_row" }, h("span", {}, label), select);
    return select;
  }

  /** `hides`: numbers that the configuration does not have are hidden. */
  private numbers(fields: NumberField[], hides = false): HTMLElement[] {
    return fields.map((field) => {
      const control = numberField(
        field,
        explanation(this.input.schema, field.key),
        this.input.change,
        this.input.ended,
      );
      this.controls.push({ key: field.key, control, hides });
      return control.element;
    });
  }

  private laws(fields: LawField[]): HTMLElement[] {
    return fields.map((field) => {
      const control = lawField(
        field,
        explanation(this.input.schema, field.key) || t.lawHelp,
        this.input.change,
        this.input.ended,
      );
      this.controls.push({ key: field.key, control });
      return control.element;
    });
  }

  /** One number for x and y: the standard deviation. It takes the place of what was said of the robot before. */
  private robot(): HTMLElement[] {
    const key = "robot.position_sigma_mm";
    const field = { key, label: texts.fields.robotSigma, unit: "mm", min: 0, max: 5, step: 0.05 };
    const control = numberField(
      field,
      explanation(this.input.schema, key),
      (_, value, drag) => this.input.change("robot", `{ position_sigma_mm = ${value} }`, drag),
      this.input.ended,
    );
    const show = (value: any): void => control.show(Array.isArray(value) ? value[0] : (value ?? 0));
    this.controls.push({ key, control: { element: control.element, show } });
    return [control.element, h("p", { class: "hint" }, t.robotHelp)];
  }

  private fingerFile(): HTMLElement {
    return h(
      "div",
      { class: "pick_row" },
      h("span", {}, t.ownFingers),
      h(
        "button",
        { type: "button", click: () => askForFiles(([file]) => file && this.input.fingerFile(file)) },
        t.fromDrawing,
      ),
    );
  }

  private turns(): HTMLElement {
    const turn = (degrees: number, name: string) =>
      h("button", { type: "button", click: () => this.input.turn(degrees) }, name);
    return h(
      "div",
      { class: "pick_row turns" },
      h("span", {}, t.turn),
      h(
        "span",
        { class: "choice" },
        turn(90, t.turnLeft),
        turn(-90, t.turnRight),
        turn(15, "+15\u00b0"),
        turn(-15, "\u221215\u00b0"),
      ),
    );
  }

  /** Shows a configuration that was read. */
  show(
    document: Record<string, any>,
    hasDrawing: boolean,
    written: { material: string | null; model: string | null },
  ): void {
    for (const { key, control, hides } of this.controls) {
      const value = valueAt(document, key);
      control.element.hidden = hides === true && value === undefined;
      control.show(value);
    }
    this.gripper = document.gripper;
    this.turnRow.hidden = !hasDrawing;
    this.material.value = written.material ?? "";
    this.model.value = written.model ?? "";
    this.shape.value = "";
    this.coupling.value = document.gripper.coupling ?? "symmetric";
    this.support.value = document.support.model in t.supports ? document.support.model : "";
    const { mass_kg, center_of_mass_mm: center } = document.part;
    this.facts.textContent = t.partFacts(short(1000 * mass_kg, 1), short(center[0], 2), short(center[1], 2));
  }
}

const materialsOf = (schema: Record<string, any>): string[] =>
  valueAt(schema, "properties.part.properties.material.enum") ?? [];

/** The model fills in what is not given. */
function modelChanges(id: string): [string, string][] {
  const filled = [
    "gripper.opening_mm",
    "gripper.closing_force_n",
    "gripper.closing_speed_mm_s",
    "gripper.jaw_mass_kg",
    "gripper.finger",
    "gripper.left_finger",
  ];
  return [...filled.map((key): [string, string] => [key, ""]), ["gripper.model", tomlText(id)]];
}

/** The numbers that the model has filled in stay, without its name. */
function ownChanges(gripper: Record<string, any>): [string, string][] {
  const kept = ["opening_mm", "closing_force_n", "closing_speed_mm_s", "finger"].filter(
    (key) => gripper[key] !== undefined,
  );
  return [["gripper.model", ""], ...kept.map((key): [string, string] => [`gripper.${key}`, tomlText(gripper[key])])];
}
