#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "grasp/sweep/store/stored_trials.hpp"

namespace graspmap {

/// Trials for a logistic regression.
struct LogisticData {
  Eigen::MatrixXd features;  ///< a row per trial; the first column is 1
  Eigen::VectorXd labels;    ///< 0 or 1
  Eigen::VectorXd weights;   ///< >= 0
};

/// The coefficients b that minimise
///   sum_k weight_k (log(1 + exp(x_k b)) - y_k x_k b) + ridge/2 sum_(j > 0) b_j^2,
/// by Newton's method with halved steps from `start`. ridge > 0 keeps them finite where a boundary
/// separates the labels without an error.
Eigen::VectorXd fit_logistic(const LogisticData& data, double ridge, Eigen::VectorXd start);

/// Predicts from the trials of a run whether a grasp with any parameters succeeds. The outcome is a
/// function of five numbers (placement, angle, two friction coefficients) and of the uncertain
/// numbers, so the boundary between success and none can be learnt: for each cell of the map a
/// logistic regression on a polynomial of second degree in the parameters that vary is fitted to
/// the trials in the cell (by where the gripper was, noise included) and, with a weight that falls
/// to 0, to those around it; about 60 trials per coefficient (local regression: Cleveland and
/// Devlin 1988; local likelihood: Tibshirani and Hastie 1987). A grasp succeeds where the
/// probability is above one half.
///
/// At most kMostCrossed parameters are multiplied with each other: where there are more, the
/// placement, and the most important ones. A screening finds them: linear regressions around cells
/// in which trials end differently; the mean square of a parameter's slope, in units of its
/// deviation, is its importance. The others have their linear and their square term.
///
/// There are kGroups further emulators, each without one of kGroups equal groups of the trials.
/// They show how exact is what follows from the emulator (jackknife), and how well it predicts
/// trials that it has not seen.
class GraspEmulator {
 public:
  static constexpr std::size_t kGroups = 20;
  static constexpr std::size_t kAll = kGroups;  ///< the emulator of all trials

  /// `trials` in the order of their indices, which deals them out to the groups. None has failed.
  GraspEmulator(const CellGrid& grid, const std::vector<TrialSample>& trials);

  /// Whether the grasp succeeds, by the trials without group `without` (or kAll). Beyond the map's
  /// edge (of the angles too), by the edge's cell.
  [[nodiscard]] bool succeeds(const TrialParameters& parameters, std::span<const double> uncertain,
                              std::size_t without = kAll) const;

  /// A trial as the emulator without its group foretells it.
  struct Check {
    std::size_t trial = 0;  ///< its place among the trials
    std::size_t group = 0;
    bool foretold = false;
  };
  /// All trials, cell by cell.
  [[nodiscard]] const std::vector<Check>& checks() const { return checks_; }

 private:
  /// The parameters that every trial has; uncertain numbers follow them.
  static constexpr std::size_t kAlways = 5;
  static constexpr std::size_t kMostCrossed = 6;
  using Values = std::span<const double>;

  struct Trial {
    bool success = false;
    std::size_t group = 0;
    std::size_t place = 0;  ///< among all trials
  };
  /// Trials around a cell, ready to be fitted.
  struct Neighbourhood {
    LogisticData data;
    std::vector<std::size_t> groups;
  };
  /// The coefficients of a polynomial, that of all trials last; a single one is the same
  /// everywhere.
  using CellModels = std::array<std::vector<double>, kGroups + 1>;

  /// The terms of a polynomial: those of the parameters that vary, the first of them crossed.
  struct Terms {
    std::size_t parameters = 0;
    std::size_t crossed = 0;
    bool squares = true;  ///< of the others

    [[nodiscard]] std::size_t count() const;
    template <typename Row>
    void set(Values z, Row row) const;
    [[nodiscard]] double sum(const std::vector<double>& coefficients, Values z) const;
  };

  [[nodiscard]] Values values_of(std::size_t trial) const {
    return Values(values_).subspan(trial * parameters_, parameters_);
  }
  void choose_units(std::size_t trials);
  void choose_margin();
  void choose_terms();
  [[nodiscard]] std::vector<double> importances() const;
  [[nodiscard]] std::vector<std::size_t> mixed_cells(std::size_t most) const;
  [[nodiscard]] std::vector<std::size_t> cells_around(std::size_t cell) const;
  [[nodiscard]] Neighbourhood neighbourhood(std::size_t cell) const;
  [[nodiscard]] CellModels fit(std::size_t cell) const;

  [[nodiscard]] std::size_t cell_of(Values values) const;
  /// How far from a cell a trial was, in cells along the axis where it is farthest; < 0 inside.
  [[nodiscard]] double distance_cells(Values z) const;
  /// The parameters that vary, in units of their variation, seen from a cell's centre.
  void scale(Values values, std::size_t cell, std::span<double> z) const;
  [[nodiscard]] bool succeeds_at(Values values, std::size_t cell, std::size_t without) const;

  CellGrid grid_;
  std::array<Axis, 3> axes_;  ///< of the grid
  std::size_t parameters_ = kAlways;
  std::vector<double> values_;        ///< all parameters of each trial
  std::vector<std::size_t> varying_;  ///< parameters that vary; x and y always do, and come first
  Terms terms_;
  std::vector<std::vector<double>> centres_;  ///< of each cell; the means of what has no axis
  std::vector<double> units_;                 ///< cell sizes; the deviations of what has no axis
  double margin_cells_ = 0.0;                 ///< how far around a cell its trials are taken from
  std::vector<std::vector<Trial>> cells_;
  std::vector<CellModels> models_;
  std::vector<Check> checks_;
};

}  // namespace graspmap
