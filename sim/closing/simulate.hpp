#pragma once

#include <memory>
#include <vector>

#include "sim/closing/model.hpp"
#include "sim/closing/trial_result.hpp"

namespace graspmap {

class BroadPhase;

/// The most steps, and the most Newton iterations, that a trial may take: as many for each phase.
double most_work(const Scenario& scenario);

/// Why a simulation with these statistics ended without a result: kFailed or kTooLong.
EndReason why_unsolved(const StepStatistics& statistics, double most_work);

/// The memory of one thread's simulations; nothing is allocated in a step once it is warm.
class Workspace {
 public:
  Workspace();
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  struct Storage;
  Storage& storage() { return *storage_; }

 private:
  std::unique_ptr<Storage> storage_;
};

/// Simulates one closing of the gripper until the stop rule ends it: with the geometrically
/// implicit step (condensed form of Chakraborty et al. 2014, eq. (6)-(7), (15)-(19)), or with what
/// the scenario has in place of it. The result is a pure function of scenario and trial; a step
/// that cannot be solved ends the simulation with kFailed. Free travel of the jaws before the first
/// contact is skipped in closed form. With a program it goes through its phases, one after the
/// other; what moves between them while the part rests on its table, clear of the fingers, is
/// skipped, too. A program needs a scenario without `other_stepper`. `observer`, if given, is
/// called at the start and after each accepted step.
void simulate(const Scenario& scenario, const TrialParameters& trial, Workspace& workspace,
              SimulationResult& result, const StepObserver* observer = nullptr);

/// Checks for states of a scenario, which it refers to, whether fingers and palm are clear of the
/// part: a trial that starts there is not blocked.
class StartCheck {
 public:
  explicit StartCheck(const Scenario& scenario);
  ~StartCheck();

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] bool is_free(const State& state);

 private:
  const Scenario& scenario_;
  std::unique_ptr<BroadPhase> part_;
};

/// The pieces that a jaw touches (gap below stop.contact_gap_mm) in a state, ascending.
void touching_pieces(const Scenario& scenario, const State& state, JawSide side,
                     std::vector<int>& pieces);

/// The smallest gap of all pieces to the jaws, the palm and the obstacles in a state, mm.
double smallest_gap_mm(const Scenario& scenario, const State& state);

}  // namespace graspmap
