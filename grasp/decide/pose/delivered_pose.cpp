#include "grasp/decide/pose/delivered_pose.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "geometry/assert.hpp"
#include "grasp/decide/statistics/density_modes.hpp"
#include "grasp/sweep/store/stored_trials.hpp"
#include "sim/closing/simulate.hpp"

namespace graspmap {

std::vector<Touches> read_touches(const RunStore& store, std::size_t trials, Outcome outcome) {
  const SweepConfig& config = store.config();
  DrawnScenario memory;
  std::vector<Touches> touches;
  touches.reserve(trials);
  store.for_each([&](const TrialRow& row) {
    if (touches.size() == trials) return;  // added meanwhile
    Touches found;
    if (row.outcome == outcome) {
      const std::vector<double> uncertain = sample_uncertain(config, row.index);
      const Scenario& scenario = scenario_of(config, uncertain, memory);
      const State state = end_state(scenario, row);
      touching_pieces(scenario, state, JawSide::kLeft, found.left);
      touching_pieces(scenario, state, JawSide::kRight, found.right);
      if (scenario.gripper.palm) touching_pieces(scenario, state, JawSide::kPalm, found.palm);
    }
    touches.push_back(std::move(found));
  });
  return touches;
}

namespace {

/// The plateau's cells, each with the same mass: cells are equally large.
std::vector<CellMass> plateau(const SuccessField& field, double probability) {
  std::vector<CellMass> cells;
  for (std::size_t c = 0; c < field.cells(); ++c) {
    // False for a cell without valid trials: NaN compares false.
    if (field.counts(c).success_probability() >= probability) cells.push_back({c, 0.0});
  }
  for (CellMass& cell : cells) cell.mass = 1.0 / static_cast<double>(cells.size());
  return cells;
}

/// The trials that count, with the share of the grasps that each stands for.
struct WeightedTrials {
  std::vector<Eigen::Index> source;
  std::vector<double> turn;  ///< what their angles lack where errors leave one end of a whole turn
  std::vector<double> weight;
  double known_share = 0.0;  ///< of the grasps: in cells with trials that count
};

WeightedTrials weighted_trials(const SuccessField& field, const PoseQuestion& request,
                               const std::vector<CellMass>& cells) {
  const Axis& angles = field.axes()[2];
  WeightedTrials trials;
  std::vector<double> weights;
  for (const auto& [cell, mass] : cells) {
    if (request.placement) {
      trial_weights(field, request.error, *request.placement, cell, weights);
    } else {
      weights.assign(static_cast<std::size_t>(field.counts(cell).trials()), 1.0);
    }
    double counted = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const bool failed = field.begin(cell)[k].outcome == Outcome::kFailed;
      counted += failed && request.outcome != Outcome::kFailed ? 0.0 : weights[k];
    }
    if (counted > 0) trials.known_share += mass;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const SuccessField::Trial& trial = field.begin(cell)[k];
      const double weight = counted > 0 ? mass * weights[k] / counted : 0.0;
      if (trial.outcome != request.outcome || !(weight > 0)) continue;
      trials.source.push_back(static_cast<Eigen::Index>(trial.source));
      trials.turn.push_back(
          request.placement ? angles.seen_from((*request.placement)[2], trial.at[2]) - trial.at[2]
                            : 0.0);
      trials.weight.push_back(weight);
    }
  }
  return trials;
}

/// A number for each kind of touches, of the trials with these sources.
std::vector<int> labels_of(const std::vector<Touches>& touches,
                           const std::vector<Eigen::Index>& sources) {
  std::vector<int> labels;
  if (touches.empty()) return labels;
  std::map<Touches, int> numbers;
  for (const Eigen::Index source : sources) {
    const Touches& found = touches[static_cast<std::size_t>(source)];
    labels.push_back(numbers.emplace(found, static_cast<int>(numbers.size())).first->second);
  }
  return labels;
}

/// What most of the weight of each mode touches.
void add_touches(DeliveredPoses& result, const std::vector<Touches>& touches,
                 const std::vector<Eigen::Index>& sources) {
  if (touches.empty()) return;
  std::vector<std::map<Touches, double>> weights(result.modes.size());
  for (std::size_t k = 0; k < sources.size(); ++k) {
    weights[static_cast<std::size_t>(result.mode[k])]
           [touches[static_cast<std::size_t>(sources[k])]] +=
        result.sample.weights[static_cast<Eigen::Index>(k)];
  }
  for (std::size_t m = 0; m < weights.size(); ++m) {
    result.modes[m].touches =
        std::max_element(weights[m].begin(), weights[m].end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->first;
  }
}

void add_statistics(DeliveredPoses& result, const std::vector<int>& labels) {
  const WeightedSample& sample = result.sample;
  result.moments = moments(sample);
  const Eigen::VectorXd deviations = result.moments.standard_deviations();
  for (std::size_t k = 0; k < 4; ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    result.quantiles[k] =
        weighted_quantiles(sample.values.col(column), sample.weights, kPoseQuantiles);
    result.spread[k] = deviations[column] > kPoseResolution[k];
  }
  const WeightedSample pose{sample.values.leftCols(3), sample.weights};
  const DensityModes found =
      density_modes(pose, Eigen::Map<const Eigen::Vector3d>(kPoseResolution.data()), labels);
  for (int m = 0; m < found.count; ++m) {
    std::vector<Eigen::Index> rows;
    for (std::size_t k = 0; k < found.mode.size(); ++k) {
      if (found.mode[k] == m) rows.push_back(static_cast<Eigen::Index>(k));
    }
    const WeightedSample part = subsample(sample, rows);
    result.modes.push_back(
        {part.weights.sum() / sample.weights.sum(), rows.size(), moments(part), {}});
  }
  result.mode = found.mode;
}

/// Adds to the errors of the means what is unknown but the same in each grasp: by how much the
/// means of the worlds differ from them.
void add_unknowns(const SuccessField& field, const std::vector<Eigen::Index>& sources,
                  DeliveredPoses& result) {
  PoseQuestion question = result.request;
  if (!question.placement || question.error.worlds < 2) return;
  std::vector<Eigen::Index> row_of(field.trials(), -1);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    row_of[static_cast<std::size_t>(sources[k])] = static_cast<Eigen::Index>(k);
  }
  std::vector<Moments*> groups{&result.moments};
  for (PoseMode& mode : result.modes) groups.push_back(&mode.moments);
  for (Moments* group : groups) group->of_unknowns = Eigen::VectorXd::Zero(4);
  const std::vector<ErrorMixture> worlds = worlds_of(result.request.error);
  for (const ErrorMixture& world : worlds) {
    question.error = world;
    const WeightedTrials trials =
        weighted_trials(field, question, cell_masses(field, world, *question.placement));
    std::vector<double> weights(groups.size(), 0.0);
    std::vector<Eigen::VectorXd> sums(groups.size(), Eigen::VectorXd::Zero(4));
    for (std::size_t k = 0; k < trials.source.size(); ++k) {
      const Eigen::Index row = row_of[static_cast<std::size_t>(trials.source[k])];
      if (row < 0) continue;
      const auto mode = static_cast<std::size_t>(result.mode[static_cast<std::size_t>(row)]);
      for (const std::size_t g : {std::size_t{0}, 1 + mode}) {
        weights[g] += trials.weight[k];
        sums[g] += trials.weight[k] * result.sample.values.row(row).transpose();
      }
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (!(weights[g] > 0)) continue;
      groups[g]->of_unknowns +=
          (sums[g] / weights[g] - groups[g]->mean).cwiseAbs2() / static_cast<double>(worlds.size());
    }
  }
}

}  // namespace

Eigen::MatrixXd read_poses(const RunStore& store, std::size_t trials) {
  Eigen::MatrixXd poses(static_cast<Eigen::Index>(trials), 4);
  Eigen::Index row = 0;
  store.for_each([&](const TrialRow& trial) {
    if (row == poses.rows()) return;  // added meanwhile
    poses.row(row++) << trial.final_pose.position_mm.x(), trial.final_pose.position_mm.y(),
        trial.final_pose.angle_rad, trial.jaw_right_mm - trial.jaw_left_mm;
  });
  return poses;
}

std::optional<DeliveredPoses> delivered_poses(const SuccessField& field,
                                              const Eigen::MatrixXd& poses,
                                              const PoseQuestion& request,
                                              const std::vector<Touches>& touches) {
  GRASPMAP_CHECK(poses.cols() == 4);
  GRASPMAP_CHECK(touches.empty() || std::ssize(touches) == poses.rows());
  const std::vector<CellMass> cells = request.placement
                                          ? cell_masses(field, request.error, *request.placement)
                                          : plateau(field, request.plateau_probability);
  const WeightedTrials trials = weighted_trials(field, request, cells);
  if (trials.source.empty()) return std::nullopt;
  DeliveredPoses result;
  result.request = request;
  result.cells = request.placement ? 0 : cells.size();
  result.outcome_share =
      std::min(std::accumulate(trials.weight.begin(), trials.weight.end(), 0.0), 1.0);
  const double unknown = 1 - trials.known_share;
  result.unknown_share = unknown > 1e-9 ? unknown : 0.0;  // without rounding errors
  result.sample.values = poses(trials.source, Eigen::all);
  result.sample.values.col(2) += Eigen::Map<const Eigen::VectorXd>(
      trials.turn.data(), static_cast<Eigen::Index>(trials.turn.size()));
  result.sample.weights = Eigen::Map<const Eigen::VectorXd>(
      trials.weight.data(), static_cast<Eigen::Index>(trials.weight.size()));
  add_statistics(result, labels_of(touches, trials.source));
  add_touches(result, touches, trials.source);
  add_unknowns(field, trials.source, result);
  return result;
}

}  // namespace graspmap
