#pragma once

#include <vector>

#include "sim/closing/broad_phase.hpp"
#include "sim/closing/contact_models.hpp"
#include "sim/closing/step_equations.hpp"
#include "sim/closing/step_memory.hpp"

namespace graspmap {

/// Chooses the pairs of piece and jaw that a step has: those that may touch within it. Where the
/// solution makes others overlap, or needs the neighbours of a corner, they are added.
class PairSelection {
 public:
  PairSelection(BroadPhase& part, const StepMemory& memory, const TrialData& trial,
                const StepData& data, StepPairs& pairs)
      : part_(part), memory_(memory), trial_(trial), data_(data), pairs_(pairs) {}

  /// Makes room for the pairs of a part and a gripper.
  void reserve();

  /// At the start of a step.
  void choose();

  /// How far any pair may approach in the step by the velocities before it, mm.
  [[nodiscard]] double expected_approach_mm() const { return expected_approach_mm_; }

  /// True when no pair that was left out can have closed while part and jaws moved by `moved_mm`.
  [[nodiscard]] bool has_all(double moved_mm) const;

  /// Adds the pairs that were left out and overlap at the end of a step that moves part and jaws by
  /// `moved_mm`. False if no pair is added.
  bool add_closed(const StepEquations& equations, const Iterate& end, double moved_mm);

  /// Adds the pairs of outlines' elements that the step's contacts may walk to.
  void add_neighbours();

 private:
  struct NearPair {
    Pair pair;
    double psi_mm = 0.0;
  };

  void add(const Pair& pair, double gap_mm);
  void set_pad(std::size_t i);
  [[nodiscard]] int count(const Pair& pair) const;
  void find_near(const PlainContacts& contacts, double reach_mm);
  void find_near(const OutlineContacts& contacts, double reach_mm);
  void keep_nearest();
  [[nodiscard]] double start_gap_mm(const Pair& pair) const;
  [[nodiscard]] double start_gap_mm(const Pair& pair, double psi_mm) const;

  BroadPhase& part_;
  const StepMemory& memory_;
  const TrialData& trial_;
  const StepData& data_;
  StepPairs& pairs_;
  double expected_approach_mm_ = 0.0;
  double left_out_gap_mm_ = 0.0;  ///< no pair that is left out of the step is nearer at its start
  std::vector<NearPair> near_;
};

}  // namespace graspmap
