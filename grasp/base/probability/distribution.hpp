#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "grasp/base/probability/proportions.hpp"

namespace graspmap {

/// Inputs that are checked at their ends are drawn from u in [kLeastLevel, 1 - kLeastLevel].
inline constexpr double kLeastLevel = 1e-9;

struct MeanAndVariance {
  double mean = 0.0;
  double variance = 0.0;
};

/// What a number of a distribution is in it.
enum class NumberRole {
  kPlace,     ///< a value of the quantity
  kWidth,     ///< the standard deviation before bounds
  kLotWidth,  ///< the part of it that all parts of a lot have in common
  kWeight     ///< a probability
};

// The one-dimensional distributions, in the unit of the quantity they describe. Each has a word for
// configurations, each() of its numbers by their keys there, in their order, and the moments() of
// its draws; for u in (0, 1) the ascending quantile(u); for x in its range density(x), per unit of
// the quantity, of what is not an atom; atom(x), the probability of exactly x, where it has atoms;
// and cumulative(x). Distribution is any of them, and says what they have in common.

struct Fixed {
  static constexpr const char* kWord = "fixed";
  double value = 0.0;

  static void each(auto& d, const auto& visit) { visit("value", d.value, NumberRole::kPlace); }
  [[nodiscard]] MeanAndVariance moments() const { return {value, 0.0}; }
  [[nodiscard]] double quantile(double /*u*/) const { return value; }
  [[nodiscard]] static double density(double /*x*/) { return 0.0; }
  [[nodiscard]] static double atom(double /*x*/) { return 1.0; }
  [[nodiscard]] static double cumulative(double /*x*/) { return 1.0; }
  friend bool operator==(const Fixed&, const Fixed&) = default;
};

struct Uniform {
  static constexpr const char* kWord = "uniform";
  double min = 0.0;
  double max = 1.0;

  static void each(auto& d, const auto& visit) {
    visit("min", d.min, NumberRole::kPlace);
    visit("max", d.max, NumberRole::kPlace);
  }
  [[nodiscard]] MeanAndVariance moments() const {
    return {(min + max) / 2, (max - min) * (max - min) / 12};
  }
  [[nodiscard]] double quantile(double u) const { return min + u * (max - min); }
  [[nodiscard]] double density(double /*x*/) const { return 1.0 / (max - min); }
  [[nodiscard]] double cumulative(double x) const { return (x - min) / (max - min); }
  friend bool operator==(const Uniform&, const Uniform&) = default;
};

/// Draws beyond a bound become the bound.
struct Normal {
  static constexpr const char* kWord = "normal";
  double mean = 0.0;   ///< without bounds
  double sigma = 1.0;  ///< the same, > 0
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  double lot_sigma = 0.0;  ///< the part of sigma that all parts of a lot have in common, <= sigma

  static void each(auto& d, const auto& visit) {
    visit("mean", d.mean, NumberRole::kPlace);
    visit("sigma", d.sigma, NumberRole::kWidth);
    visit("lot_sigma", d.lot_sigma, NumberRole::kLotWidth);
    visit("min", d.min, NumberRole::kPlace);
    visit("max", d.max, NumberRole::kPlace);
  }
  [[nodiscard]] MeanAndVariance moments() const;
  [[nodiscard]] double quantile(double u) const;
  [[nodiscard]] double density(double x) const;
  [[nodiscard]] double atom(double x) const;
  [[nodiscard]] double cumulative(double x) const;
  friend bool operator==(const Normal&, const Normal&) = default;
};

/// A normal renormalised on its bounds: draws beyond them are redistributed inside.
struct TruncatedNormal {
  static constexpr const char* kWord = "truncated_normal";
  double mean = 0.0;   ///< without bounds
  double sigma = 1.0;  ///< the same, > 0
  double min = 0.0;
  double max = 1.0;

  static void each(auto& d, const auto& visit) {
    visit("mean", d.mean, NumberRole::kPlace);
    visit("sigma", d.sigma, NumberRole::kWidth);
    visit("min", d.min, NumberRole::kPlace);
    visit("max", d.max, NumberRole::kPlace);
  }
  [[nodiscard]] MeanAndVariance moments() const;
  [[nodiscard]] double quantile(double u) const;
  [[nodiscard]] double density(double x) const;
  [[nodiscard]] double cumulative(double x) const;
  /// The uniform distribution that it is to 1e-5 where the bounds are near to each other beside
  /// sigma: there the formulas of a normal subtract numbers that are equal when rounded.
  [[nodiscard]] std::optional<Uniform> flat() const;
  friend bool operator==(const TruncatedNormal&, const TruncatedNormal&) = default;
};

/// Draws beyond a bound become the bound.
struct Lognormal {
  static constexpr const char* kWord = "lognormal";
  double mean = 1.0;   ///< without bounds, > 0
  double sigma = 1.0;  ///< the same, > 0
  double min = 0.0;
  double max = std::numeric_limits<double>::infinity();

  static void each(auto& d, const auto& visit) {
    visit("mean", d.mean, NumberRole::kPlace);
    visit("sigma", d.sigma, NumberRole::kWidth);
    visit("min", d.min, NumberRole::kPlace);
    visit("max", d.max, NumberRole::kPlace);
  }
  [[nodiscard]] MeanAndVariance moments() const;
  [[nodiscard]] double quantile(double u) const;
  [[nodiscard]] double density(double x) const;
  [[nodiscard]] double atom(double x) const;
  [[nodiscard]] double cumulative(double x) const;
  friend bool operator==(const Lognormal&, const Lognormal&) = default;
};

struct Triangular {
  static constexpr const char* kWord = "triangular";
  double min = 0.0;
  double mode = 0.5;  ///< the most probable value
  double max = 1.0;

  static void each(auto& d, const auto& visit) {
    visit("mode", d.mode, NumberRole::kPlace);
    visit("min", d.min, NumberRole::kPlace);
    visit("max", d.max, NumberRole::kPlace);
  }
  [[nodiscard]] MeanAndVariance moments() const;
  [[nodiscard]] double quantile(double u) const;
  [[nodiscard]] double density(double x) const;
  [[nodiscard]] double cumulative(double x) const;
  friend bool operator==(const Triangular&, const Triangular&) = default;
};

struct Discrete {
  static constexpr const char* kWord = "discrete";
  std::vector<double> values;   ///< ascending, at least one
  std::vector<double> weights;  ///< the probability of each; they sum to 1

  static void each(auto& d, const auto& visit) {
    visit("values", d.values, NumberRole::kPlace);
    visit("weights", d.weights, NumberRole::kWeight);
  }
  [[nodiscard]] MeanAndVariance moments() const;
  [[nodiscard]] double quantile(double u) const;
  [[nodiscard]] static double density(double /*x*/) { return 0.0; }
  [[nodiscard]] double atom(double x) const;
  [[nodiscard]] double cumulative(double x) const;
  friend bool operator==(const Discrete&, const Discrete&) = default;
};

/// Uniform in each bin.
struct Histogram {
  static constexpr const char* kWord = "histogram";
  std::vector<double> edges;    ///< ascending, one more than bins
  std::vector<double> weights;  ///< the probability of each bin; they sum to 1

  static void each(auto& d, const auto& visit) {
    visit("edges", d.edges, NumberRole::kPlace);
    visit("counts", d.weights, NumberRole::kWeight);
  }
  /// The bin that holds x; the last one at its upper edge.
  [[nodiscard]] std::size_t bin_of(double x) const;
  [[nodiscard]] MeanAndVariance moments() const;
  [[nodiscard]] double quantile(double u) const;
  [[nodiscard]] double density(double x) const;
  [[nodiscard]] double cumulative(double x) const;
  friend bool operator==(const Histogram&, const Histogram&) = default;
};

/// A random input: any of the distributions above.
class Distribution {
 public:
  using Any = std::variant<Fixed, Uniform, Normal, TruncatedNormal, Lognormal, Triangular, Discrete,
                           Histogram>;

  Distribution() = default;  ///< fixed at 0
  template <typename D>
  requires requires { D::kWord; }
  Distribution(D any) : any_(std::move(any)) {}  // NOLINT(google-explicit-constructor)

  /// The draw that belongs to u in (0, 1). Monotone in u.
  [[nodiscard]] double quantile(double u) const;
  /// 0 outside of the range, as atom().
  [[nodiscard]] double density(double x) const;
  [[nodiscard]] double atom(double x) const;
  /// The probability of a draw <= x.
  [[nodiscard]] double cumulative(double x) const;
  /// The closed interval that holds all draws.
  [[nodiscard]] Interval range() const;
  [[nodiscard]] double mean() const;  ///< of the draws
  [[nodiscard]] double variance() const;

  [[nodiscard]] bool is_fixed() const { return is<Fixed>(); }
  [[nodiscard]] const char* word() const;
  /// The words of all, in the order of Any.
  static std::vector<std::string_view> words();
  /// For people: "uniform 0.05 to 0.35", "normal 0.2 +- 0.05, at least 0".
  [[nodiscard]] std::string text() const;
  /// The standard deviation before bounds, of a distribution that is given by one.
  [[nodiscard]] std::optional<double> sigma() const;
  /// That, or half the width of a uniform one, else the standard deviation of the draws.
  [[nodiscard]] double width() const;
  /// The part of sigma which all parts of a lot have in common; 0 without lots.
  [[nodiscard]] double lot_share() const;

  /// `factor` times as wide about its centre, factor > 0. What has a sigma gets `factor` times
  /// that, and keeps its mean and its bounds. In another distribution each value is `factor` times
  /// as far from the mean.
  [[nodiscard]] Distribution widened(double factor) const;
  /// Each value, and each bound, greater by this; a lognormal one keeps its sigma.
  [[nodiscard]] Distribution shifted(double amount) const;
  /// The same in another unit, of which one of this unit has `factor`, > 0.
  [[nodiscard]] Distribution scaled(double factor) const;
  /// The fixed number where there is no width: sigma is 0, or the bounds are equal.
  [[nodiscard]] Distribution fixed_if_narrow() const;
  /// The same without lots: what all parts have in common is part of their own chance.
  [[nodiscard]] Distribution without_lots() const;

  template <typename D>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<D>(any_);
  }
  /// Null when it is another distribution.
  template <typename D>
  [[nodiscard]] const D* as() const {
    return std::get_if<D>(&any_);
  }
  template <typename Visit>
  decltype(auto) visit(Visit&& visit) const {
    return std::visit(std::forward<Visit>(visit), any_);
  }
  /// visit(key, number, role) for each key that has a number.
  template <typename Visit>
  void each_number(const Visit& visit) const {
    each_of_type<double>(visit);
  }
  /// visit(key, numbers, role) for each key that has a list of numbers.
  template <typename Visit>
  void each_list(const Visit& visit) const {
    each_of_type<std::vector<double>>(visit);
  }
  friend bool operator==(const Distribution&, const Distribution&) = default;

 private:
  template <typename T, typename Visit>
  void each_of_type(const Visit& visit) const {
    const auto visit_some = [&]<typename N>(const char* key, const N& number, NumberRole role) {
      if constexpr (std::is_same_v<N, T>) visit(key, number, role);
    };
    std::visit([&](const auto& d) { d.each(d, visit_some); }, any_);
  }
  /// change(number, role) for each number of a copy, and of its lists.
  template <typename Change>
  [[nodiscard]] Distribution changed(const Change& change) const;

  Any any_;
};

/// The z with Phi(z) = p of the standard normal, 0 < p < 1; relatively exact for p << 1.
double normal_score(double p);

/// Phi(z), the standard normal's distribution function; relatively exact for z << 0.
double normal_cumulative(double z);

/// The standard normal's density.
double normal_density(double z);

/// The value of a sample at rank round(share * (n - 1)), 0 <= share <= 1; NaN without values.
double sample_quantile(std::vector<double> values, double share);

/// The distribution of measured values: a histogram of bins of the same width from the least value
/// to the largest one; a fixed number where all are the same. `bins` 0: as many as the rule of
/// Freedman and Diaconis (1981) gives, of the width 2 IQR / n^(1/3) at least, where half of the
/// values are the same of Sturges (1926), 1 + log2(n); at most 100.
Distribution histogram_of(std::vector<double> values, int bins);

}  // namespace graspmap
