#pragma once

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

}  // namespace graspmap
