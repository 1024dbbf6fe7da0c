#include "grasp/decide/statistics/tempered_sampler.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "grasp/base/algebra/dense.hpp"
#include "grasp/base/probability/distribution.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/statistics/weighted_sample.hpp"

namespace graspmap {
namespace {

/// Into [0, 1], as if the faces were mirrors.
double reflected(double u) {
  const double folded = std::fmod(std::abs(u), 2.0);
  return folded > 1.0 ? 2.0 - folded : folded;
}

class Sampler {
 public:
  Sampler(int dimension, const LogLikelihood& log_likelihood, const SamplerSettings& settings)
      : log_likelihood_(log_likelihood), settings_(settings) {
    draws_.dimension = dimension;
    draw_prior();
  }

  PosteriorDraws run() {
    while (power_ < settings_.power) {
      const double before = power_;
      power_ = next_power();
      const std::vector<double> weights = incremental_weights(power_ - before);
      add_evidence(power_ - before, weights);
      resample(weights);
      const auto ancestors = draws_.points;
      move_all();
      draws_.effective_draws = effective_draws(ancestors);
      ++draws_.temperatures;
    }
    return draws_;
  }

 private:
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(settings_.draws); }

  void for_each(const std::function<void(std::size_t)>& work) const {
    if (settings_.for_each) {
      settings_.for_each(count(), work);
      return;
    }
    for (std::size_t i = 0; i < count(); ++i) work(i);
  }

  /// One that is not finite is that of a point which the data rule out.
  [[nodiscard]] double log_likelihood_at(std::span<const double> point) const {
    const double value = log_likelihood_(point);
    return std::isfinite(value) ? value : kImpossible;
  }

  /// The next random number of draw `index`.
  double uniform(std::size_t index) {
    return uniform_open(settings_.seed, index, numbers_used_[index]++);
  }
  double normal(std::size_t index) { return normal_score(uniform(index)); }

  void draw_prior() {
    numbers_used_.assign(count(), 0);
    draws_.points.resize(count());
    draws_.log_likelihood.resize(count());
    for_each([&](std::size_t i) {
      std::vector<double> point;
      for (int k = 0; k < draws_.dimension; ++k) point.push_back(uniform(i));
      draws_.log_likelihood[i] = log_likelihood_at(point);
      draws_.points[i] = std::move(point);
    });
    if (!(highest_log_likelihood() > kImpossible)) {
      throw NowhereFinite("the likelihood is nowhere finite");
    }
  }

  [[nodiscard]] double highest_log_likelihood() const {
    return *std::max_element(draws_.log_likelihood.begin(), draws_.log_likelihood.end());
  }

  /// exp(step * log likelihood), the largest scaled to 1.
  [[nodiscard]] std::vector<double> incremental_weights(double step) const {
    const double highest = highest_log_likelihood();
    std::vector<double> weights;
    for (const double l : draws_.log_likelihood) weights.push_back(std::exp(step * (l - highest)));
    return weights;
  }

  /// The power at which half of the draws are effective, at most the last one. Bisection.
  [[nodiscard]] double next_power() const {
    const auto enough = [&](double power) {
      return effective_sample_size(incremental_weights(power - power_)) >= 0.5 * settings_.draws;
    };
    if (enough(settings_.power)) return settings_.power;
    double low = power_;
    double high = settings_.power;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (enough(middle) ? low : high) = middle;
    }
    return high;
  }

  /// The evidence is the product of the mean weights.
  void add_evidence(double step, const std::vector<double>& weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    draws_.log_evidence += std::log(sum / settings_.draws) + step * highest_log_likelihood();
  }

  /// Systematic resampling (Kitagawa 1996): as many copies of each draw as its weight asks for,
  /// rounded up or down.
  void resample(const std::vector<double>& weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double offset = uniform(0);
    std::vector<std::vector<double>> points;
    std::vector<double> log_likelihood;
    cluster_of_.clear();
    double below = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      below += weights[i] / sum * settings_.draws;
      while (points.size() < count() &&
             (static_cast<double>(points.size()) + offset < below || i + 1 == count())) {
        points.push_back(draws_.points[i]);
        log_likelihood.push_back(draws_.log_likelihood[i]);
        cluster_of_.push_back(i);
      }
    }
    draws_.points = std::move(points);
    draws_.log_likelihood = std::move(log_likelihood);
  }

  /// A matrix L with L L^T the covariance of the draws.
  [[nodiscard]] Eigen::MatrixXd covariance_root() const {
    const int d = draws_.dimension;
    Eigen::MatrixXd points(settings_.draws, d);
    for (int i = 0; i < settings_.draws; ++i) {
      for (int k = 0; k < d; ++k) {
        points(i, k) = draws_.points[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
      }
    }
    const Eigen::RowVectorXd mean = points.colwise().mean();
    const Eigen::MatrixXd centred = points.rowwise() - mean;
    Eigen::MatrixXd covariance = transposed_product(centred, centred) / settings_.draws;
    covariance.diagonal().array() += 1e-12;  // draws that all agree may still move
    return cholesky_root(covariance);
  }

  void move_all() {
    const Eigen::MatrixXd root = covariance_root();
    for (int step = 0; step < settings_.moves; ++step) {
      std::vector<char> accepted(count());
      for_each([&](std::size_t i) { accepted[i] = move(i, root) ? 1 : 0; });
      adapt_scale(static_cast<double>(std::count(accepted.begin(), accepted.end(), 1)) /
                  settings_.draws);
    }
  }

  bool move(std::size_t i, const Eigen::MatrixXd& root) {
    Eigen::VectorXd z(draws_.dimension);
    for (int k = 0; k < draws_.dimension; ++k) z(k) = normal(i);
    const Eigen::VectorXd step = scale_ * (root * z);
    std::vector<double> proposed = draws_.points[i];
    for (std::size_t k = 0; k < proposed.size(); ++k) {
      proposed[k] = reflected(proposed[k] + step(static_cast<Eigen::Index>(k)));
    }
    const double log_likelihood = log_likelihood_at(proposed);
    const double log_ratio = power_ * (log_likelihood - draws_.log_likelihood[i]);
    if (!(std::log(uniform(i)) < log_ratio)) return false;
    draws_.points[i] = std::move(proposed);
    draws_.log_likelihood[i] = log_likelihood;
    return true;
  }

  /// Steps in which about 30 % are accepted explore best (Roberts, Gelman, Gilks 1997).
  void adapt_scale(double acceptance) {
    scale_ = std::clamp(scale_ * std::exp(acceptance - 0.3), 0.05, 3.0);
  }

  [[nodiscard]] double effective_draws(const std::vector<std::vector<double>>& ancestors) const {
    std::vector<double> sizes(count());
    for (const std::size_t cluster : cluster_of_) ++sizes[cluster];
    double squares = 0;
    for (const double m : sizes) squares += m * m;
    const double r = largest_correlation(ancestors);
    return settings_.draws / (1 + r * r * (squares / settings_.draws - 1));
  }

  /// Over the coordinates, of the draws before and after their moves.
  [[nodiscard]] double largest_correlation(
      const std::vector<std::vector<double>>& ancestors) const {
    double largest = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(draws_.dimension); ++k) {
      Eigen::ArrayXd before(settings_.draws);
      Eigen::ArrayXd after(settings_.draws);
      for (std::size_t i = 0; i < count(); ++i) {
        before(static_cast<Eigen::Index>(i)) = ancestors[i][k];
        after(static_cast<Eigen::Index>(i)) = draws_.points[i][k];
      }
      before -= before.mean();
      after -= after.mean();
      const double norm = std::sqrt(before.square().sum() * after.square().sum());
      if (norm > 0) largest = std::max(largest, (before * after).sum() / norm);
    }
    return largest;
  }

  static constexpr double kImpossible = -1e300;

  const LogLikelihood& log_likelihood_;
  SamplerSettings settings_;
  PosteriorDraws draws_;
  std::vector<std::uint32_t> numbers_used_;
  std::vector<std::size_t> cluster_of_;  ///< the ancestor of each draw
  double power_ = 0.0;
  double scale_ = 1.0;  ///< of the steps, in units of the draws' covariance
};

}  // namespace

PosteriorDraws sample_posterior(int dimension, const LogLikelihood& log_likelihood,
                                const SamplerSettings& settings) {
  if (dimension < 1 || settings.draws < 10) throw std::logic_error("no posterior to sample");
  return Sampler(dimension, log_likelihood, settings).run();
}

}  // namespace graspmap
