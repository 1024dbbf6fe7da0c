#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "grasp/config/sweep_config.hpp"
#include "grasp/statistics/logistic_fit.hpp"

namespace graspmap {

/// A trial that an emulator learns from.
struct GraspEmulatorTrial {
  TrialParameters parameters;
  bool success = false;
};

/// Tells from the trials of a run whether a grasp with any parameters succeeds. The outcome is a
/// function of five numbers (placement, angle, two friction coefficients), so the boundary between
/// success and none can be learnt: for each cell of the map a logistic regression on a polynomial
/// of second degree in the parameters that vary is fitted to the trials in the cell (by where the
/// gripper was, noise included) and, with a weight that falls to 0, to those around it; about 60
/// trials per coefficient (local regression: Cleveland and Devlin 1988; local likelihood:
/// Tibshirani and Hastie 1987). A grasp succeeds where the probability is above one half.
///
/// There are kGroups further emulators, each without one of kGroups equal groups of the trials.
/// They tell how exact is what follows from the emulator (jackknife), and how well it foretells
/// trials that it has not seen.
class GraspEmulator {
 public:
  static constexpr std::size_t kGroups = 20;
  static constexpr std::size_t kAll = kGroups;  ///< the emulator of all trials

  /// `trials` in the order of their indices, which deals them out to the groups.
  GraspEmulator(const CellGrid& grid, const std::vector<GraspEmulatorTrial>& trials);

  /// Whether the grasp succeeds, as the trials without group `without` (or kAll) tell it. Beyond
  /// the map's edge (of the angles too), as the edge's cell tells it.
  [[nodiscard]] bool succeeds(const TrialParameters& parameters, std::size_t without = kAll) const;

  /// A trial as the emulator without its group foretells it.
  struct Check {
    std::size_t trial = 0;  ///< its place among the trials
    std::size_t group = 0;
    bool foretold = false;
  };
  /// Of all trials, cell by cell.
  [[nodiscard]] const std::vector<Check>& checks() const { return checks_; }

 private:
  static constexpr std::size_t kMostParameters = 5;
  using Point = std::array<double, kMostParameters>;

  struct Trial {
    Point values{};  ///< all parameters
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

  void choose_units(const std::vector<GraspEmulatorTrial>& trials);
  void sort_into_cells(const std::vector<GraspEmulatorTrial>& trials);
  void choose_margin(std::size_t trials);
  [[nodiscard]] std::vector<std::size_t> cells_around(std::size_t cell) const;
  [[nodiscard]] Neighbourhood neighbourhood(std::size_t cell) const;
  [[nodiscard]] CellModels fit(std::size_t cell) const;
  void check(std::size_t cell);

  [[nodiscard]] std::size_t cell_of(const Point& values) const;
  /// How far from a cell a trial was, in cells along the axis where it is farthest; < 0 inside.
  [[nodiscard]] double distance_cells(const Point& z) const;
  /// The parameters that vary, in units of their variation, seen from a cell's centre.
  [[nodiscard]] Point scaled(const Point& values, std::size_t cell) const;
  [[nodiscard]] bool succeeds_at(const Point& values, std::size_t cell, std::size_t without) const;

  CellGrid grid_;
  std::array<Axis, 3> axes_;          ///< of the grid
  std::vector<std::size_t> varying_;  ///< parameters that vary; x and y always do
  std::vector<Point> centres_;        ///< of each cell; the means of what has no axis
  Point units_{};                     ///< cell sizes; the deviations of what has no axis
  double margin_cells_ = 0.0;         ///< how far around a cell its trials are taken from
  std::vector<std::vector<Trial>> cells_;
  std::vector<CellModels> models_;
  std::vector<Check> checks_;
};

}  // namespace graspmap
