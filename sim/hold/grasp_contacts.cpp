#include "sim/hold/grasp_contacts.hpp"

#include <algorithm>
#include <array>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/contact_bodies.hpp"
#include "sim/closing/length_unit.hpp"

namespace graspmap {
namespace {

/// Two contacts nearer than this, relative to the gap that counts as contact, are one.
constexpr double kSamePlace = 1e-3;

class Contacts {
 public:
  Contacts(const Scenario& scenario, const TrialParameters& trial, const State& state)
      : gap_mm_(scenario.stop.contact_gap_mm),
        deflection_mm_(most_deflection_mm(scenario.gripper)),
        mu_(friction_by_side(scenario.gripper, trial)),
        q_(state) {
    part_.set_part(scenario.part, scenario.mass.center_of_mass_P_mm);
    part_.set_fingers(scenario.gripper);
  }

  std::vector<GraspContact> find() {
    const ContactBodies& bodies = part_.bodies();
    part_.visit_near_contacts(q_, part_.least_gap_mm(0.0) - deflection_mm_, gap_mm_,
                              tolerances::kRounding,
                              [&](const Pair& pair, const ClosestPoints& closest) {
                                if (closest.psi_mm < gap_mm_) {
                                  add(pair, closest.on_jaw_mm, closest.normal);
                                }
                              });
    if (bodies.plain) return std::move(found_);
    for (const JawSide side : {JawSide::kRight, JawSide::kLeft, JawSide::kPalm}) {
      if (side_index(side) >= static_cast<std::size_t>(bodies.fingers.sides)) continue;
      visit_flush_edges(
          bodies, q_, side, gap_mm_, deflection_mm_,
          [&](const Pair& pair, const FlushStretch& stretch) { add_ends(pair, stretch); });
    }
    return std::move(found_);
  }

 private:
  void add(const Pair& pair, const Vec2& point_G_mm, const Vec2& normal_G) {
    const double same_mm = kSamePlace * gap_mm_;
    const bool known = std::any_of(found_.begin(), found_.end(), [&](const GraspContact& other) {
      return other.side == pair.side && (other.point_G_mm - point_G_mm).norm() < same_mm &&
             (other.normal_G - normal_G).norm() < kSamePlace;
    });
    if (known) return;
    const double factor = part_.bodies().pieces[index(pair.piece)].friction_factor;
    found_.push_back({pair.side, point_G_mm, normal_G, factor * mu_[side_index(pair.side)]});
  }

  void add_ends(const Pair& pair, const FlushStretch& stretch) {
    const ContactElement& f =
        part_.bodies().fingers.by_side[side_index(pair.side)].elements[index(pair.finger)];
    const Vec2 begin_G = f.point_mm + Vec2(q_.jaw_mm(pair.side), 0.0);
    for (const double at : {stretch.from_mm, stretch.to_mm}) {
      add(pair, begin_G + at * f.tangent, f.normal_lo);
    }
  }

  double gap_mm_;
  double deflection_mm_;  ///< by which pads let the part in at most
  std::array<double, 3> mu_;
  Configuration q_;
  BroadPhase part_;
  std::vector<GraspContact> found_;
};

}  // namespace

std::vector<GraspContact> grasp_contacts(const Scenario& scenario, const TrialParameters& trial,
                                         const State& state) {
  const double unit_mm = length_unit_mm(scenario);
  if (unit_mm == 1.0) return Contacts(scenario, trial, state).find();
  Scenario scaled = scenario;
  scale_lengths(1.0 / unit_mm, scaled);
  std::vector<GraspContact> contacts = Contacts(scaled, trial, in_mm(state, 1.0 / unit_mm)).find();
  for (GraspContact& contact : contacts) contact.point_G_mm *= unit_mm;
  return contacts;
}

}  // namespace graspmap
