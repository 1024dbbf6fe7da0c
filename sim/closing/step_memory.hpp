#pragma once

#include <vector>

#include "sim/closing/simulate.hpp"
#include "sim/closing/step_problem.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

/// The sizes of the last steps, for the trends of all quantities that change with them.
class TrendClock {
 public:
  /// A step of h was taken that continues the motion before it.
  void tick(double h) {
    if (order_ < 2) ++order_;
    before_last_s_ = last_s_;
    last_s_ = h;
  }

  /// A step was taken after which the motion is of another kind: only its end can be used.
  void restart() { order_ = 0; }

  /// The degree of the polynomials that predict: 0 (the present value), 1 or 2; -1: none is known.
  [[nodiscard]] int order() const { return order_; }

  /// The order that a step of h is predicted with.
  [[nodiscard]] int order_for(double h) const {
    if (order_ <= 0 || h > tolerances::kFurthestLine * last_s_) return 0;
    return h > tolerances::kFurthestParabola * last_s_ ? 1 : order_;
  }

  /// The sizes of the last step and of the last two together, s.
  [[nodiscard]] double last_s() const { return last_s_; }
  [[nodiscard]] double last_two_s() const { return last_s_ + before_last_s_; }

 private:
  int order_ = -1;
  double last_s_ = 0.0;
  double before_last_s_ = 0.0;
};

/// How a quantity has changed over the last steps: predicts its change over the next one by
/// Newton's interpolation polynomial through the ends of the last steps. `Value` is a number or an
/// Eigen vector.
template <typename Value>
class Trend {
 public:
  /// Nothing is known; `zero` has the size of the values.
  explicit Trend(const Value& zero) : rate_(zero), curve_(zero) {}

  /// Takes in the change over the last step, which `clock` has counted.
  void add(const Value& change, const TrendClock& clock) {
    const Value rate = change * (1.0 / clock.last_s());
    curve_ = (rate - rate_) * (1.0 / clock.last_two_s());
    rate_ = rate;
  }

  /// The change over a step of h that follows the last one. Far beyond the last step's size the
  /// polynomials are wrong: a much larger step starts from the present value.
  [[nodiscard]] Value predict(double h, const TrendClock& clock) const {
    const int order = clock.order_for(h);
    Value change = rate_ * (order > 0 ? h : 0.0);
    if (order > 1) change += curve_ * (h * (h + clock.last_s()));
    return change;
  }

 private:
  Value rate_;
  Value curve_;
};

/// The memory of a trial from step to step: forces, contact points and gaps at the end of
/// the last step, and how the last steps changed them. First guesses come from it.
class StepMemory {
 public:
  /// A pair of piece and jaw.
  struct PairMemory {
    double f_n = 0.0;  ///< p_n / h, mN
    double f_t = 0.0;
    ContactPoint point;
    double turn_rad = 0.0;  ///< of the point in the last step, while it carried an impulse
    double psi_mm = 0.0;    ///< at the end of the last step, or a lower bound of it
    Vec2 normal{0.0, 0.0};  ///< there too; zero when not known
    bool known = false;     ///< has been near in this trial
    bool near = false;      ///< was in the last step
    Trend<double> f_n_trend{0.0};
    Trend<double> f_t_trend{0.0};
    Trend<double> direction_trend{0.0};  ///< of the point, rad
  };

  /// Makes room for the pairs of these bodies.
  void set_bodies(const ContactBodies& bodies);

  /// Before the first step of a trial.
  void forget();

  /// The memory of a pair; zeros for one that has not been near in this trial.
  [[nodiscard]] const PairMemory& of(const Pair& pair) const { return pairs_[place(pair)]; }
  [[nodiscard]] const PairMemory& at(std::size_t place) const { return pairs_[place]; }

  /// Where the memory of a pair lies.
  [[nodiscard]] std::size_t place(const Pair& pair) const {
    return index(pair.piece) * piece_places_ + side_index(pair.side) * side_places_ +
           index(pair.finger);
  }

  /// The velocities at the start of the step, no impulses, and the last contact points.
  void first_guess(const StepProblem& problem, StepUnknowns& x) const;

  /// Gives a first guess the last forces.
  void add_last_forces(const StepProblem& problem, StepUnknowns& x) const {
    add_forces(problem, {}, x);
  }

  /// True when the last steps tell how the motion continues over a step of h.
  [[nodiscard]] bool continues(double h) const { return clock_.order_for(h) > 0; }

  /// Gives a first guess the last forces and continues the motion of the last steps.
  void continue_motion(const StepProblem& problem, StepUnknowns& x) const {
    add_forces(problem, clock_, x);
  }

  /// A first guess that has the last forces and continues the motion as steps of second order do:
  /// by the change of velocities and contact points in the last step, where that was smooth.
  void extrapolate(const StepProblem& problem, const StepHistory& history, StepUnknowns& x) const;

  /// Takes in a step that has been solved.
  void remember(const StepProblem& problem, const StepUnknowns& x,
                const StepProblem::Evaluation& at);

 private:
  /// Part, jaws and support.
  struct MotionMemory {
    VelocityVector nu = VelocityVector::Zero();
    double step_s = 0.0;  ///< of the last step
    std::array<Vec3, kMaxSupportElements> f_s = for_each_element<Vec3>(Vec3::Zero());
    Trend<VelocityVector> nu_trend{VelocityVector::Zero()};
    std::array<Trend<Vec3>, kMaxSupportElements> f_s_trend =
        for_each_element(Trend<Vec3>(Vec3::Zero()));
  };

  void add_forces(const StepProblem& problem, const TrendClock& clock, StepUnknowns& x) const;
  [[nodiscard]] bool same_contacts(const StepProblem& problem, const StepUnknowns& x) const;
  [[nodiscard]] std::size_t end_place(const StepProblem& problem, std::size_t i,
                                      const StepUnknowns& x) const;
  void remember_pair(const StepProblem& problem, std::size_t i, const StepUnknowns& x,
                     const ClosestPoints& closest);
  void remember_motion(const StepProblem& problem, const StepUnknowns& x);

  std::vector<PairMemory> pairs_;  ///< by piece, then by side, then by the finger's element
  std::size_t piece_places_ = 2;
  std::size_t side_places_ = 1;
  std::vector<std::size_t> known_;  ///< places in pairs_
  MotionMemory motion_;
  TrendClock clock_;
};

}  // namespace graspmap
