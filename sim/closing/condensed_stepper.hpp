#pragma once

#include <vector>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/grasp_stepper.hpp"
#include "sim/closing/simulate.hpp"
#include "sim/closing/step_memory.hpp"
#include "sim/closing/step_problem.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

/// The geometrically implicit time-step in its condensed form: the momentum balance, contact and
/// friction laws of Chakraborty et al. 2014, eq. (6)-(7) at the end of the step, with gap and
/// contact rows as exact functions of the end configuration. A semismooth Newton method on the
/// natural map solves it; where that does not converge, a ladder of retries follows (see Rung).
class CondensedStepper final : public GraspStepper {
 public:
  void begin(const Scenario& scenario, const TrialParameters& trial) override;

  /// On the first rung of the ladder that converges: all but halving with `all_rungs`, else without
  /// the damped one and the patterns.
  [[nodiscard]] StepReport try_step(const State& state, double h, bool all_rungs,
                                    const StepHistory& history) override;
  [[nodiscard]] StepReport try_step(const State& state, double h, bool all_rungs) {
    return try_step(state, h, all_rungs, {});
  }
  [[nodiscard]] StepBase base(const State& /*start*/, double /*h*/) const override {
    return {problem_.data.base, problem_.data.h, problem_.data.force_s};
  }
  State accept() override;

  void contacts(std::vector<ContactRecord>& records) const override;
  [[nodiscard]] Vec3 support_impulse() const override;
  [[nodiscard]] bool touching() const override;
  [[nodiscard]] const StepMemory* memory() const override { return &memory_; }
  [[nodiscard]] BroadPhase& broad_phase() override { return broad_phase_; }

  [[nodiscard]] bool has_last_resort() const override { return true; }
  void use_last_resort(bool yes) override { last_resort_ = yes; }

 private:
  struct NewtonOptions {
    int max_iterations = tolerances::kNewtonIterations;
    double damping = 0.0;  ///< by how much masses are increased at first, relative to them
    double least_curvature = tolerances::kLeastCurvature;  ///< StepProblem::least_curvature
  };

  /// What has been tried in one iteration of a contact's friction.
  struct FrictionTry {
    bool stick_left = false;                  ///< stick, whose impulse would leave the cone
    bool slip_turned = false;                 ///< slip, whose direction would turn
    ContactMode turned = ContactMode::kOpen;  ///< then: slip the other way
  };
  using FrictionTries = std::array<FrictionTry, kMaxContacts>;

  /// A pair that may close within the step.
  struct NearPair {
    Pair pair;
    double psi_mm = 0.0;
  };

  // condensed_stepper.cpp: a step from its data to its report.
  void set_start(const State& state);
  void set_up(const State& state, double h, const StepHistory& history);
  [[nodiscard]] double largest_momentum() const;
  [[nodiscard]] double largest_turn() const;
  void estimate_error(const StepHistory& history, StepReport& report) const;
  [[nodiscard]] double position_error(int order, const StepHistory& history) const;
  [[nodiscard]] double lost_force_error() const;
  [[nodiscard]] double drive_force(JawSide side) const;
  [[nodiscard]] bool passes_on(std::size_t i) const;
  [[nodiscard]] bool was_closed(std::size_t i) const;
  void find_landing(StepReport& report) const;
  [[nodiscard]] bool gains_energy() const;
  [[nodiscard]] bool has_lost_contact();
  void dissipation(StepReport& report) const;

  // step_pairs.cpp: which pairs of piece and jaw a step has.
  void choose_pairs(const State& state, double h);
  void keep_nearest_pairs();
  [[nodiscard]] bool all_are_near() const;
  bool add_closing_pairs();
  [[nodiscard]] bool is_near(const Pair& pair) const;
  [[nodiscard]] double exact_gap_mm(const Pair& pair, const Configuration& q) const;
  [[nodiscard]] bool is_clear(const Pair& pair, const Configuration& q, double least_mm) const;
  [[nodiscard]] bool is_apart(std::size_t i, double& psi_mm) const;
  [[nodiscard]] double smallest_near_gap_mm() const;
  void add_neighbours();
  void add_pair(const Pair& pair, double gap_mm);
  [[nodiscard]] double start_gap_mm(const Pair& pair) const;
  [[nodiscard]] double start_gap_mm(const Pair& pair, double psi_mm) const;

  // retry_ladder.cpp: Newton's method, and what is tried where it does not converge.
  bool climb_ladder(bool all_rungs, StepReport& report);
  bool newton(const NewtonOptions& options, int& iterations);
  bool find_direction(Pattern& pattern, double regularization, double damping);
  bool revise_friction(Pattern& pattern, FrictionTries& tries) const;
  bool leave_stick(std::size_t i, ContactMode& mode, FrictionTry& tried) const;
  bool turn_slip(std::size_t i, ContactMode& mode, FrictionTry& tried) const;
  double line_search(double bound);
  double try_share(double share);
  bool open_used_up(Pattern& pattern) const;
  [[nodiscard]] double share_to_release() const;
  bool lay_flat(StepUnknowns& x) const;
  bool newton_at_corners(StepUnknowns start, int& iterations);
  bool stay_at_corners(const StepUnknowns& start, int& iterations);
  [[nodiscard]] bool may_close(std::size_t i, const StepUnknowns& start) const;
  bool try_patterns(const StepUnknowns& start, int& iterations);
  bool newton_on_pattern(const Pattern& pattern, int& iterations);
  bool newton_from_pattern(int& iterations);
  [[nodiscard]] bool accepted() const;
  bool path_is_clear();
  [[nodiscard]] bool stays_closed(std::size_t i) const;

  // Where no rung of the ladder solves a step of any size.
  bool resort_to_easier_problems(StepReport& report);
  bool newton_with_heavier_contacts(const StepUnknowns& warm, int& iterations);
  bool newton_from_heavier_parts(const StepUnknowns& warm, int& iterations);
  bool follow_to_own_mass(const StepUnknowns& start, double heaviest, int& iterations);
  void multiply_mass(double factor);
  bool newton_from_rest(const StepUnknowns& warm, int& iterations);
  bool long_newton(const StepUnknowns& start, int& iterations);

  /// True for a motion that is too short to jump over any piece.
  [[nodiscard]] bool may_not_jump(double motion_mm) const {
    return motion_mm < tolerances::kThinnestFeature * broad_phase_.smallest_semi_axis_mm();
  }

  const Scenario* scenario_ = nullptr;
  std::array<double, 3> mu_{};  ///< by side
  double mu_support_ = 0.0;
  double target_ = tolerances::kResidual;  ///< the residual at which Newton's method ends
  bool last_resort_ = false;               ///< see use_last_resort
  double speed_mm_s_ = 0.0;                ///< what velocities are measured by
  double persistence_s_ = 0.0;  ///< how long errors of the part's velocity put it off, see begin
  BroadPhase broad_phase_;
  StepMemory memory_;
  StepHistory history_;  ///< of the step that is tried
  Configuration start_;
  State end_;                          ///< of the step last tried, where that converged
  double expected_approach_mm_ = 0.0;  ///< of any pair in the step, by the velocities before it
  double moved_mm_ =
      0.0;  ///< largest_approach_mm of the step that path_is_clear was asked for last
  double left_out_gap_mm_ = 0.0;  ///< no pair that is left out of the step is nearer at its start
  std::vector<NearPair> near_pairs_;
  StepProblem problem_;
  StepDirection direction_;

  /// Unknowns with their evaluation. The pointers below are swapped, not the contents.
  struct Iterate {
    StepUnknowns x;
    StepProblem::Evaluation at;
  };
  std::array<Iterate, 3> iterates_;
  Iterate* now_ = &iterates_[0];
  Iterate* next_ = &iterates_[1];
  Iterate* candidate_ = &iterates_[2];
};

}  // namespace graspmap
