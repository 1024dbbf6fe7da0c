#include "lab/grasp_scene/full_residual.hpp"

#include "lab/planar/full/full_active_set.hpp"

namespace graspmap {
namespace {

std::vector<PiecePair> pairs_of(const RecordedGraspStep& step) {
  std::vector<PiecePair> pairs;
  for (const ContactRecord& contact : step.contacts) {
    const int jaw = contact.side == JawSide::kRight ? kRightJawBody : kLeftJawBody;
    pairs.push_back({kPartBody, contact.piece, jaw, 0, {ContactFeature{}}});
  }
  return pairs;
}

StepGuess as_guess(const PlanarScene& scene, const RecordedGraspStep& step) {
  StepGuess guess;
  guess.nu = planar_state(scene, step.end).nu;
  for (const ContactRecord& contact : step.contacts) {
    StepGuess::Impulses& impulses = guess.pairs.emplace_back();
    impulses.p_n = contact.normal_impulse_mn_s;
    const int jaw = contact.side == JawSide::kRight ? kRightJawBody : kLeftJawBody;
    const double limit = contact_law(scene, kPartBody, jaw).mu * contact.normal_impulse_mn_s;
    if (limit > 0.0) impulses.s = contact.tangential_impulse_mn_s / limit;
  }
  const TableFriction& table = scene.tables[0];
  const Vec3 limits = step.h * table.limit_mn * Vec3(table.e_t, table.e_o, table.e_r_mm);
  guess.tables = {Vec3::Zero()};
  if (table.limit_mn > 0.0) guess.tables[0] = step.support_impulse.cwiseQuotient(limits);
  return guess;
}

}  // namespace

double full_residual(const PlanarScene& scene, const RecordedGraspStep& step) {
  const PlanarState start = planar_state(scene, step.start);
  const std::vector<PiecePair> pairs = pairs_of(step);  // both outlive what refers to them
  FullActiveSet active;
  active.reset(scene);
  active.begin(scene, start, step.h, pairs);
  active.start_at(as_guess(scene, step));
  Eigen::VectorXd F;
  active.problem().evaluate(active.z(), F);
  return mcp::natural_residual(active.problem(), active.z(), F);
}

}  // namespace graspmap
