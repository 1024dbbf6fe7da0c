#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grasp/decide/calibrate/discrepancy.hpp"
#include "grasp/decide/calibrate/simulated_model.hpp"
#include "grasp/decide/statistics/tempered_sampler.hpp"
#include "grasp/sweep/config/sweep_config.hpp"
#include "grasp/sweep/trials/sweep.hpp"

namespace graspmap {

/// The model of an experiment in sessions: friction is drawn once for each session and stays the
/// same in it; all else is as in the model of single trials. The likelihood of a session is the
/// mean, over friction drawn from the distributions, of the product over its cells. The draws are
/// the points at which trials were simulated, weighted for the distributions, so that the products
/// are computed once for all distributions. Where friction is constant in a session, the width of a
/// distribution shows between sessions, not within.
class SessionModel final : public OutcomeModel {
 public:
  /// `model` and `cells` must live as long.
  SessionModel(const SimulatedModel& model, const std::vector<CalibrationCell>& cells);

  /// To be called after each change of the model.
  void update();

  /// Each cell with a friction of its session that is drawn from the posterior at this point: for
  /// checks of the fit and for maps.
  [[nodiscard]] std::vector<CellPrediction> predict(std::span<const double> point) const override;
  [[nodiscard]] double log_likelihood(std::span<const double> point) const override;

 private:
  struct Node {
    std::vector<CellPrediction> cells;
    std::vector<double> log_likelihood;  ///< of each session
  };
  /// The logarithms of weight times likelihood of a session at the points that count.
  [[nodiscard]] std::vector<double> terms(const PointWeights& weights, std::size_t session) const;

  const SimulatedModel& model_;
  std::vector<std::vector<std::size_t>> sessions_;  ///< the cells of each
  std::vector<Node> nodes_;                         ///< of each of the model's points
};

struct AdaptiveSettings {
  std::int64_t round_trials = 0;  ///< of each round, about; 0: by the number of unknowns
  int most_rounds = 6;
  int draws = 300;             ///< of the posterior before each round
  ForEachIndex for_each = {};  ///< for the sampler
  bool in_sessions = false;    ///< friction is constant in each session of the cells
};

/// A model whose trials lie where the posterior is.
struct AdaptiveSimulation {
  std::unique_ptr<SimulatedModel> trials_model;
  std::unique_ptr<SessionModel> sessions_model;        ///< in sessions
  std::unique_ptr<DiscrepancyModel> with_discrepancy;  ///< when it is sought
  [[nodiscard]] const OutcomeModel& model() const {
    if (with_discrepancy) return *with_discrepancy;
    if (sessions_model) return *sessions_model;
    return *trials_model;
  }
  int rounds = 0;
  std::int64_t trials = 0;
};

/// Simulates trials at the placements of an experiment in rounds (adaptive importance sampling:
/// West 1993; Cornuet, Marin, Mira, Robert 2012): the first over all that the prior allows, each
/// later one from distributions at draws of the posterior so far, with its likelihood to a power
/// below 1 so that they cover more than the posterior. Ends when a round is as wide as the one
/// before. A pure function of its arguments.
AdaptiveSimulation simulate_adaptively(const std::vector<CalibrationCell>& cells,
                                       const Unknowns& unknowns, const NoiseDistributions& noise,
                                       const TrialSimulator& simulate,
                                       const AdaptiveSettings& settings = {});

/// Simulates a calibration's trials of a configuration on several threads (0: as many as there
/// are), and shows the progress of each round. A trial with another size has the part's outline
/// scaled about its origin, with the configuration's mass. `config` must outlive the function,
/// which throws AnalysisStopped when the caller's flag is set.
TrialSimulator simulator_of(const SweepConfig& config, int threads, const ShowTrials& show);

/// Calls work on several threads. Throws AnalysisStopped when the caller's flag is set.
ForEachIndex on_all_threads(int threads);

/// The support's e_r, or the radius of its tripod, in mm; 0 for a model that has neither.
double support_radius_mm(const Scenario& scenario);

/// "e_r" or "radius".
const char* support_radius_name(const Scenario& scenario);

}  // namespace graspmap
