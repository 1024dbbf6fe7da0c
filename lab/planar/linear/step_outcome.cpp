#include "lab/planar/linear/step_outcome.hpp"

#include <algorithm>

namespace graspmap {
namespace {

PlanarContact outcome_of(const PlanarScene& scene, const PlanarState& end,
                         const LinearContact& linear, const ContactImpulse& p) {
  PlanarContact contact;
  contact.key = linear.key;
  contact.at = contact_at(scene, end, linear.key);
  contact.mu = linear.mu;
  contact.p_n = p.p_n;
  contact.p_t = p.p_t;
  contact.p_core = p.p_core;
  const GeneralizedRow row =
      contact_row(scene, end, linear.key, contact.at, perp(contact.at.normal));
  contact.slip_mm_s = row.dot(end.nu) + row.offset;
  return contact;
}

Deflection deflection_of(const ContactKey& key, double delta_mm) {
  return {{key.body_a, key.shape_a, key.body_b, key.shape_b}, delta_mm, key.feature};
}

bool same_place(const Deflection& l, const Deflection& r) {
  return l.contact == r.contact && l.feature == r.feature;
}

/// The deflections at the end: delta = (p_ns + C delta^l) / (h k + C), which with p_ns = 0 also
/// describes how a layer without contact relaxes.
void set_deflections(const PlanarScene& scene, const PlanarState& start, double h,
                     const LinearStep& linear, const StepSolution& solution, PlanarState& end) {
  end.deflections.clear();
  for (std::size_t i = 0; i < linear.contacts.size(); ++i) {
    const LinearContact& contact = linear.contacts[i];
    if (!contact.is_soft) continue;
    const double p_layer = solution.contacts[i].p_n - solution.contacts[i].p_core;
    const double delta = h * (contact.compliance * p_layer + contact.layer_rate);
    if (delta > 0.0) end.deflections.push_back(deflection_of(contact.key, delta));
  }
  for (const Deflection& before : start.deflections) {
    const auto same = [&](const LinearContact& contact) {
      return same_place(deflection_of(contact.key, 0.0), before);
    };
    if (std::any_of(linear.contacts.begin(), linear.contacts.end(), same)) continue;
    const SoftLayer layer = *contact_law(scene, before.contact[0], before.contact[2]).soft;
    const double damping = layer.damping_mn_s_per_mm;
    Deflection relaxed = before;
    relaxed.delta_mm *= damping / (h * layer.stiffness_mn_per_mm + damping);
    if (relaxed.delta_mm > 0.0) end.deflections.push_back(relaxed);
  }
}

}  // namespace

void set_outcome(const PlanarScene& scene, const PlanarState& start, double h,
                 const LinearStep& linear, const StepSolution& solution, PlanarStep& step) {
  advance(scene, start, solution.nu, h, step.end);
  set_deflections(scene, start, h, linear, solution, step.end);
  step.contacts.clear();
  for (std::size_t i = 0; i < linear.contacts.size(); ++i) {
    step.contacts.push_back(outcome_of(scene, step.end, linear.contacts[i], solution.contacts[i]));
  }
  step.pin_impulses = solution.pins;
  step.table_impulses.clear();
  for (std::size_t i = 0; i < linear.tables.size(); ++i) {
    Vec3 impulse = Vec3::Zero();
    for (std::size_t k = 0; k < linear.tables[i].directions.size(); ++k) {
      impulse += solution.tables[i][static_cast<int>(k)] * linear.tables[i].directions[k];
    }
    step.table_impulses.push_back(impulse);
  }
}

}  // namespace graspmap
