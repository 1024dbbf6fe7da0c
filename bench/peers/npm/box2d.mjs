// The grasp in Box2D 3 as WebAssembly (box2d3-wasm). What it has no means for, and what stands for it here:
//
// Superellipses, discs aside: polygons of 8 corners, as in box2d_engine.cpp.
//
// The ellipsoid limit surface: a motor joint at zero velocity, whose separate limits of force and moment are set before
// each step to what the ellipsoid allows in the direction of the velocity, one step behind.
//
// The coupling of the jaws: Box2D 3 has no gear. A lever that turns about the middle between the jaws holds one of them
// by each end, in slots across the closing direction (wheel joints): they move as mirror images, exactly. Half of the
// jaws' mass sits in the lever, so that no joint has a light body between heavy ones.
//
// Stiff damping of the jaws: masses m + h c under the force F - c v, as in box2d_engine.cpp.
//
// Rigid contact: contacts are springs, at most a quarter of the substeps' rate; `stiff` sets that, and lets bodies be
// pushed apart as fast as it takes. Without it (30 Hz) the jaws sink in, and what they wedge slips out. Bodies overlap,
// and by 0.005 units always. More substeps, or units of 0.1 mm, agree no better than smaller steps.
//
// The package reads the clock several times in a step, for a profile: a third of the time, with any step.

import loadBox2d from "box2d3-wasm";
import { inPart, polygonOf, supportLimits } from "./grasp.mjs";

const OUTLINE_ERROR_MM = 0.004;
const MOST_POLYGONS = 8;
const LEVER_MM = 200; // from its axis to an end; it turns by less than 0.1 rad
const PART = 1;
const JAW = 2;

const b2 = await loadBox2d({ print: () => {}, printErr: () => {} });

/** n polygons of 8 corners, each sharing an edge with the next (octagons of outline.cpp). */
function octagons(grasp, piece) {
  let pieces = 1;
  let polygon = polygonOf(grasp, piece, 8);
  while (polygon.error_mm > OUTLINE_ERROR_MM && pieces < MOST_POLYGONS) polygon = polygonOf(grasp, piece, 6 * ++pieces + 2);
  const corners = inPart(piece, polygon.corners);
  if (corners.length === 0) return [];
  return Array.from({ length: pieces }, (_, k) => {
    const skip = 3 * (pieces - 1 - k);
    return [...corners.slice(skip, skip + 4), ...corners.slice(corners.length - 4 - skip, corners.length - skip)];
  });
}

/** An engine for grasp.mjs. Options: substeps of a step, units (of Box2D in 1 mm), stiff. */
export function makeEngine(grasp, step_s, { substeps = 4, units = 1, stiff = true } = {}) {
  const vector = (x, y) => new b2.b2Vec2(x * units, y * units);
  const polygons = grasp.pieces.filter(({ isDisc }) => !isDisc).flatMap((piece) => octagons(grasp, piece));
  const hulls = polygons.map((corners) => b2.b2MakePolygon(b2.b2ComputeHull(corners.map(([x, y]) => vector(x, y))), 0));
  const circles = grasp.pieces.filter(({ isDisc }) => isDisc).map(({ center, a }) => {
    const circle = new b2.b2Circle();
    circle.center = vector(...center);
    circle.radius = a * units;
    return circle;
  });
  const size = grasp.reach_mm + grasp.opening_mm / 2;
  const boxes = [1, -1].map((sign) => b2.b2MakeOffsetBox(size * units, size * units, vector(sign * size, -size), b2.b2MakeRot(0)));
  const jaw_kg = grasp.jaw_kg + step_s * grasp.damping;
  let world, part, friction, mu;
  let jaws = [];
  let slides = [];
  const force = vector(0, 0);

  function body(def, kg, inertia_kg_mm2 = 0) {
    const id = b2.b2CreateBody(world, def);
    def.delete();
    const mass = new b2.b2MassData();
    mass.mass = kg;
    mass.rotationalInertia = inertia_kg_mm2 * units * units;
    return { id, setMass: () => (b2.b2Body_SetMassData(id, mass), mass.delete()) };
  }
  function moving(x, y) {
    const def = b2.b2DefaultBodyDef();
    def.type = b2.b2BodyType.b2_dynamicBody;
    def.position = vector(x, y);
    def.enableSleep = false;
    return def;
  }
  function shapeDef(mu_jaw, category) {
    const def = b2.b2DefaultShapeDef();
    def.material.friction = mu_jaw;
    def.material.restitution = 0;
    def.filter.categoryBits = category;
    def.filter.maskBits = category === PART ? JAW : PART;
    def.updateBodyMass = false;
    return def;
  }
  function frames(def, a, b, at_a, at_b, turn = 0) {
    def.base.bodyIdA = a;
    def.base.bodyIdB = b;
    def.base.localFrameA.p = vector(...at_a);
    def.base.localFrameB.p = vector(...at_b);
    def.base.localFrameA.q = b2.b2MakeRot(turn);
    return def;
  }
  function addLever(jaw_mm) {
    const def = moving(0, 0);
    def.motionLocks.linearX = true;
    def.motionLocks.linearY = true;
    const middle = (jaw_mm + grasp.stop.closed_opening_mm / 2) / 2;
    const lean = Math.asin((jaw_mm - middle) / LEVER_MM);
    def.rotation = b2.b2MakeRot(-lean);
    const lever = body(def, 1, jaw_kg * LEVER_MM ** 2); // as heavy as half of both jaws
    lever.setMass();
    jaws.forEach((jaw, k) => {
      const sign = k === 0 ? 1 : -1;
      const joint = b2.b2DefaultWheelJointDef();
      frames(joint, jaw, lever.id, [-sign * middle, 0], [0, sign * LEVER_MM], Math.PI / 2);
      joint.enableSpring = false;
      joint.enableLimit = false;
      b2.b2CreateWheelJoint(world, joint);
      joint.delete();
    });
    return lever;
  }

  return {
    step_s,
    start_gap_mm: OUTLINE_ERROR_MM + 0.005 / units,
    begin({ pose, jaw_mm, speed_mm_s }, trial) {
      mu = trial.mu_support;
      const worldDef = b2.b2DefaultWorldDef();
      worldDef.gravity = vector(0, 0);
      worldDef.enableSleep = false;
      worldDef.enableContinuous = false;
      worldDef.maximumLinearSpeed = 1e4 * units;
      world = b2.b2CreateWorld(worldDef);
      worldDef.delete();
      if (stiff) b2.b2World_SetContactTuning(world, 1e6, 10, 1000 * units);
      const groundDef = b2.b2DefaultBodyDef();
      const ground = b2.b2CreateBody(world, groundDef);
      groundDef.delete();
      const def = moving(pose[0], pose[1]);
      def.rotation = b2.b2MakeRot(pose[2]);
      const held = body(def, grasp.mass_kg, grasp.inertia_kg_mm2);
      part = held.id;
      const shape = shapeDef(trial.mu_jaw, PART);
      for (const circle of circles) b2.b2CreateCircleShape(part, shape, circle);
      for (const hull of hulls) b2.b2CreatePolygonShape(part, shape, hull);
      shape.delete();
      held.setMass();
      jaws = [1, -1].map((sign, k) => {
        const jawDef = moving(sign * jaw_mm, 0);
        jawDef.motionLocks.angularZ = true;
        jawDef.linearVelocity = vector(-sign * speed_mm_s, 0);
        const jaw = body(jawDef, jaw_kg / 2);
        const jawShape = shapeDef(trial.mu_jaw, JAW);
        b2.b2CreatePolygonShape(jaw.id, jawShape, boxes[k]);
        jawShape.delete();
        jaw.setMass();
        const slide = frames(b2.b2DefaultPrismaticJointDef(), ground, jaw.id, [0, 0], [0, 0]);
        slides[k] = b2.b2CreatePrismaticJoint(world, slide);
        slide.delete();
        return jaw.id;
      });
      const lever = addLever(jaw_mm);
      b2.b2Body_SetAngularVelocity(lever.id, speed_mm_s / LEVER_MM);
      const motor = frames(b2.b2DefaultMotorJointDef(), ground, part, pose, [0, 0]);
      motor.linearHertz = motor.angularHertz = 0;
      friction = b2.b2CreateMotorJoint(world, motor);
      motor.delete();
    },
    step() {
      const v = b2.b2Body_GetLinearVelocity(part);
      const limits = supportLimits(grasp, mu, [v.x / units, v.y / units, b2.b2Body_GetAngularVelocity(part)]);
      v.delete();
      b2.b2MotorJoint_SetMaxVelocityForce(friction, limits.force_mn * units);
      b2.b2MotorJoint_SetMaxVelocityTorque(friction, limits.moment_mn_mm * units * units);
      jaws.forEach((jaw, k) => {
        const speed = b2.b2PrismaticJoint_GetSpeed(slides[k]);
        force.x = (k === 0 ? -1 : 1) * grasp.force_mn * units - grasp.damping * speed;
        b2.b2Body_ApplyForceToCenter(jaw, force, false);
      });
      b2.b2World_Step(world, step_s, substeps);
      return true;
    },
    touching: () => jaws.some((jaw) => b2.b2Body_GetContactData(jaw, 1).length > 0),
    pose() {
      const [p, q] = [b2.b2Body_GetPosition(part), b2.b2Body_GetRotation(part)];
      const found = [p.x / units, p.y / units, q.GetAngle()];
      p.delete();
      q.delete();
      return found;
    },
    jaws: () => slides.map((slide) => b2.b2PrismaticJoint_GetTranslation(slide) / units),
    ended: () => b2.b2DestroyWorld(world),
    end() {},
  };
}
