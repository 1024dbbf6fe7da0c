#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "grasp/base/probability/proportions.hpp"
#include "grasp/base/probability/random.hpp"
#include "grasp/decide/statistics/compared_cells.hpp"

using namespace graspmap;

namespace {

double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

/// The probability of k marked ones in a sample, by factorials.
double hypergeometric(int k, int marked, int sample, int all) {
  return std::exp(log_choose(marked, k) + log_choose(all - marked, sample - k) -
                  log_choose(all, sample));
}

double log_likelihood(const SampleCounts& counts, double p) {
  const auto s = static_cast<double>(counts.successes);
  const auto f = static_cast<double>(counts.trials - counts.successes);
  return (s > 0 ? s * std::log(p) : 0.0) + (f > 0 ? f * std::log(1 - p) : 0.0);
}

Estimate wilson(std::int64_t successes, std::int64_t trials) {
  return {static_cast<double>(successes) / static_cast<double>(trials),
          wilson_interval(successes, trials)};
}

/// Draws a pair of samples of one cell.
SamplePair draw_pair(double p_a, double p_b, std::uint64_t set, std::uint32_t cell) {
  constexpr std::int64_t kTrialsA = 40;
  constexpr std::int64_t kTrialsB = 8;
  const auto draw = [&](double p, std::int64_t n, std::uint32_t stream) {
    return SampleCounts{
        CountDistribution::binomial(n, p).quantile(uniform_open(5, set, 2 * cell + stream)), n};
  };
  return {draw(p_a, kTrialsA, 0), draw(p_b, kTrialsB, 1)};
}

/// p-values of many sets of 12 cells in which b succeeds more often by `shift`.
std::vector<double> p_values(int sets, double shift) {
  std::vector<double> values;
  for (int set = 0; set < sets; ++set) {
    std::vector<SamplePair> cells;
    for (std::uint32_t c = 0; c < 12; ++c) {
      const double p = 0.05 + 0.05 * c;
      cells.push_back(draw_pair(p, p + shift, static_cast<std::uint64_t>(set), c));
    }
    values.push_back(homogeneity_test(cells, 199, 3).p_value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("tables of counts have the probabilities of closed forms", "[statistics]") {
  const auto binomial = CountDistribution::binomial(11, 0.3);
  CHECK(binomial.first() == 0);
  CHECK(binomial.last() == 11);
  for (int k = 0; k <= 11; ++k) {
    const double exact = std::exp(log_choose(11, k)) * std::pow(0.3, k) * std::pow(0.7, 11 - k);
    CHECK(binomial.probability(k) == Approx(exact).epsilon(1e-12));
  }
  const auto tables = CountDistribution::hypergeometric(7, 9, 12);
  CHECK(tables.first() == 4);
  CHECK(tables.last() == 7);
  for (int k = 4; k <= 7; ++k) {
    CHECK(tables.probability(k) == Approx(hypergeometric(k, 7, 9, 12)).epsilon(1e-12));
  }
  CHECK(tables.probability(3) == 0.0);
}

TEST_CASE("tables of counts that are certain, and of very many trials", "[statistics]") {
  CHECK(CountDistribution::binomial(5, 0.0).quantile(0.999) == 0);
  CHECK(CountDistribution::binomial(5, 1.0).quantile(0.001) == 5);
  CHECK(CountDistribution::binomial(0, 0.5).quantile(0.5) == 0);
  CHECK(CountDistribution::hypergeometric(0, 3, 9).quantile(0.5) == 0);
  const auto many = CountDistribution::binomial(1'000'000, 0.25);
  double sum = 0;
  for (std::int64_t k = many.first(); k <= many.last(); ++k) sum += many.probability(k);
  CHECK(sum == Approx(1.0).epsilon(1e-9));
  CHECK(static_cast<double>(many.quantile(0.975)) ==
        Approx(250'000 + 1.96 * std::sqrt(1e6 * 0.25 * 0.75)).margin(2));
}

TEST_CASE("draws follow their distribution", "[statistics]") {
  const auto table = CountDistribution::binomial(3, 0.4);
  CHECK(table.quantile(0.2159) == 0);  // 0.6^3 = 0.216
  CHECK(table.quantile(0.2161) == 1);
  CHECK(table.quantile(0.6479) == 1);
  CHECK(table.quantile(0.6481) == 2);
  CHECK(table.quantile(0.9361) == 3);
}

TEST_CASE("Fisher's exact test gives published p-values", "[statistics]") {
  // Fisher's tea tasting (1935); convictions of twins (Fisher 1962), as in R's fisher.test.
  CHECK(fisher_exact_p_value({3, 4}, {1, 4}) == Approx(34.0 / 70).epsilon(1e-9));
  CHECK(fisher_exact_p_value({2, 17}, {10, 13}) == Approx(0.0005367).epsilon(1e-4));
  CHECK(fisher_exact_p_value({10, 13}, {2, 17}) == fisher_exact_p_value({2, 17}, {10, 13}));
}

TEST_CASE("Fisher's exact test is the sum over all tables", "[statistics]") {
  const SampleCounts a{17, 40};
  const SampleCounts b{2, 13};
  const double here = hypergeometric(17, 19, 40, 53);
  double sum = 0;
  for (int k = 6; k <= 19; ++k) {
    const double p = hypergeometric(k, 19, 40, 53);
    if (p <= here * (1 + 1e-9)) sum += p;
  }
  CHECK(fisher_exact_p_value(a, b) == Approx(sum).epsilon(1e-9));
  CHECK(fisher_exact_p_value({0, 4}, {0, 9}) == 1.0);
  CHECK(fisher_exact_p_value({4, 4}, {9, 9}) == 1.0);
  CHECK(fisher_exact_p_value({0, 100'000'000}, {100'000'000, 100'000'000}) > 0.0);
  CHECK(std::isnan(fisher_exact_p_value({0, 0}, {3, 9})));
}

TEST_CASE("failed trials make a p-value as large as they can", "[statistics]") {
  const double with = fisher_exact_p_value({30, 40, 6}, {5, 20});
  CHECK(with == Approx(std::max(fisher_exact_p_value({30, 46}, {5, 20}),
                                fisher_exact_p_value({36, 46}, {5, 20}))));
  CHECK(with > fisher_exact_p_value({30, 40}, {5, 20}));
  CHECK(fisher_exact_p_value({20, 20}, {0, 0, 20}) == 1.0);
}

TEST_CASE("Newcombe's intervals are those of his table II", "[statistics]") {
  // Newcombe 1998, method 10: s1/n1 - s2/n2 and the 95 % limits.
  const auto [s1, n1, s2, n2, low, high] =
      GENERATE(table<int, int, int, int, double, double>({{56, 70, 48, 80, 0.0524, 0.3339},
                                                          {9, 10, 3, 10, 0.1705, 0.8090},
                                                          {6, 7, 2, 7, 0.0582, 0.8062},
                                                          {5, 56, 0, 29, -0.0381, 0.1926},
                                                          {0, 10, 0, 20, -0.1611, 0.2775},
                                                          {0, 10, 0, 10, -0.2775, 0.2775}}));
  const Interval interval = newcombe_interval(wilson(s1, n1), wilson(s2, n2));
  CHECK(interval.low == Approx(low).margin(6e-5));
  CHECK(interval.high == Approx(high).margin(6e-5));
}

TEST_CASE("the deviance is twice the gain in log likelihood", "[statistics]") {
  const auto [a, b] = GENERATE(table<SampleCounts, SampleCounts>(
      {{{3, 10}, {7, 9}}, {{0, 10}, {4, 9}}, {{10, 10}, {4, 9}}, {{0, 3}, {3, 3}}}));
  const double common =
      static_cast<double>(a.successes + b.successes) / static_cast<double>(a.trials + b.trials);
  const double gain = log_likelihood(a, a.probability()) + log_likelihood(b, b.probability()) -
                      log_likelihood(a, common) - log_likelihood(b, common);
  CHECK(two_sample_deviance(a, b) == Approx(2 * gain).epsilon(1e-12));
  CHECK(two_sample_deviance({3, 9}, {5, 15}) == Approx(0.0).margin(1e-12));
}

TEST_CASE("the p-value of all cells is that of all tables with their totals", "[statistics]") {
  // Two cells, all tables enumerated: the successes of b in each.
  const std::vector<SamplePair> cells = {{{9, 20}, {7, 10}}, {{3, 15}, {1, 6}}};
  const double observed =
      two_sample_deviance(cells[0].a, cells[0].b) + two_sample_deviance(cells[1].a, cells[1].b);
  double exact = 0;
  for (int j = 0; j <= 10; ++j) {
    for (int k = 0; k <= 4; ++k) {
      const double deviance =
          two_sample_deviance({16 - j, 20}, {j, 10}) + two_sample_deviance({4 - k, 15}, {k, 6});
      const double p = hypergeometric(j, 16, 10, 30) * hypergeometric(k, 4, 6, 21);
      if (deviance >= observed - 1e-9) exact += p;
    }
  }
  const HomogeneityTest test = homogeneity_test(cells, 20'000, 1);
  CHECK(test.deviance == Approx(observed));
  CHECK(test.p_value == Approx(exact).margin(4 * std::sqrt(exact * (1 - exact) / 20'000)));
  CHECK(test.informative_cells == 2);
}

TEST_CASE("the difference that chance makes is its mean over all tables", "[statistics]") {
  const std::vector<SamplePair> cells = {{{9, 20}, {7, 10}, 3.0}, {{15, 15}, {6, 6}, 1.0}};
  double chance = 0;
  for (int k = 0; k <= 10; ++k) {
    chance += hypergeometric(k, 16, 10, 30) * std::abs(k / 10.0 - (16 - k) / 20.0);
  }
  const HomogeneityTest test = homogeneity_test(cells, 10, 1);
  CHECK(test.mean_difference == Approx(0.75 * 0.25));
  CHECK(test.mean_by_chance == Approx(0.75 * chance));
  CHECK(test.cells == 2);
  CHECK(test.informative_cells == 1);
}

TEST_CASE("p-values are uniform when both are the same process and small when not",
          "[statistics]") {
  constexpr int kSets = 200;
  const std::vector<double> same = p_values(kSets, 0.0);
  double distance = 0;  // of Kolmogorov and Smirnov; 1.63 / sqrt(200) = 0.115 at 1 %
  for (int k = 0; k < kSets; ++k) {
    const double p = same[static_cast<std::size_t>(k)];
    distance = std::max({distance, (k + 1.0) / kSets - p, p - static_cast<double>(k) / kSets});
  }
  CHECK(distance < 0.115);
  const std::vector<double> other = p_values(50, 0.35);
  CHECK(other[45] <= 0.05);  // 9 of 10 are noticed
}

TEST_CASE("cells that say nothing and failed trials in the test of all cells", "[statistics]") {
  const HomogeneityTest nothing =
      homogeneity_test(std::vector<SamplePair>{{{5, 5}, {3, 3}}, {{0, 0}, {1, 3}}}, 99, 1);
  CHECK(nothing.p_value == 1.0);
  CHECK(nothing.informative_cells == 0);
  CHECK(nothing.cells == 1);
  CHECK(homogeneity_test({}, 99, 1).p_value == 1.0);

  const auto p_of = [](SampleCounts a) {
    return homogeneity_test(std::vector<SamplePair>{{a, {18, 20}}}, 999, 1).p_value;
  };
  CHECK(p_of({50, 80, 20}) == p_of({70, 100}));
  CHECK(p_of({50, 80, 20}) > p_of({50, 80}));
}
