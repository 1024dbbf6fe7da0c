#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/decide/plan/asked_placement.hpp"
#include "grasp/decide/plan/expected_success.hpp"
#include "grasp/sweep/store/run_store.hpp"
#include "grasp/sweep/trials/success_map.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// What is asked of the hold.
struct HoldQuestion {
  double factor = 1.0;       ///< the safety factor that it must have
  double required = 0.99;    ///< probability of being held and lifted
  double confidence = 0.95;  ///< of intervals
  bool check = true;         ///< simulate again with the force found
};

/// Of the hold factors of closings that succeed.
inline constexpr std::array<double, 4> kHoldQuantiles = {0.01, 0.05, 0.5, 0.95};

/// The trials of a cell that did not fail. A closing succeeds when the run's rule holds apart from
/// what it asks of the hold; the grasp is held and lifted when, besides, its hold factor is at
/// least the one asked for.
struct HeldCell {
  std::int64_t trials = 0;
  std::int64_t close = 0;   ///< closings that succeed
  std::int64_t lifted = 0;  ///< of these, held and lifted
  double factor_05 = 0.0;   ///< quantiles of their hold factors; NaN without any
  double factor_50 = 0.0;
};

/// How often a part is held and lifted at a multiple of the closing force, if it lies in the hand
/// as it does at the run's.
struct AtForce {
  double force_n = 0.0;
  ExpectedSuccess lifted;
};

/// The same trials simulated with a closing force.
struct ForceCheck {
  AtForce at;
  std::int64_t trials = 0;
};

/// Whether the part stays in the hand after the grasps at a placement, and over the map.
struct HeldGrasps {
  std::string name;   ///< of the sweep
  std::string title;  ///< of the run
  HoldRule rule;
  HoldQuestion question;
  std::size_t trials = 0;    ///< of the run
  std::int64_t unknown = 0;  ///< trials whose hold factor could not be found: they count as failed
  double closing_force_n = 0.0;
  bool force_is_uncertain = false;  ///< closing_force_n is the nominal one of a distribution
  bool gives_way = false;           ///< independent drives hold no load along x
  CellGrid grid;
  std::vector<HeldCell> cells;

  AskedPlacement asked;  ///< without a placement, what follows is empty
  ExpectedSuccess closes;
  ExpectedSuccess lifted;
  std::array<double, kHoldQuantiles.size()>
      quantiles{};  ///< of the factors of closings that succeed
  double shifts =
      0.0;  ///< share of these with factor 0: without the table the part moves in the hand
  /// The least closing force at which the estimate reaches what is required, and the least at which
  /// the lower end of its interval does; nothing where no force does.
  std::optional<double> force_n;
  std::optional<double> sure_force_n;
  std::vector<AtForce> curve;  ///< by force
  std::optional<ForceCheck> check;
};

/// Finds it from the stored trials: their hold factors follow from where part and jaws are at the
/// end. `config`: the run's, maybe with another [hold]. A factor is proportional to the closing
/// force as long as the part lies the same in the hand; the check does not assume that. Nothing
/// when the control's stop flag is set.
std::optional<HeldGrasps> held_grasps(const RunStore& run, const SweepConfig& config,
                                      const HoldQuestion& question, const PlacementOptions& at,
                                      const SweepControl& control, const ShowTrials& show);

/// For a person.
std::string hold_text(const HeldGrasps& held);
/// hold.json.
Object hold_fields(const HeldGrasps& held);
/// hold.csv: a row for each cell.
Table hold_table(const HeldGrasps& held);
/// Both.
std::vector<ResultFile> hold_files(const HeldGrasps& held);
/// hold_map: where the closing succeeds, where the part is held and lifted, and the factor that 95
/// % of the closings that succeed reach; hold_force: how often it is held and lifted by force.
std::vector<Figure> hold_figures(const HeldGrasps& held);

/// Whether the part stays in the hand: what `graspmap hold` and Run.hold are asked. fields() says
/// what each means.
struct HoldRequest {
  std::vector<std::string> set;
  PlacementOptions at;
  std::optional<double> factor;
  std::optional<double> required_probability;
  bool no_check = false;
  int threads = 0;
  double confidence = 0.95;

  RequestFields fields();
};

/// The decision on a stored run. Nothing when `stop` is not zero. Throws RequestError and
/// ConfigError.
std::optional<HeldGrasps> hold_run(const RunStore& run, const HoldRequest& request,
                                   const std::atomic<int>* stop, const ShowTrials& show);

}  // namespace graspmap
