// The grasp in MuJoCo 3 as WebAssembly (@mujoco/mujoco): the model of mujoco_engine.cpp, whose comments say what MuJoCo
// has no means for and what stands for it here. In short: contacts are springs, as stiff as the step allows; a contact
// that slides also opens; the table's friction is separate limits of three joints, one step behind; the coupling of the
// jaws is a stiff constraint. `multiccd` finds several contacts of a mesh with a jaw.

import loadMujoco from "@mujoco/mujoco";
import { inPart, polygonOf, supportLimits } from "./grasp.mjs";

const UNITS_PER_MM = 0.1;
const CONTACT = { steps: 2.5, damping: 1.5, impedance: 0.999 }; // solref, solimp: these agree best in mujoco_engine.cpp
const MESH_ERROR_MM = 0.004;
const MESH_CORNERS = [24, 48, 96, 192];
const HALF_THICKNESS_MM = 5;

const mujoco = await loadMujoco({ print: () => {}, printErr: () => {} });

function softness(suffix, time_s, damping, impedance) {
  return ` solref${suffix}='${time_s} ${damping}' solimp${suffix}='${impedance} ${impedance} 1 0.5 2'`;
}

function modelText(grasp, step_s, { impratio = 1, tolerance = 1e-8, noslip = 0, multiccd = false }) {
  const length = (mm) => mm * UNITS_PER_MM;
  const meshes = [];
  const geoms = [];
  for (const piece of grasp.pieces) {
    if (piece.isDisc) {
      geoms.push(`<geom contype='1' conaffinity='2' type='sphere' pos='${piece.center.map(length).join(" ")} 0' size='${length(piece.a)}'/>`);
      continue;
    }
    let polygon;
    for (const corners of MESH_CORNERS) {
      polygon = polygonOf(grasp, piece, corners);
      if (polygon.error_mm <= MESH_ERROR_MM) break;
    }
    if (polygon.corners.length === 0) continue;
    const corners = inPart(piece, polygon.corners);
    const vertices = [-1, 1].flatMap((side) => corners.map((at) => `${at.map(length).join(" ")} ${length(side * HALF_THICKNESS_MM)}`));
    meshes.push(`<mesh name='${piece.name}' inertia='shell' vertex='${vertices.join("  ")}'/>`);
    geoms.push(`<geom contype='1' conaffinity='2' type='mesh' mesh='${piece.name}'/>`);
  }
  const half = grasp.reach_mm + grasp.opening_mm / 2;
  const jaw = (name, sign) => `<body><inertial pos='0 0 0' mass='${grasp.jaw_kg}' diaginertia='1 1 1'/>
<joint name='${name}' type='slide' axis='1 0 0' armature='${step_s * grasp.damping}'/>
<geom contype='2' conaffinity='1' type='box' pos='${length(sign * half)} ${length(-half)} 0' size='${length(half)} ${length(half)} ${length(half)}'/></body>`;
  const inertia = grasp.inertia_kg_mm2 * UNITS_PER_MM ** 2;
  return `<mujoco><compiler angle='radian'/>
<option timestep='${step_s}' gravity='0 0 0' cone='elliptic' solver='Newton' impratio='${impratio}' tolerance='${tolerance}'
noslip_iterations='${noslip}'><flag multiccd='${multiccd ? "enable" : "disable"}' autoreset='disable'/></option>
<default><geom condim='3'${softness("", CONTACT.steps * step_s, CONTACT.damping, CONTACT.impedance)}/>
<joint${softness("friction", 2 * step_s, 1, CONTACT.impedance)}/></default>
<asset>${meshes.join("\n")}</asset>
<worldbody><body><inertial pos='0 0 0' mass='${grasp.mass_kg}' diaginertia='${inertia} ${inertia} ${inertia}'/>
<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><joint type='hinge' axis='0 0 1'/>
${geoms.join("\n")}</body>
${jaw("right", 1)}${jaw("left", -1)}</worldbody>
<equality><joint joint1='left' joint2='right' polycoef='0 -1 0 0 0'${softness("", 2 * step_s, 1, 0.9999)}/></equality>
</mujoco>`;
}

/** An engine for grasp.mjs. Options: impratio, tolerance, noslip, multiccd. */
export function makeEngine(grasp, step_s, options = {}) {
  const model = mujoco.MjModel.from_xml_string(modelText(grasp, step_s, options));
  const data = new mujoco.MjData(model);
  const force = grasp.force_mn * UNITS_PER_MM;
  let mu = 0;
  let q, v, applied, limits; // views of the engine's memory, which move when it grows
  return {
    step_s,
    start_gap_mm: 0.03,
    begin({ pose, jaw_mm, speed_mm_s }, trial) {
      mu = trial.mu_support;
      mujoco.mj_resetData(model, data);
      const friction = model.geom_friction;
      for (let k = 0; k < friction.length; k += 3) friction[k] = trial.mu_jaw;
      [q, v, applied, limits] = [data.qpos, data.qvel, data.qfrc_applied, model.dof_frictionloss];
      q.set([pose[0] * UNITS_PER_MM, pose[1] * UNITS_PER_MM, pose[2], jaw_mm * UNITS_PER_MM, -jaw_mm * UNITS_PER_MM]);
      v.set([0, 0, 0, -speed_mm_s * UNITS_PER_MM, speed_mm_s * UNITS_PER_MM]);
    },
    step() {
      if (q.length === 0) [q, v, applied, limits] = [data.qpos, data.qvel, data.qfrc_applied, model.dof_frictionloss];
      const velocity = [v[0] / UNITS_PER_MM, v[1] / UNITS_PER_MM, v[2]];
      const speed = Math.hypot(velocity[0], velocity[1]);
      const { force_mn, moment_mn_mm } = supportLimits(grasp, mu, velocity);
      const along = (k) => (speed > 1e-3 ? Math.abs(velocity[k]) / speed : 1);
      limits[0] = force_mn * UNITS_PER_MM * along(0);
      limits[1] = force_mn * UNITS_PER_MM * along(1);
      limits[2] = moment_mn_mm * UNITS_PER_MM ** 2;
      applied[3] = -force - grasp.damping * v[3];
      applied[4] = force - grasp.damping * v[4];
      mujoco.mj_step(model, data);
      return true;
    },
    touching: () => data.ncon > 0,
    pose: () => [q[0] / UNITS_PER_MM, q[1] / UNITS_PER_MM, q[2]],
    jaws: () => [q[3] / UNITS_PER_MM, q[4] / UNITS_PER_MM],
    ended() {},
    end() {
      data.delete();
      model.delete();
    },
  };
}
