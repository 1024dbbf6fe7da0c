#pragma once

#include <vector>

#include "grasp/decide/calibrate/simulated_model.hpp"

namespace graspmap {

/// The model of an experiment in sessions: friction is drawn once for each session and stays the
/// same in it; all else is as in the model of single trials. The likelihood of a session is the
/// mean, over friction drawn from the laws, of the product over its cells. The draws are the points
/// at which trials were simulated, weighted for the laws, so that the products are computed once
/// for all laws. Of sessions with constant friction, the width of a law shows between them, not
/// within.
class SessionModel final : public OutcomeModel {
 public:
  /// `model` and `cells` must live as long.
  SessionModel(const SimulatedModel& model, const std::vector<CalibrationCell>& cells);

  /// To be called after each change of the model.
  void update();

  /// Of each cell with a friction of its session that is drawn from the posterior at this point:
  /// for checks of the fit and for maps.
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
  const std::vector<CalibrationCell>& cells_;
  std::vector<std::vector<std::size_t>> sessions_;  ///< the cells of each
  std::vector<Node> nodes_;                         ///< of each of the model's points
};

}  // namespace graspmap
