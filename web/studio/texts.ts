// All words of the page, for a translation. Answers, explanations of keys, names of a finger's numbers and errors are
// the engine's own.

import type { Difference } from "../package/src/engine";

const points = (x: number): string => `${x >= 0 ? "+" : "\u2212"}${Math.abs(100 * x).toFixed(1)}`;

const fingers = (left: boolean, right: boolean): string =>
  left && right ? "left and the right" : left ? "left" : "right";

export const texts = {
  name: "graspmap studio",
  loading: "Starting the simulator ...",
  noWasm: "This browser has no WebAssembly, which the simulator needs. Any browser of 2023 or later has it.",
  noWorkers: "This browser does not let a page start workers, which the simulator needs.",
  noStart: (why: string) => `The simulator does not start here: ${why}`,
  restored: "Your last design was kept in this browser, and is here again.",
  notKept: "This design is too large for the browser to keep. Export it before you close the page.",
  skip: "Skip to the map",
  law: (label: string) => `${label}: kind of distribution`,
  laws: { fixed: "one value", uniform: "evenly between", normal: "normal", other: "another (see TOML)" } as Record<
    string,
    string
  >,
  lawParts: { value: "value", min: "from", max: "to", mean: "mean", sigma: "standard deviation" } as Record<
    string,
    string
  >,
  bar: {
    open: "New",
    back: "Back to the design",
    undo: "Undo",
    redo: "Redo",
    pin: "Pin",
    unpin: "Unpin",
    export: "Export",
    toml: "TOML",
    keys: "All keys",
    openHint: "Another drawing or configuration",
    undoHint: "Undo (Ctrl+Z)",
    redoHint: "Redo (Ctrl+Y)",
    pinHint: "Keep this map, and show how later designs differ",
    tomlHint: "The configuration as text",
    keysHint: "Every key of a configuration",
    exports: {
      toml: "Configuration (TOML)",
      csv: "Map (CSV)",
      png: "Map (PNG)",
      plan: "Plan (text)",
      pose: "Pose in hand (text)",
      finger: "Right finger (DXF)",
      report: "Summary (text)",
    } as Record<string, string>,
    pinnedAs: (name: string) => `the pinned design of ${name}`,
  },
  start: {
    title: "Will the gripper hold this part?",
    lead:
      "Drop the drawing of a flat part. graspmap simulates thousands of grasps in this browser and shows " +
      "from where they succeed.",
    drop: "Drop a drawing here, or click to choose one",
    dropHint: "DXF or SVG drawing, or a TOML configuration of graspmap",
    shapes: "Or begin with a shape",
    shapeNames: { disc: "disc", ring: "ring", rectangle: "rectangle", hexagon: "hexagon", slot: "slot" } as Record<
      string,
      string
    >,
    offline: "Everything is computed here. No file leaves this computer.",
    several: "Which outline is the part?",
    whichLayers: "Which layers have the outline?",
    readLayers: "Read these layers",
    outline: (n: number, words: string) => `Outline ${n}: ${words}`,
    onePart: "All together are one part",
    dropAnywhere: "Drop it: DXF, SVG or TOML",
  },
  setup: {
    part: "Part",
    gripper: "Gripper",
    finger: "Fingers",
    friction: "Friction",
    robot: "Robot",
    map: "Map and trials",
    success: "Success",
    program: "Program",
    material: "material",
    model: "model",
    shape: "shape",
    asGiven: "as in the configuration",
    ownNumbers: "own numbers",
    shapes: {
      pad: "flat pad",
      rounded: "pad with round corners",
      v: "pad with V-groove",
      round: "pad with round groove",
    } as Record<string, string>,
    coupling: "jaws",
    support: "contact with the table",
    couplings: {
      symmetric: "close together",
      independent: "each by itself",
      "left-fixed": "only the right one moves",
      "right-fixed": "only the left one moves",
    } as Record<string, string>,
    supports: { ellipsoid: "pressed evenly", tripod: "on three points" } as Record<string, string>,
    ownFingers: "own fingers",
    fromDrawing: "from a drawing ...",
    turn: "turn the drawing",
    turnLeft: "90\u00b0 left",
    turnRight: "90\u00b0 right",
    lawHelp: "in each grasp another value of this distribution",
    robotHelp:
      "How far the robot misses the intended place, as a standard deviation in x and in y. It changes no trial, " +
      "only the answer.",
    partFacts: (grams: string, x: string, y: string) =>
      `${grams} g, centre of mass at (${x}, ${y}) mm. Click named edges to say which ones the fingers must touch.`,
  },
  fields: {
    force: "closing force",
    speed: "closing speed",
    opening: "opening",
    jawFriction: "friction at the jaws",
    supportFriction: "friction on the table",
    partAngle: "angle of the part",
    angleNoise: "scatter of the angle",
    robotSigma: "robot error",
    trials: "trials per cell",
    xMin: "x from",
    xMax: "x to",
    xCells: "cells along x",
    yMin: "y from",
    yMax: "y to",
    yCells: "cells along y",
  },
  part: {
    picture: "The part and the open fingers. Named edges can be clicked.",
    element: (name: string, left: boolean, right: boolean) =>
      left || right ? `${name}: must be touched by the ${fingers(left, right)} finger` : name,
  },
  success: {
    x: "part x",
    y: "part y",
    angle: "part angle",
    window: "Where the part lies in the hand",
    rules: "Rules: a grasp that keeps one of them is a success",
    rule: (n: number) => `rule ${n}`,
    noNames: "No element of this part has a name.",
    touchCaption: "Must be touched by the finger on the",
    element: "element",
    left: "left",
    right: "right",
    touch: (side: string, name: string) => `the ${side} finger must touch ${name}`,
    end: (label: string, end: number) => `${label}, ${end === 0 ? "from" : "to"}`,
    to: "to",
    atRest: "part and jaws at rest",
  },
  program: {
    hint: "What the gripper does, one phase after the other. Drag phases to reorder them.",
    add: "Add a phase ...",
    kinds: { close: "close", open: "open", move: "move", turn: "turn", wait: "wait" } as Record<string, string>,
    earlier: "Earlier",
    later: "Later",
    remove: "Remove",
    speed: "speed",
    by: "by",
    time: "for",
  },
  map: {
    title: "Map",
    layers: "What the map shows",
    success: "Success",
    difference: "Difference",
    reasons: "Why not",
    views: "How far the map shows",
    viewCells: "Map",
    viewPart: "Map and part",
    keys: "Map of placements. Arrow keys move to a cell, Enter shows its trials.",
    slice: "angle of the part",
    successBar: "probability of success",
    differenceBar: "success, present minus pinned, points",
    reasonsBar: "main reason of failure",
    reasonsOf: "of the grasps that fail here",
    label: (name: string) => `${name} over the placement`,
    pointAtCell:
      "Point at the map, or move with the arrow keys. Dot and dashed frame: the best placement, and those as good.",
    statement: (found: Difference | string, label: string) =>
      typeof found === "string"
        ? `This map has other cells than that of ${label}: pin again to compare.`
        : `Against ${label} this one succeeds ${points(found.mean)} percentage points on average over ` +
          `${found.cells} cells (95 % interval ${points(found.interval[0])} to ` +
          `${points(found.interval[1])}); beyond chance ${found.better} cells are better, ${found.worse} worse.`,
  },
  grasp: {
    title: "One grasp",
    hint: "Point at the map to see a grasp there; click to play it.",
    story: "What happened, step by step",
    at: (place: string) => `Grasp at ${place}, mean friction`,
    trial: (k: number, n: number) => `Trial ${k} of ${n} of this cell`,
    trialsOfCell: (n: number) => `trials of this cell (${n}):`,
  },
  answer: {
    title: "Answer",
    progress: "Trials simulated",
    decisions: "Plan and pose",
    inHand: "In the hand",
    plan: "Plan under the robot's error",
    pose: "Pose in the hand, in full",
    later: "Comes when the map is complete.",
    noRobot: "Set the robot's error, on the left, for a plan under it.",
    counts: (done: string, all: string, error: string, isDone: boolean) =>
      `${done}${isDone ? "" : ` of ${all}`} simulated grasps; mixed cells are known to ${error} points ` +
      "(standard error)",
  },
  editor: {
    title: "Configuration (TOML)",
    apply: "Apply",
    revert: "Revert",
    applyHint: "Ctrl+Enter",
    hint:
      "As `graspmap run` reads it. Apply with Ctrl+Enter; what is wrong is listed by line, and the map " +
      "stays as it was.",
    line: (n: number) => `line ${n}`,
    keys: "All keys",
    keysHint: "Values are TOML; an empty value takes a key away.",
    search: "Find a key or a word",
    notSet: "not set",
    found: (n: number, shown: number) => (n > shown ? `${shown} of ${n} keys; type more to find others.` : `${n} keys`),
  },
  design: {
    title: "Improve the design",
    hint: "Tick the numbers that may change. The search looks for the design that grasps best at its best placement.",
    may: "may change",
    from: "from",
    to: "to",
    effort: "Effort",
    efforts: { quick: "quick", usual: "usual", thorough: "thorough" } as Record<string, string>,
    improve: "Improve",
    stop: "Stop",
    stopped: "Stopped.",
    tickOne: "Tick at least one number.",
    begins: "The search begins ...",
    found: (words: string) => `Best: ${words}.`,
    use: "Use this design",
  },
  problem: {
    title: "This does not work",
    undo: "Undo the change",
    close: "Close",
    dropFile: "Drop the file that is missing on this page.",
    kept: "Your design is as it was.",
  },
};
