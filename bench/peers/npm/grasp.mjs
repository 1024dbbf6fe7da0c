// The grasp of a configuration, as all engines of this folder simulate it: exact shapes, the jaws' free travel, the end
// of a trial and its outcome. The same rules as stepped_engine.hpp.

const SAMPLES = 4096; // of an outline
const FLAT_TURN = 1e-6; // added to the normal's turn, which is zero along a flat

/** Points of a superellipse with normals, counter-clockwise, in its own axes. */
function outlineOf({ a, b, e }) {
  const points = [];
  for (let k = 0; k < SAMPLES; ++k) {
    const [c, s] = [Math.cos((2 * Math.PI * k) / SAMPLES), Math.sin((2 * Math.PI * k) / SAMPLES)];
    const r = (Math.abs(c / a) ** e + Math.abs(s / b) ** e) ** (-1 / e);
    const [nx, ny] = [Math.sign(c) * Math.abs((r * c) / a) ** (e - 1) / a, Math.sign(s) * Math.abs((r * s) / b) ** (e - 1) / b];
    const norm = Math.hypot(nx, ny);
    points.push({ x: r * c, y: r * s, nx: nx / norm, ny: ny / norm });
  }
  return points;
}

function placed({ x, y }, { center: [cx, cy], angle }) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [cx + c * x - s * y, cy + s * x + c * y];
}

function contains({ center: [cx, cy], angle, a, b, e }, [x, y]) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [u, v] = [c * (x - cx) + s * (y - cy), -s * (x - cx) + c * (y - cy)];
  return Math.abs(u / a) ** e + Math.abs(v / b) ** e < 1;
}

/** The grasp of a configuration that graspmap has resolved. Throws for what the engines here do not have. */
export function readGrasp(config) {
  const { part, gripper, support, stop, success } = config;
  const needs = (holds, what) => {
    if (!holds) throw new Error(`${config.name}: the peers need ${what}`);
  };
  needs(part.piece.every((piece) => piece.semi_axes_mm), "pieces that are superellipses");
  needs(support.model === "ellipsoid" && support.e_t === support.e_o, 'support.model = "ellipsoid" with e_t = e_o');
  needs(gripper.coupling === "symmetric" && !gripper.finger && !gripper.palm, "symmetric jaws that fill y <= 0");
  needs(part.center_of_mass_mm.every((mm) => mm === 0), "part.center_of_mass_mm = [0, 0]");
  needs(success.every((rule) => Object.keys(rule).every((key) => ["left", "right"].includes(key))), "success by touched pieces");
  const pieces = part.piece.map((piece) => {
    const [a, b] = piece.semi_axes_mm;
    const shape = { name: piece.name, center: piece.center_mm, angle: piece.angle_rad, a, b, e: piece.exponent };
    return { ...shape, isDisc: a === b && shape.e === 2, outline: outlineOf(shape) };
  });
  for (const piece of pieces) piece.points = piece.outline.map((point) => placed(point, piece));
  return {
    pieces,
    mass_kg: part.mass_kg,
    inertia_kg_mm2: part.inertia_kg_mm2,
    reach_mm: Math.max(...pieces.flatMap(({ points }) => points.map(([x, y]) => Math.hypot(x, y)))),
    jaw_kg: gripper.jaw_mass_kg,
    force_mn: 1000 * gripper.closing_force_n,
    speed_mm_s: gripper.closing_speed_mm_s,
    damping: (1000 * gripper.closing_force_n) / gripper.closing_speed_mm_s, // mN s/mm
    opening_mm: gripper.opening_mm,
    e_t: support.e_t,
    e_r_mm: support.e_r_mm,
    gravity_mm_s2: config.simulation.gravity_mm_s2,
    stop,
    success,
    placement: config.placement,
  };
}

/**
 * The convex polygon of `corners` corners that follows most closely what other pieces leave of a piece, in the piece's
 * axes, and its distance from it (make_outline of outline.hpp). No corners: others cover it.
 */
export function polygonOf(grasp, piece, corners) {
  const { outline, points } = piece;
  const covered = points.map((point) => grasp.pieces.some((other) => other !== piece && contains(other, point)));
  if (covered.every(Boolean)) return { corners: [], error_mm: 0 };
  const whole = !covered.some(Boolean);
  // The pieces here have one covered stretch at most.
  const first = whole ? 0 : covered.findIndex((is, k) => is && !covered[(k + 1) % SAMPLES]) + 1;
  const count = whole ? SAMPLES : covered.filter((is) => !is).length;
  const at = (k) => outline[(first + k) % SAMPLES];
  const integral = [0];
  for (let k = 0; k < count; ++k) {
    const [p, q] = [at(k), at(k + 1)];
    const turn = Math.abs(Math.asin(Math.max(-1, Math.min(1, p.nx * q.ny - p.ny * q.nx))));
    const length = Math.hypot(q.x - p.x, q.y - p.y);
    integral.push(integral[k] + Math.sqrt((turn + (FLAT_TURN * 2 * Math.PI) / SAMPLES) * length));
  }
  const span = integral[count] / (whole ? corners : corners - 1);
  const error_mm = (span * span) / 16;
  const found = [];
  for (let k = 0; k < corners; ++k) {
    const target = Math.min((whole ? k + 0.5 : k) * span, integral[count]);
    let i = integral.findIndex((value) => value >= target);
    i = Math.max(i, 1) - 1;
    const share = (target - integral[i]) / (integral[i + 1] - integral[i]);
    const [p, q] = [at(i), at(i + 1)];
    const mix = (key) => p[key] + share * (q[key] - p[key]);
    found.push({ x: mix("x") + error_mm * mix("nx"), y: mix("y") + error_mm * mix("ny") });
  }
  return { corners: found, error_mm };
}

/** The corners in the part's axes. */
export const inPart = (piece, corners) => corners.map((corner) => placed(corner, piece));

/** By how much the nearest point of a piece is from a jaw, which fills y <= 0 beyond x; 0 where they overlap. */
function gap_mm(piece, [px, py, theta], jaw_mm, sign) {
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  let least = Infinity;
  for (const [x, y] of piece.points) {
    const across = sign * (jaw_mm - (px + c * x - s * y));
    const above = py + s * x + c * y;
    least = Math.min(least, Math.hypot(Math.max(across, 0), Math.max(above, 0)));
  }
  return least;
}

/** Half the opening at which the jaws come within a gap of the part. */
function half_at_gap_mm(grasp, [px, py, theta], gap) {
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  let half = 0;
  for (const { points } of grasp.pieces) {
    for (const [x, y] of points) {
      const above = Math.max(py + s * x + c * y, 0);
      if (above < gap) half = Math.max(half, Math.abs(px + c * x - s * y) + Math.sqrt(gap * gap - above * above));
    }
  }
  return half;
}

/** When free jaws have travelled so far from rest, and their speed then: v (1 - exp(-t/tau)), tau = m/c. */
function freeTravel({ jaw_kg, damping, speed_mm_s }, travel_mm) {
  const tau = jaw_kg / damping;
  let t = travel_mm / speed_mm_s + tau;
  for (let k = 0; k < 50; ++k) {
    const speed = -speed_mm_s * Math.expm1(-t / tau);
    t -= (speed_mm_s * t - tau * speed - travel_mm) / Math.max(speed, 1e-9);
  }
  return { time_s: t, speed_mm_s: -speed_mm_s * Math.expm1(-t / tau) };
}

/** Where the steps of a trial begin: the jaws come within a gap of the part. Nothing: it is blocked. */
export function startOf(grasp, trial, gap) {
  const pose = [-trial.x_mm, -trial.y_mm, trial.theta_rad];
  const open = grasp.opening_mm / 2;
  if (half_at_gap_mm(grasp, pose, 1e-9) > open) return undefined;
  const jaw_mm = Math.min(Math.max(half_at_gap_mm(grasp, pose, gap), grasp.stop.closed_opening_mm / 2), open);
  return { pose, jaw_mm, ...freeTravel(grasp, open - jaw_mm) };
}

/**
 * One closing. `engine` has begin(start, trial), step() (false: it could not), touching(), pose() (x, y, theta) and
 * jaws() (right and left x), ended(), start_gap_mm and step_s. Gives {end, pose, jaws}; outcomeOf tells what it came to.
 */
export function simulate(grasp, engine, trial, start) {
  if (!start) return { end: "blocked" };
  engine.begin(start, trial);
  const result = closing(grasp, engine, start);
  engine.ended();
  return result;
}

function closing({ stop }, engine, start) {
  const window = Math.ceil(stop.stopped_time_s / engine.step_s - 1e-9);
  const history = [];
  let touched = false;
  for (let steps = 0; ; ++steps) {
    if (steps > 0) {
      if (!engine.step()) return { end: "failed" };
      touched ||= engine.touching();
    }
    const jaws = engine.jaws();
    const ended = (end) => {
      const pose = engine.pose();
      return pose.every(Number.isFinite) ? { end, pose, jaws } : { end: "failed" };
    };
    if (!Number.isFinite(jaws[0])) return ended("failed");
    if (touched) {
      history.push(jaws);
      const before = history.length > window ? history[history.length - 1 - window] : undefined;
      const moved = before && Math.max(before[0] - jaws[0], jaws[1] - before[1]);
      if (before && moved < stop.stopped_speed_mm_s * window * engine.step_s) return ended("stopped");
    }
    if (jaws[0] - jaws[1] < stop.closed_opening_mm) return ended("closed");
    if (start.time_s + steps * engine.step_s >= stop.timeout_s) return ended("timeout");
  }
}

/** The outcome of a trial, by the exact shapes in its final pose. */
export function outcomeOf(grasp, { end, pose, jaws }) {
  if (end === "failed" || end === "blocked") return end;
  if (end === "closed") return "missed";
  const touched = (sign) =>
    grasp.pieces.filter((piece) => gap_mm(piece, pose, jaws[sign > 0 ? 0 : 1], sign) < grasp.stop.contact_gap_mm).map(({ name }) => name);
  const [right, left] = [touched(1), touched(-1)];
  const holds = (rule) => (rule.right ?? []).every((name) => right.includes(name)) && (rule.left ?? []).every((name) => left.includes(name));
  if (grasp.success.some(holds)) return "success";
  if (end === "timeout") return "timeout";
  return right.length > 0 && left.length > 0 ? "wedged" : "missed";
}

/**
 * The table's friction on a part that moves, by maximum power dissipation: f = -mu m g E^2 v / |E v|, E = diag(e_t, e_t,
 * e_r). Engines with separate limits of force and moment take these limits, one step behind; at rest both are full.
 */
export function supportLimits(grasp, mu, [vx, vy, w]) {
  const most = mu * grasp.mass_kg * grasp.gravity_mm_s2;
  const slip = [grasp.e_t * Math.hypot(vx, vy), grasp.e_r_mm * Math.abs(w)];
  const norm = Math.hypot(...slip);
  const [share, share_r] = norm > 1e-3 ? slip.map((one) => one / norm) : [1, 1];
  return { force_mn: most * grasp.e_t * share, moment_mn_mm: most * grasp.e_r_mm * share_r };
}
