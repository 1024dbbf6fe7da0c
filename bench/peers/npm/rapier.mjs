// The grasp in Rapier 2D, its deterministic build from npm. What it has no means for, and what stands for it here:
//
// Superellipses, discs aside: convex polygons of `corners` corners. Contact normals jump from facet to facet.
//
// Friction of the table: no joint or damping of Rapier bounds force and moment together. It is a force on the part that
// is set before each step: g <- P(g - rho E v), f = E g, with P the projection onto the ball of radius mu m g; its
// fixed points are the limit surface's law, at rest too. One step behind.
//
// The coupling of the jaws: Rapier has no gear. A lever that turns about the middle between the jaws is linked to each
// of them by a rod; the whole is symmetric about the middle, so the jaws move as mirror images, exactly. Half of the
// jaws' mass sits in the lever, so that no joint has a light body between heavy ones.
//
// Stiff damping of the jaws: masses m + h c under the force F - c v, as in box2d_engine.cpp.
//
// Rigid contact: contacts are springs; `hertz` is their natural frequency. At the default, 30, the jaws sink in, and what
// they wedge slips out; from 1000 on results change little. Bodies overlap, and by 0.001 units always. More iterations,
// or other units, agree no better than smaller steps.

import RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { inPart, polygonOf } from "./grasp.mjs";

const LEVER_MM = 200; // from its axis to an end; it turns by less than 0.1 rad
const ROD_MM = 100;
const PREDICTION_MM = 0.1; // contacts are looked for within it
const GAIN = 0.5; // of the friction's correction in a step; 1 swings
const PART = 0x00010002; // groups: what it is, what it meets
const JAW = 0x00020001;
const NOTHING = 0;

await RAPIER.init();

/** An engine for grasp.mjs. Options: iterations of a step, units (of Rapier in 1 mm), hertz, corners. */
export function makeEngine(grasp, step_s, { iterations = 4, units = 1, hertz = 3000, corners = 48 } = {}) {
  const polygons = grasp.pieces.map((piece) => (piece.isDisc ? undefined : polygonOf(grasp, piece, corners)));
  const shapes = grasp.pieces.flatMap((piece, k) => {
    if (piece.isDisc) return [RAPIER.ColliderDesc.ball(piece.a * units).setTranslation(...piece.center.map((mm) => mm * units))];
    if (polygons[k].corners.length === 0) return [];
    return [RAPIER.ColliderDesc.convexPolyline(new Float32Array(inPart(piece, polygons[k].corners).flat().map((mm) => mm * units)))];
  });
  const size = grasp.reach_mm + grasp.opening_mm / 2;
  const jaw_kg = grasp.jaw_kg + step_s * grasp.damping;
  const weight = grasp.mass_kg * grasp.gravity_mm_s2;
  const e = [grasp.e_t, grasp.e_t, grasp.e_r_mm];
  const rho = (GAIN / step_s) * Math.min(grasp.mass_kg / grasp.e_t ** 2, grasp.inertia_kg_mm2 / grasp.e_r_mm ** 2);
  let world, part, jaws, most;
  let g = [0, 0, 0];

  function body(x, y, kg, inertia_kg_mm2, shape = (desc) => desc) {
    const desc = RAPIER.RigidBodyDesc.dynamic().setTranslation(x * units, y * units).setCanSleep(false);
    return world.createRigidBody(shape(desc.setAdditionalMassProperties(kg, { x: 0, y: 0 }, inertia_kg_mm2 * units * units)));
  }
  function pin(a, at_a, b, at_b) {
    const at = ([x, y]) => ({ x: x * units, y: y * units });
    world.createImpulseJoint(RAPIER.JointData.revolute(at(at_a), at(at_b)), a, b, true).setContactsEnabled(false);
  }
  function collider(desc, mu, groups, on) {
    desc.setDensity(0).setFriction(mu).setRestitution(0).setCollisionGroups(groups);
    return world.createCollider(desc, on);
  }
  /** The lever and the rods, at the velocity of the jaws. */
  function couple(jaw_mm, speed_mm_s) {
    const middle = (jaw_mm + grasp.stop.closed_opening_mm / 2) / 2;
    const lean = Math.asin((jaw_mm - middle) / LEVER_MM);
    const inertia = jaw_kg * LEVER_MM ** 2; // as heavy as half of both jaws
    const lever = body(0, 0, 1, inertia, (desc) => desc.setRotation(-lean).lockTranslations().setAngvel(speed_mm_s / LEVER_MM));
    const rod_kg = jaw_kg / 100;
    [1, -1].forEach((sign, k) => {
      const [x, y] = [sign * LEVER_MM * Math.sin(lean), sign * LEVER_MM * Math.cos(lean)];
      const end = [x + sign * ROD_MM, y];
      const rod = body((x + end[0]) / 2, y, rod_kg, (rod_kg * ROD_MM ** 2) / 12, (desc) => desc.setLinvel(-sign * speed_mm_s * units, 0));
      pin(lever, [0, sign * LEVER_MM], rod, [(-sign * ROD_MM) / 2, 0]);
      pin(rod, [(sign * ROD_MM) / 2, 0], jaws[k], [end[0] - sign * jaw_mm, y]);
    });
  }

  return {
    step_s,
    start_gap_mm: Math.max(...polygons.map((polygon) => polygon?.error_mm ?? 0)) + 0.002 / units,
    begin({ pose, jaw_mm, speed_mm_s }, trial) {
      world = new RAPIER.World({ x: 0, y: 0 });
      world.timestep = step_s;
      world.numSolverIterations = iterations;
      world.integrationParameters.contact_natural_frequency = hertz;
      world.integrationParameters.normalizedPredictionDistance = PREDICTION_MM * units;
      most = trial.mu_support * weight;
      g = [0, 0, 0];
      part = body(pose[0], pose[1], grasp.mass_kg, grasp.inertia_kg_mm2, (desc) => desc.setRotation(pose[2]));
      for (const shape of shapes) collider(shape, trial.mu_jaw, PART, part);
      jaws = [1, -1].map((sign) => {
        const jaw = body(sign * jaw_mm, 0, jaw_kg / 2, 1, (desc) =>
          desc.enabledTranslations(true, false).lockRotations().setLinvel(-sign * speed_mm_s * units, 0),
        );
        const box = RAPIER.ColliderDesc.cuboid(size * units, size * units).setTranslation(sign * size * units, -size * units);
        collider(box, trial.mu_jaw, JAW, jaw);
        return jaw;
      });
      couple(jaw_mm, speed_mm_s);
    },
    step() {
      const v = part.linvel();
      const slip = [v.x / units, v.y / units, part.angvel()];
      for (let k = 0; k < 3; ++k) g[k] -= rho * e[k] * slip[k];
      const excess = Math.hypot(...g) / most;
      if (excess > 1) for (let k = 0; k < 3; ++k) g[k] /= excess;
      part.resetForces(false);
      part.resetTorques(false);
      part.addForce({ x: e[0] * g[0] * units, y: e[1] * g[1] * units }, false);
      part.addTorque(e[2] * g[2] * units * units, false);
      jaws.forEach((jaw, k) => {
        const force = (k === 0 ? -1 : 1) * grasp.force_mn * units - grasp.damping * jaw.linvel().x;
        jaw.resetForces(false);
        jaw.addForce({ x: force, y: 0 }, false);
      });
      world.step();
      return true;
    },
    touching() {
      let touches = false;
      jaws.forEach((jaw) => {
        world.contactPairsWith(jaw.collider(0), (other) => {
          world.contactPair(jaw.collider(0), other, (manifold) => (touches ||= manifold.numSolverContacts() > 0));
        });
      });
      return touches;
    },
    pose() {
      const p = part.translation();
      return [p.x / units, p.y / units, part.rotation()];
    },
    jaws: () => jaws.map((jaw) => jaw.translation().x / units),
    ended: () => world.free(),
    end() {},
  };
}
