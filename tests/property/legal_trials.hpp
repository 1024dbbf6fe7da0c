#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "geometry/outline_shapes.hpp"
#include "grasp/sweep/config/scenario_reader.hpp"
#include "sim/closing/broad_phase.hpp"
#include "sim/closing/simulate.hpp"
#include "tests/property/counter_random.hpp"
#include "tests/property/scaled.hpp"
#include "tests/support/random_drawn_scenes.hpp"
#include "tests/support/supports.hpp"

/// Random configurations that a person may write: what `graspmap run` takes, however extreme.

namespace graspmap::testing {

/// Which input of a trial is extreme.
enum class TrialKind {
  kOrdinary,
  kOutline,
  kScale,
  kSliver,
  kExponent,
  kManyPieces,
  kMass,
  kForceAndSpeed,
  kFriction,
  kStep,
  kAnything  ///< any of them together
};
inline constexpr int kTrialKinds = 11;
inline constexpr std::array<const char*, kTrialKinds> kTrialKindNames = {
    "ordinary", "outline",         "scale",    "sliver",   "exponent", "many pieces",
    "mass",     "force and speed", "friction", "stepsize", "anything"};

/// What a trial has besides: a program of 1 to 5 phases, pads on its jaws.
struct Extras {
  bool program = false;
  bool pads = false;
  bool mount = false;
};

/// A trial and how large its part is: the bound of its points' distances from the centre of mass.
struct LegalTrial {
  TrialKind kind = TrialKind::kOrdinary;
  std::uint64_t index = 0;
  Scenario scenario;
  std::vector<DrawnPhase> phases;  ///< of the scenario's program
  TrialParameters parameters;
  double size_mm = 1.0;
};

/// Draws one trial. Lengths are drawn for parts of some 20 mm, then scaled.
class TrialDrawing {
 public:
  TrialDrawing(std::uint64_t seed, std::uint64_t index)
      : random_(seed, index),
        of_pads_(seed + kPadSeeds, index),
        of_mount_(seed + 2 * kPadSeeds, index) {
    trial_.index = index;
    trial_.kind = static_cast<TrialKind>(index % kTrialKinds);
  }

  LegalTrial draw(const Extras& extras) {
    for (int kind = 0; kind < kTrialKinds; ++kind) {
      const bool any = trial_.kind == TrialKind::kAnything && random_.once_in(3);
      extreme_[static_cast<std::size_t>(kind)] = any || kind == static_cast<int>(trial_.kind);
    }
    draw_part();
    draw_mass();
    draw_support();
    draw_gripper();
    draw_placement();
    draw_scale();
    draw_motion();
    draw_simulation();
    if (extras.program) draw_program();
    if (extras.pads) draw_pads();
    if (extras.mount) draw_mount();
    return std::move(trial_);
  }

 private:
  [[nodiscard]] bool is(TrialKind kind) const { return extreme_[static_cast<std::size_t>(kind)]; }

  double any_angle() {
    constexpr double kQuarter = 0.5 * std::numbers::pi;
    const double angle = random_.uniform(-std::numbers::pi, std::numbers::pi);
    return random_.once_in(3) ? kQuarter * std::round(angle / kQuarter) : angle;
  }

  Superellipse superellipse(bool sliver, double most_mm) {
    const double a = random_.uniform(0.2, 1.0) * most_mm;
    double exponent = random_.once_in(4) ? 2.0 : random_.uniform(2.0, 20.0);
    if (is(TrialKind::kExponent)) {
      exponent = random_.once_in(2) ? 100.0 : random_.uniform(20.0, 100.0);
    }
    if (sliver) {
      const double b = a / random_.decade(1.0, 3.0);
      return random_.once_in(2) ? Superellipse{a, b, exponent} : Superellipse{b, a, exponent};
    }
    if (random_.once_in(4)) return {a, a, is(TrialKind::kExponent) ? exponent : 2.0};
    return {a, random_.uniform(0.2, 1.0) * most_mm, exponent};
  }

  /// Superellipses with centres in a square, 7 to 200 where there are many.
  void add_superellipses(int count) {
    const double most = count > 8 ? 5.0 : 15.0;
    for (int k = 0; k < count; ++k) {
      const bool sliver = is(TrialKind::kSliver) && (k == 0 || random_.once_in(2));
      const Vec2 center{random_.uniform(-12.0, 12.0), random_.uniform(-12.0, 12.0)};
      trial_.scenario.part.pieces.push_back(
          {"piece" + std::to_string(k), superellipse(sliver, most), {center, any_angle()}});
    }
  }

  OutlineLoop thin_loop() {
    const double l = random_.uniform(5.0, 12.5);
    const double w = l / random_.decade(1.0, 3.0);
    const double radius = random_.once_in(2) ? 0.0 : 0.4 * w;
    if (random_.once_in(2)) return rounded_chain({{-l, -w}, {l, 0.0}, {-l, w}}, radius);
    return rounded_chain({{-l, -w}, {l, -w}, {l, w}, {-l, w}}, radius);
  }

  OutlineLoop outline_loop(OutlineKind kind) {
    if (is(TrialKind::kSliver)) return thin_loop();
    if (!is(TrialKind::kManyPieces)) return random_outline(random_, kind);
    while (true) {
      const int corners = 20 + random_.index(80);
      const double radius = some_radius_mm(random_, 0.3);
      OutlineLoop loop = rounded_chain(corners_about(random_, corners, 0.2, 10.0, 16.0), radius);
      if (outline_faults({loop, {}}).empty()) return loop;
    }
  }

  void draw_part() {
    const bool drawn = is(TrialKind::kOutline) || random_.once_in(4);
    if (!drawn) {
      add_superellipses(is(TrialKind::kManyPieces) ? static_cast<int>(random_.decade(0.85, 2.301))
                                                   : 1 + random_.index(6));
      return;
    }
    const auto kind =
        static_cast<OutlineKind>(random_.index(static_cast<int>(kOutlineKinds.size())));
    trial_.scenario.part.outlines.push_back({"drawn", {outline_loop(kind), {}}, {}});
    if (kind == OutlineKind::kMixed) add_superellipses(1 + random_.index(3));
  }

  void draw_mass() {
    Scenario& scenario = trial_.scenario;
    const double kg = is(TrialKind::kMass) ? random_.decade(-9.0, 6.0) : random_.uniform(0.01, 0.3);
    Vec2 center{random_.uniform(-4.0, 4.0), random_.uniform(-4.0, 4.0)};
    if (!scenario.part.outlines.empty() && random_.once_in(2)) {
      Part outline;
      outline.outlines = scenario.part.outlines;
      center = mass_properties(outline, 1.0, 1.0).center_of_mass_P_mm;
    }
    trial_.size_mm = bounding_radius_mm(scenario.part, center);
    double share = random_.uniform(0.1, 0.5);
    if (is(TrialKind::kMass)) share = random_.decade(-2.0, 0.5);
    scenario.mass = {kg, center, share * kg * trial_.size_mm * trial_.size_mm};
  }

  void draw_support() {
    Scenario& scenario = trial_.scenario;
    const double reach = trial_.size_mm;
    const bool wild = is(TrialKind::kFriction);
    switch (random_.index(4)) {
      case 0:
        scenario.support = EllipsoidSupport{
            wild ? random_.decade(-3.0, 3.0) : random_.uniform(0.5, 1.5),
            wild ? random_.decade(-3.0, 3.0) : random_.uniform(0.5, 1.5),
            reach * (wild ? random_.decade(-4.0, 1.0) : random_.uniform(0.3, 0.8))};
        break;
      case 1:
        scenario.support =
            TripodSupport{reach * (wild ? random_.decade(-4.0, 1.0) : random_.uniform(0.3, 1.0)),
                          {any_angle(), any_angle(), any_angle()}};
        break;
      default:
        scenario.support = random_support(random_, reach, scenario.mass.center_of_mass_P_mm);
    }
  }

  FingerShape finger_shape() {
    FingerShape shape;
    shape.width_mm = random_.uniform(2.0, 30.0);
    const double tip = random_.uniform(0.05, 0.4) * shape.width_mm;
    switch (random_.index(5)) {
      case 4:
        shape.pad_width_mm = random_.uniform(2.5, 40.0) * tip;
        shape.pad_depth_mm = shape.width_mm;
        shape.tip_radius_mm = tip;
        break;
      case 0:
        shape.tip_chamfer_mm = tip;
        shape.tip_chamfer_rad = random_.uniform(0.2, 1.4);
        break;
      case 1:
        shape.step_depth_mm = tip;
        shape.step_height_mm = random_.uniform(0.5, 10.0);
        break;
      case 2:
        shape.groove_depth_mm = tip;
        shape.groove_angle_rad = random_.uniform(0.2, 2.5);
        shape.groove_position_mm = -shape.groove_half_height_mm() - random_.uniform(0.0, 10.0);
        break;
      default:
        shape.tip_radius_mm = tip;
    }
    return shape;
  }

  /// A finger that ends below all parts: outlines may not reach further than 1 km, scaled.
  Outline shaped_finger() {
    constexpr double kLowest_mm = -200.0;
    Outline finger = finger_outline(finger_shape());
    for (OutlineElement& element : finger.outer) {
      element.begin_mm.y() = std::max(element.begin_mm.y(), kLowest_mm);
    }
    return finger;
  }

  void draw_gripper() {
    Gripper& gripper = trial_.scenario.gripper;
    gripper.coupling = random_.once_in(2) ? Coupling::kSymmetric : Coupling::kIndependent;
    gripper.jaw_mass_kg = random_.uniform(0.05, 0.5);
    switch (random_.index(8)) {
      case 0:
        set_fingers(gripper, shaped_finger());
        break;
      case 1:
        gripper.right_finger = shaped_finger();
        gripper.left_finger = mirrored(shaped_finger());
        break;
      case 2:
      case 3:
        add_random_fingers(random_, static_cast<FingerKind>(1 + random_.index(3)), gripper);
        break;
      default:
        break;  // quarter-planes
    }
  }

  /// A placement where the fingers meet the part, and are clear of it when they are open.
  void draw_placement() {
    constexpr int kTries = 20;
    Scenario& scenario = trial_.scenario;
    TrialParameters& parameters = trial_.parameters;
    for (int k = 0; k < kTries; ++k) {
      const Vec2 at{random_.uniform(-3.0, 3.0), trial_.size_mm * random_.uniform(-1.0, 0.9)};
      parameters.theta_rad = any_angle();
      const Vec2 origin = at - Rotation2(parameters.theta_rad) * scenario.mass.center_of_mass_P_mm;
      parameters.placement_x_mm = -origin.x();
      parameters.placement_y_mm = -origin.y();
      scenario.gripper.opening_mm =
          2.0 * (trial_.size_mm + std::abs(at.x()) + random_.decade(-2.0, 1.0));
      if (StartCheck(scenario).is_free(initial_state(scenario, parameters))) break;
    }
    parameters.mu_jaw = random_.once_in(8) ? 0.0 : random_.uniform(0.0, 0.8);
    parameters.mu_support = random_.once_in(8) ? 0.0 : random_.uniform(0.0, 0.8);
    if (is(TrialKind::kFriction)) {
      if (!random_.once_in(4)) parameters.mu_jaw = random_.decade(-6.0, 3.0);
      if (!random_.once_in(4)) parameters.mu_support = random_.decade(-6.0, 3.0);
      if (random_.once_in(8)) scenario.gravity_mm_s2 = 0.0;
      if (random_.once_in(4)) scenario.gravity_mm_s2 *= random_.decade(-3.0, 3.0);
    }
  }

  void draw_scale() {
    if (!is(TrialKind::kScale)) return;
    const double factor = random_.decade(-3.0, 3.0);
    Scenario& scenario = trial_.scenario;
    const double gravity_mm_s2 = scenario.gravity_mm_s2;
    scenario = scaled(std::move(scenario), factor);
    scenario.gravity_mm_s2 = gravity_mm_s2;
    trial_.parameters = scaled(trial_.parameters, factor);
    trial_.size_mm *= factor;
    if (random_.once_in(2)) {  // of the same density
      const double mass = factor * factor * factor;
      scenario.mass.mass_kg *= mass;
      scenario.mass.inertia_kg_mm2 *= mass;
    }
    if (random_.once_in(2)) scenario.gripper.jaw_mass_kg *= factor * factor * factor;
    keep_within_limits();
  }

  /// Nothing is smaller than what the reader takes (docs/reference/configuration.md).
  void keep_within_limits() {
    constexpr double kLeast_mm = 1e-6;
    constexpr double kLeast_kg = 1e-12;
    Scenario& scenario = trial_.scenario;
    MassProperties& mass = scenario.mass;
    if (mass.mass_kg < kLeast_kg) {
      mass.inertia_kg_mm2 *= kLeast_kg / mass.mass_kg;
      mass.mass_kg = kLeast_kg;
    }
    double& jaw_kg = scenario.gripper.jaw_mass_kg;
    jaw_kg = std::max(jaw_kg, kLeast_kg);
    if (auto* ellipsoid = std::get_if<EllipsoidSupport>(&scenario.support)) {
      ellipsoid->e_r_mm = std::max(ellipsoid->e_r_mm, kLeast_mm);
    }
    if (auto* tripod = std::get_if<TripodSupport>(&scenario.support)) {
      tripod->radius_mm = std::max(tripod->radius_mm, kLeast_mm);
    }
  }

  [[nodiscard]] double closing_time_s() const {
    const Gripper& gripper = trial_.scenario.gripper;
    return FreeTravel(gripper).time_of(0.5 * gripper.opening_mm);
  }

  /// Force and speed of the jaws such that they close within some minutes.
  void draw_motion() {
    constexpr double kLongest_s = 300.0;
    Gripper& gripper = trial_.scenario.gripper;
    const double length = trial_.size_mm / 20.0;
    const bool wild = is(TrialKind::kForceAndSpeed);
    if (wild) gripper.jaw_mass_kg = random_.decade(-4.0, 3.0);
    gripper.closing_force_n = wild ? random_.decade(-5.0, 5.0) : random_.uniform(2.0, 50.0);
    gripper.closing_speed_mm_s =
        wild ? random_.decade(-2.0, 5.0) : length * random_.uniform(10.0, 100.0);
    while (closing_time_s() > kLongest_s) {
      gripper.closing_force_n *= 4.0;
      gripper.closing_speed_mm_s *= 2.0;
    }
  }

  void draw_simulation() {
    Scenario& scenario = trial_.scenario;
    const double time_s = closing_time_s();
    const bool wild = is(TrialKind::kStep);
    const double steps = wild ? random_.decade(0.5, 3.3) : random_.uniform(40.0, 300.0);
    scenario.step_s = std::min(time_s / steps, 1.0);
    if (random_.once_in(2)) {
      scenario.order = 2;
      scenario.tolerance_mm =
          trial_.size_mm * (wild ? random_.decade(-6.0, 0.0) : random_.decade(-3.5, -1.5));
    }
    StopRule& stop = scenario.stop;
    stop.stopped_speed_mm_s = scenario.gripper.closing_speed_mm_s * random_.decade(-3.0, -1.0);
    stop.stopped_time_s = scenario.step_s * random_.uniform(1.0, 12.0);
    stop.closed_opening_mm = scenario.gripper.opening_mm * random_.decade(-3.0, -1.0);
    stop.timeout_s = time_s * random_.uniform(1.05, 3.0);
    stop.contact_gap_mm = std::max(trial_.size_mm * random_.decade(-4.0, -2.0), 1e-6);
  }

  /// A phase of any kind, as fast and as far as the jaws and the part are.
  DrawnPhase phase() {
    const Scenario& scenario = trial_.scenario;
    const double size_mm = trial_.size_mm;
    const double closed_mm = scenario.stop.closed_opening_mm;
    constexpr int kActions = 5;
    DrawnPhase phase;
    phase.action = static_cast<PhaseAction>(random_.index(kActions));
    phase.jaws = static_cast<JawDrive>(random_.index(3));
    phase.by_mm = size_mm * random_.uniform(0.02, 1.0) * unit_vector(any_angle());
    phase.speed_mm_s = scenario.gripper.closing_speed_mm_s * random_.decade(-0.5, 0.7);
    if (random_.once_in(3)) phase.until = MoveEnd::kContact;
    phase.by_rad = random_.uniform(-1.5, 1.5);
    phase.speed_rad_s = phase.speed_mm_s / size_mm;
    phase.center_mm = size_mm * Vec2(random_.uniform(-2.0, 2.0), random_.uniform(-2.0, 2.0));
    phase.time_s = closing_time_s() * random_.uniform(0.01, 0.3);
    phase.opening_mm =
        closed_mm + random_.uniform(0.05, 1.0) * (scenario.gripper.opening_mm - closed_mm);
    phase.timeout_s = scenario.stop.timeout_s;
    return phase;
  }

  void draw_program() {
    constexpr int kMostPhases = 5;
    for (int k = random_.index(kMostPhases); k >= 0; --k) trial_.phases.push_back(phase());
    trial_.scenario.program = program_of(trial_.phases);
    // The ellipsoid's axes are the gripper's: where that turns, both are the same.
    auto* const ellipsoid = std::get_if<EllipsoidSupport>(&trial_.scenario.support);
    if (ellipsoid != nullptr) ellipsoid->e_o = ellipsoid->e_t;
  }

  /// Stiffness over all that the reader takes, or such that the closing force presses a point in by
  /// 1e-4 to 10 times the most that the pad gives way.
  Pad pad() {
    CounterRandom& random = of_pads_;
    const auto legal = [](double stiffness) { return std::clamp(stiffness, 1e-6, 1e9); };
    const double size_mm = trial_.size_mm;
    Pad pad;
    pad.spread_mm = std::max(size_mm * random.decade(-2.0, -0.5), 1e-6);
    pad.most_deflection_mm = std::max(pad.spread_mm * random.decade(-1.5, -0.1), 1e-6);
    const double presses = random.decade(-4.0, 1.0) * pad.most_deflection_mm * pad.spread_mm;
    const double any = random.decade(-6.0, 9.0);
    const double of_force = trial_.scenario.gripper.closing_force_n / presses;
    pad.normal_n_per_mm2 = legal(random.once_in(3) ? any : of_force);
    pad.shear_n_per_mm2 = legal(pad.normal_n_per_mm2 * random.decade(-1.0, 0.5));
    const double damping_s = closing_time_s() * random.decade(-4.0, -0.5);
    pad.damping_s = random.once_in(3) ? 0.0 : damping_s;
    pad.law = random.once_in(4) ? PadLaw::kSpring : PadLaw::kFoundation;
    return pad;
  }

  /// One jaw's pad is another one's, or so stiff that the jaw is as good as rigid.
  void draw_pads() {
    Gripper& gripper = trial_.scenario.gripper;
    gripper.right_pad = gripper.left_pad = pad();
    if (of_pads_.once_in(3)) gripper.left_pad = pad();
    if (!of_pads_.once_in(4)) return;
    gripper.left_pad->normal_n_per_mm2 = gripper.left_pad->shear_n_per_mm2 = 1e9;
    if (of_pads_.once_in(2)) std::swap(gripper.right_pad, gripper.left_pad);
  }

  /// A mount that the closing force moves by 1e-4 to 0.3 times the part's size, in one direction or
  /// both, and as much at the part's size from the gripper's origin.
  void draw_mount() {
    CounterRandom& random = of_mount_;
    const auto legal = [](double stiffness) { return std::clamp(stiffness, 1e-6, 1e9); };
    const double size_mm = trial_.size_mm;
    const double moves_mm = size_mm * random.decade(-4.0, -0.5);
    const double turns_rad = random.decade(-4.0, -0.5);
    const double damping_s = closing_time_s() * random.decade(-3.0, -0.5);
    const int which = random.index(3);
    Mount& mount = trial_.scenario.gripper.mount.emplace();
    const double force_n = trial_.scenario.gripper.closing_force_n;
    if (which != 0) mount.sideways_n_per_mm = legal(force_n / moves_mm);
    if (which != 1) mount.turning_n_mm = legal(force_n * size_mm / turns_rad);
    mount.damping_s = damping_s;
  }

  /// Pads and mounts have numbers of their own: the trial is otherwise that without.
  static constexpr std::uint64_t kPadSeeds = 1000000;

  CounterRandom random_;
  CounterRandom of_pads_;
  CounterRandom of_mount_;
  LegalTrial trial_;
  std::array<bool, kTrialKinds> extreme_{};
};

/// Trial `index` of a seed: a pure function of both. Kinds take turns.
inline LegalTrial legal_trial(std::uint64_t seed, std::uint64_t index) {
  return TrialDrawing(seed, index).draw({});
}

/// The same trial with a program of 1 to 5 phases.
inline LegalTrial legal_program(std::uint64_t seed, std::uint64_t index) {
  return TrialDrawing(seed, index).draw({.program = true});
}

/// The same trial with pads on its jaws, and where kinds have taken four turns also with a program.
inline LegalTrial legal_pads(std::uint64_t seed, std::uint64_t index) {
  return TrialDrawing(seed, index).draw({.program = index / kTrialKinds % 4 == 3, .pads = true});
}

/// The same trial on a mount, every second time in four turns of kinds with pads.
inline LegalTrial legal_mount(std::uint64_t seed, std::uint64_t index) {
  return TrialDrawing(seed, index).draw({.pads = index / kTrialKinds % 2 == 1, .mount = true});
}

/// The same trial with a program, on a mount, one in four turns of kinds with pads.
inline LegalTrial legal_mount_program(std::uint64_t seed, std::uint64_t index) {
  return TrialDrawing(seed, index)
      .draw({.program = true, .pads = index / kTrialKinds % 4 == 3, .mount = true});
}

}  // namespace graspmap::testing
