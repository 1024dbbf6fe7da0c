#pragma once

#include <vector>

#include "sim/broad_phase.hpp"
#include "sim/simulate.hpp"
#include "sim/step_problem.hpp"
#include "sim/tolerances.hpp"
#include "sim/trend.hpp"

namespace graspmap {

/// The geometrically implicit time-step in its condensed form: the momentum balance, contact and
/// friction laws of 000_14f00f4ae61b7d54.txt eq. (6)-(7) at the end of the step, with gap and
/// contact rows as exact functions of the end configuration. Solved by a semismooth Newton method
/// on the natural map; what that does not solve goes down a ladder of retries (see Rung).
class ImplicitStepper {
 public:
  ImplicitStepper() = default;
  ImplicitStepper(const ImplicitStepper&) = delete;  // points into itself
  ImplicitStepper& operator=(const ImplicitStepper&) = delete;

  /// Prepares for a trial. Keeps its memory.
  void begin(const Scenario& scenario, const TrialParameters& trial);

  /// What one try of a step gave.
  struct Report {
    bool converged = false;
    Rung rung = Rung::kWarm;
    int iterations = 0;
    double residual = 0.0;         ///< largest scaled residual
    double smallest_gap_mm = 0.0;  ///< over all pairs
    double dissipation = 0.0;      ///< least of any contact's or support element's, mN mm
    double total_dissipation = 0.0;
    double largest_turn_rad = 0.0;      ///< of the normal of a contact that carries an impulse
    double velocity_change_mm_s = 0.0;  ///< of the part
    double position_error_mm = 0.0;     ///< of the part's boundary, estimated: PositionError; 0
                                     ///< without a tolerance
  };

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

  /// What a pair carries from step to step.
  struct PairMemory {
    double f_n = 0.0;  ///< p_n / h, mN
    double f_t = 0.0;
    ContactPoint point;
    double psi_mm = 0.0;
    Vec2 normal{0.0, 0.0};  ///< zero when psi and normal at the end of the last step are not known
    bool known = false;     ///< in known_
    Trend<double> f_n_trend{0.0};
    Trend<double> f_t_trend{0.0};
    Trend<double> direction_trend{0.0};  ///< of the point, rad
  };

  /// What the part, the jaws and the support carry from step to step.
  struct MotionMemory {
    VelocityVector nu = VelocityVector::Zero();
    std::array<Vec3, kMaxSupportElements> f_s{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    Trend<VelocityVector> nu_trend{VelocityVector::Zero()};
    std::array<Trend<Vec3>, kMaxSupportElements> f_s_trend{
        Trend<Vec3>(Vec3::Zero()), Trend<Vec3>(Vec3::Zero()), Trend<Vec3>(Vec3::Zero())};
  };

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
  void first_guess(const State& state, StepUnknowns& x) const;
  void predict(const TrendClock& clock, StepUnknowns& x) const;
  bool lay_flat(StepUnknowns& x) const;
  bool climb_ladder(const State& state, bool all_rungs, Report& report);
  bool newton(const NewtonOptions& options, int& iterations);
  double line_search(double bound);
  bool try_patterns(const StepUnknowns& start, int& iterations);
  bool newton_on_pattern(const Pattern& pattern, int& iterations);
  [[nodiscard]] bool accepted() const;
  [[nodiscard]] bool path_is_clear() const;
  [[nodiscard]] double largest_turn() const;
  [[nodiscard]] double position_error() const;
  void remember();
  [[nodiscard]] bool same_contacts() const;
  void remember_pair(std::size_t i);
  void forget();
  void dissipation(Report& report) const;
  [[nodiscard]] PairMemory& memory(const Pair& pair);
  [[nodiscard]] const PairMemory& memory(const Pair& pair) const;

  const Scenario* scenario_ = nullptr;
  double mu_support_ = 0.0;
  BroadPhase broad_phase_;
  std::vector<PairMemory> memory_;
  std::vector<Pair> known_;  ///< the pairs that have been near in this trial
  Configuration start_;
  double left_out_gap_mm_ = 0.0;  ///< no pair that is left out of the step is nearer at its start
  TrendClock clock_;
  MotionMemory motion_;
  std::vector<NearPair> near_pairs_;
  std::array<Vec3, kMaxSupportElements> support_memory_{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
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
