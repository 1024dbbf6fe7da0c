#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/request.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"
#include "grasp/base/probability/proportions.hpp"
#include "grasp/decide/support_fit/pushes.hpp"
#include "grasp/decide/support_fit/sliding_model.hpp"
#include "sim/closing/model.hpp"

namespace graspmap {

/// The models that are fitted, from few parameters to many.
enum class SlidingKind {
  kPointsByStatics,    ///< given points, loads by statics: the force of friction only
  kDiagonalEllipsoid,  ///< axes along the part's
  kPoints,             ///< given points, free loads
  kEllipsoid,          ///< a full matrix
  kFourthOrder,        ///< convex
  kGrid                ///< points of a grid, loads >= 0
};

/// "points-by-statics", "ellipsoid-diagonal", "points", "ellipsoid", "fourth-order", "grid".
const char* name(SlidingKind kind);

/// What a fit is asked for.
struct SupportFitOptions {
  std::vector<Eigen::Vector2d> points_mm;  ///< in the file's frame; may be empty
  double length_mm = 0.0;  ///< moments are divided by it; 0: the root mean square of moments
                           ///< over that of forces
  double grid_radius_mm =
      0.0;  ///< of the grid's disc about the centre of mass; 0: twice the length
  std::optional<double> weight_n;
  int folds = 10;
  int resamples = 100;
  std::uint64_t seed = 1;
  double confidence = 0.95;
  /// Called now and then with the share of the work that is done.
  std::function<void(double)> progress = {};
};

/// A number with its bootstrap interval.
struct FittedNumber {
  std::string name;
  double value = 0.0;
  Interval interval;
  std::vector<double> draws = {};  ///< of the bootstrap
};

/// Angles between predicted and measured, degrees.
struct AngleErrors {
  std::vector<double> of_row;
  double mean = 0.0;
  Interval interval;  ///< of the mean, by a bootstrap over pushes
};

/// One model with what it explains.
struct FittedSliding {
  SlidingKind kind = SlidingKind::kEllipsoid;
  std::shared_ptr<const SlidingModel>
      model;             ///< of all rows; lengths divided by SupportFit::length_mm
  double force_n = 0.0;  ///< mu_s times the weight: the mean size of a force without moment
  Interval force_interval;
  std::vector<double> force_draws;  ///< of the bootstrap
  std::vector<FittedNumber> parameters;
  SupportModel support;      ///< as a configuration has it
  int points_left_out = 0;   ///< of a grid with more than kMaxSupportPoints loads
  AngleErrors twist;         ///< held out: of the twist from the wrench
  AngleErrors wrench;        ///< held out: of the wrench from the twist
  double behind = 0.0;       ///< mean error of the twist above the best model's, degrees
  Interval behind_interval;  ///< by a bootstrap over pushes, in pairs
};

struct SupportFit {
  PushFile pushes;                ///< their rows scaled: wrench in N, twist in mm/s, with length_mm
  std::size_t against_force = 0;  ///< rows whose wrench does not do positive work
  double length_mm = 0.0;
  SupportFitOptions options;
  std::vector<FittedSliding> models;  ///< by the mean error of the twist, the best first
};

/// A limit surface of wrenches in N, moments divided by the length, as a configuration has it:
/// `force_n` is mu_s times the weight.
PartEllipsoidSupport surface_support(const EllipsoidSliding& surface, double length_mm,
                                     double force_n);
FourthOrderSupport surface_support(const FourthOrderSliding& surface, double length_mm,
                                   double force_n);

/// Fits all models to pushes and compares them by cross-validation: the pushes are dealt out to
/// `folds` groups, and the rows of each are predicted by a fit of the others. Surfaces are fitted
/// by least squares of the parts of their gradients across the measured twists (in angles, by
/// reweighting) and of their levels, under the constraint of convexity (Zhou et al. 2016); loads by
/// non-negative least squares of wrenches, each for the twist half-way between the measured one and
/// that which the loads of the round before predict. Throws ConfigError for points whose hull
/// leaves out the centre of mass: they cannot carry the part.
SupportFit fit_support(const PushFile& pushes, const SupportFitOptions& options);

/// What is printed: errors of each model, which explains best, the [support] block of the simplest
/// that the pushes do not tell apart from it.
std::string support_fit_text(const SupportFit& fit);

/// All of it as JSON.
Object support_fit_fields(const SupportFit& fit);

/// The held-out errors of each row by each model.
Table support_fit_table(const SupportFit& fit);

/// support.toml: that block with comments.
std::string support_fit_toml(const SupportFit& fit);

/// Sections of the limit surfaces with the measured wrenches; errors of the models.
std::vector<Figure> support_fit_figures(const SupportFit& fit);

/// The table's friction under a part: what `graspmap fit-support` and fit_support are asked.
/// fields() says what each means.
struct SupportFitRequest : SupportFitOptions {
  std::vector<std::array<double, 2>> center;
  std::vector<std::array<double, 2>> points;

  RequestFields fields();
};

/// Fits a file of pushes. `show` gets the share of the work that is done. Throws RequestError,
/// ConfigError.
SupportFit fit_support(const std::filesystem::path& pushes, const SupportFitRequest& request,
                       const std::function<void(double)>& show);

}  // namespace graspmap
