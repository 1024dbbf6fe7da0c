#pragma once

#include <array>
#include <vector>

#include "sim/closing/step_equations.hpp"
#include "sim/closing/tolerances.hpp"

namespace graspmap {

/// The memory of a trial from step to step: forces, contact points and gaps at the end of the last
/// step, and how far the points turned in it. First guesses come from it.
class StepMemory {
 public:
  /// A pair of piece and jaw.
  struct PairMemory {
    double f_n = 0.0;  ///< p_n / h, mN
    double f_t = 0.0;
    ContactPoint point;
    double turn_rad = 0.0;       ///< of the point in the last step, while it carried an impulse
    double psi_mm = 0.0;         ///< at the end of the last step, or a lower bound of it
    Vec2 normal{0.0, 0.0};       ///< there too; zero when not known
    Vec2 on_piece_mm{0.0, 0.0};  ///< there too, with the normal
    bool known = false;          ///< has been near in this trial
    bool near = false;           ///< was in the last step
  };

  /// Makes room for the pairs of these bodies.
  void set_bodies(const ContactBodies& bodies);
  /// Begins with a trial whose pads, if it has some, nothing presses.
  void set_pads(bool any);

  /// The configuration of a state, which is known at the end of the last step.
  [[nodiscard]] Configuration configuration(const State& state) const {
    return is_at(end_at_, state) ? end_at_ : Configuration(state);
  }

  /// True when the last step was an impact, whose forces do not last.
  [[nodiscard]] bool after_impact() const { return motion_.impact; }

  /// Before the first step of a trial or a phase; pads stay as they are.
  void forget();

  /// The memory of a pair; zeros for one that has not been near in this trial.
  [[nodiscard]] const PairMemory& of(const Pair& pair) const { return pairs_[place(pair)]; }
  [[nodiscard]] const PairMemory& at(std::size_t place) const { return pairs_[place]; }

  /// A trial with pads: what a pad is like at a place.
  [[nodiscard]] const PadMemory& pad_at(std::size_t place) const { return pads_[place]; }
  /// True for a contact that presses a pad at the end of the last step.
  [[nodiscard]] bool is_pressed(const Pair& pair) const {
    return any_pads_ && pads_[place(pair)].deflection_mm > 0.0;
  }
  /// Calls visit(pair) for each contact that does.
  template <typename Visit>
  void visit_pressed(const Visit& visit) const {
    for (std::size_t k = 0; k < pad_count_; ++k) {
      const std::size_t at = pad_places_[k];
      if (pads_[at].deflection_mm <= 0.0) continue;
      const std::size_t side = at % piece_places_ / side_places_;
      visit(Pair{static_cast<int>(at / piece_places_), kJawSides[side],
                 static_cast<int>(at % side_places_)});
    }
  }
  /// The energy in all pads at the end of the last step, mN mm.
  [[nodiscard]] double pad_energy() const { return pad_energy_; }
  /// True when the part then lies within what a pad is without it.
  [[nodiscard]] bool is_in_pad() const { return in_pad_; }

  /// True for a contact that carries an impulse in a step and did before it.
  [[nodiscard]] bool stays_closed(const StepEquations& equations, std::size_t i,
                                  const StepUnknowns& x) const {
    return x.p_n[i] > 0.0 && pairs_[equations.pairs().place[i]].f_n > 0.0;
  }

  /// Where the memory of a pair lies.
  [[nodiscard]] std::size_t place(const Pair& pair) const {
    return index(pair.piece) * piece_places_ + side_index(pair.side) * side_places_ +
           index(pair.finger);
  }

  /// The velocities at the start of the step, no impulses, and the last contact points.
  void first_guess(const StepEquations& equations, StepUnknowns& x) const;

  /// A first guess that has the last forces. Where the motion before was smooth (history.before),
  /// velocities and contact points keep changing as they did in the last step.
  void extrapolate(const StepEquations& equations, const StepHistory& history,
                   StepUnknowns& x) const;

  /// Takes in a step that has been solved.
  void remember(const StepEquations& equations, const Iterate& end);

 private:
  /// Part, jaws and support.
  struct MotionMemory {
    double step_s = 0.0;  ///< of the last step
    bool impact = false;  ///< it was one
    std::array<Vec3, kMaxSupportElements> f_s = for_each_element<Vec3>(Vec3::Zero());
  };

  void remember_pair(const StepEquations& equations, std::size_t i, const StepUnknowns& x,
                     const ClosestPoints& closest);
  void remember_pads(const StepEquations& equations, const Iterate& end);
  void remember_motion(const StepEquations& equations, const StepUnknowns& x);

  std::vector<PairMemory> pairs_;  ///< by piece, then by side, then by the finger's element
  std::size_t piece_places_ = 2;
  std::size_t side_places_ = 1;
  std::vector<std::size_t> known_;  ///< places in pairs_
  MotionMemory motion_;
  Configuration end_at_;         ///< at the end of the last step
  std::vector<PadMemory> pads_;  ///< by place; in a trial without pads not used
  std::array<std::size_t, kMaxContacts> pad_places_{};  ///< in pads_, of the last step
  std::size_t pad_count_ = 0;
  double pad_energy_ = 0.0;
  bool any_pads_ = false;
  bool in_pad_ = false;
};

}  // namespace graspmap
