#pragma once

#include <vector>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/simulate.hpp"
#include "sim/closing/step_memory.hpp"
#include "sim/closing/step_problem.hpp"
#include "sim/closing/step_report.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

/// The geometrically implicit time-step in its condensed form: the momentum balance, contact and
/// friction laws of Chakraborty et al. 2014, eq. (6)-(7) at the end of the step, with gap and
/// contact rows as exact functions of the end configuration. Solved by a semismooth Newton method
/// on the natural map; what that does not solve goes down a ladder of retries (see Rung).
class CondensedStepper {
 public:
  CondensedStepper() = default;
  CondensedStepper(const CondensedStepper&) = delete;  // points into itself
  CondensedStepper& operator=(const CondensedStepper&) = delete;

  /// Prepares for a trial. Keeps its memory.
  void begin(const Scenario& scenario, const TrialParameters& trial);

  using Report = StepReport;

  /// Solves a step of h from `state` on the first rung of the ladder (all but halving) that
  /// converges. Nothing is remembered until `accept` is called.
  [[nodiscard]] Report try_step(const State& state, double h, bool all_rungs);

  /// Takes the step last tried, which has converged, and returns the state at its end.
  State accept();

  /// The contacts and the support's wrench impulse at the end of the last converged step.
  void contacts(std::vector<ContactRecord>& records) const;
  [[nodiscard]] Vec3 support_impulse() const;
  [[nodiscard]] bool touching() const;  ///< a contact carries an impulse

  [[nodiscard]] BroadPhase& broad_phase() { return broad_phase_; }

 private:
  struct NewtonOptions {
    int max_iterations = 20;
    double damping = 0.0;
    double least_curvature = tolerances::kLeastCurvature;
  };

  /// A pair that may close within the step.
  struct NearPair {
    Pair pair;
    double psi_mm = 0.0;
  };

  void set_start(const State& state);
  void set_up(const State& state, double h);
  void choose_pairs(const State& state, double h);
  void keep_nearest_pairs();
  bool add_closing_pairs();
  [[nodiscard]] bool is_near(int piece, JawSide side) const;
  [[nodiscard]] double smallest_near_gap_mm() const;
  void add_pair(const Pair& pair, double gap_mm);
  [[nodiscard]] double start_gap_mm(const Pair& pair) const;
  bool lay_flat(StepUnknowns& x) const;
  bool climb_ladder(bool all_rungs, Report& report);
  bool newton(const NewtonOptions& options, int& iterations);
  double line_search(double bound);
  bool try_patterns(const StepUnknowns& start, int& iterations);
  bool newton_on_pattern(const Pattern& pattern, int& iterations);
  [[nodiscard]] bool accepted() const;
  [[nodiscard]] bool path_is_clear() const;
  [[nodiscard]] double largest_turn() const;
  [[nodiscard]] double position_error() const;
  void dissipation(Report& report) const;

  const Scenario* scenario_ = nullptr;
  double mu_support_ = 0.0;
  BroadPhase broad_phase_;
  StepMemory memory_;
  Configuration start_;
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
