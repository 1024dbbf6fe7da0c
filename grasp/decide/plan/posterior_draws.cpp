#include "grasp/decide/plan/posterior_draws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "grasp/base/io/csv.hpp"
#include "grasp/base/io/errors.hpp"
#include "grasp/decide/reweight/new_run.hpp"
#include "grasp/decide/reweight/reweighted_map.hpp"

namespace graspmap {
namespace {

constexpr std::array kFrictionKeys = {"friction.jaw", "friction.support"};
constexpr double kLeastWidth = 1.0 / 20;  ///< of a distribution, of the stored one's

/// How wide a stored distribution is: between its bounds, or 6 standard deviations.
double width_of(const Distribution& distribution) {
  const double width = distribution.range().high - distribution.range().low;
  return std::isfinite(width) ? width : 6 * distribution.sigma().value_or(0.0);
}

/// The text of a field of a JSON object: of one without escapes, as file names of this program are.
std::optional<std::string> text_field(const std::string& json, const std::string& key) {
  const std::size_t found = json.find("\"" + key + "\"");
  if (found == std::string::npos) return std::nullopt;
  const std::size_t colon = json.find(':', found + key.size() + 2);
  const std::size_t begin = colon == std::string::npos ? colon : json.find('"', colon);
  const std::size_t end = begin == std::string::npos ? begin : json.find('"', begin + 1);
  if (end == std::string::npos) return std::nullopt;
  return json.substr(begin + 1, end - begin - 1);
}

std::filesystem::path posterior_file(const std::filesystem::path& calibrate_json) {
  const std::string text = read_csv_text(calibrate_json);
  if (!text.starts_with('{')) {
    throw config_error({calibrate_json.string()}, "",
                       "is no calibrate.json; must be the file that `graspmap calibrate` writes");
  }
  return calibrate_json.parent_path() /
         text_field(text, "posterior_file").value_or("posterior.csv");
}

/// One row of the posterior's table.
class DrawReader {
 public:
  DrawReader(const CsvTable& table, const std::array<Distribution, 2>& stored,
             const std::filesystem::path& run)
      : table_(table), stored_(stored), run_(run) {}

  [[nodiscard]] PosteriorDraw read(const CsvRow& row) const {
    PosteriorDraw draw;
    for (std::size_t input = 0; input < 2; ++input) draw.friction[input] = distribution(row, input);
    draw.offset = {number(row, "offset.x_mm").value_or(0), number(row, "offset.y_mm").value_or(0),
                   number(row, "offset.theta_rad").value_or(0)};
    const std::optional<double> noise = number(row, "noise.xy_mm");
    const std::optional<double> angle = number(row, "noise.theta_rad");
    if (noise || angle) {
      draw.noise = PlacementVector{noise.value_or(0), noise.value_or(0), angle.value_or(0)};
    }
    return draw;
  }

  /// Whether there is a column that read() looks for.
  [[nodiscard]] bool knows_any() const {
    const auto& names = table_.header.fields;
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return name.starts_with("friction.") || name.starts_with("offset.") ||
             name.starts_with("noise.");
    });
  }

 private:
  [[nodiscard]] std::optional<double> number(const CsvRow& row, const std::string& name) const {
    const std::optional<std::size_t> column = table_.find_column(name);
    if (!column) return std::nullopt;
    return table_.number(row, *column);
  }

  /// min and max, mean and width, or mean and sigma; nothing without such columns.
  [[nodiscard]] std::optional<Distribution> distribution(const CsvRow& row,
                                                         std::size_t input) const {
    const std::string key = kFrictionKeys[input];
    const auto of = [&](const char* name) { return number(row, key + name); };
    const std::optional<double> sigma = of(".sigma");
    const std::optional<double> width = of(".width");
    const std::optional<double> mean = of(".mean");
    const std::optional<double> min = of(".min");
    const std::optional<double> max = of(".max");
    if (sigma && mean) return normal(row, input, *mean, *sigma);
    if (width && mean) return uniform(row, input, *mean - *width / 2, *mean + *width / 2);
    if (min && max) return uniform(row, input, *min, *max);
    return std::nullopt;
  }

  [[nodiscard]] Distribution uniform(const CsvRow& row, std::size_t input, double low,
                                     double high) const {
    const Interval run = stored_[input].range();
    const double least = kLeastWidth * width_of(stored_[input]);
    const double middle = (low + high) / 2;
    low = std::clamp(std::min(low, middle - least / 2), run.low, run.high - least);
    high = std::clamp(std::max(high, middle + least / 2), run.low + least, run.high);
    return checked(row, input, Uniform{low, high}, middle);
  }

  [[nodiscard]] Distribution normal(const CsvRow& row, std::size_t input, double mean,
                                    double sigma) const {
    const Interval run = stored_[input].range();
    const double least = kLeastWidth * width_of(stored_[input]) / std::sqrt(12.0);
    return checked(row, input, TruncatedNormal{mean, std::max(sigma, least), run.low, run.high},
                   mean);
  }

  /// The stored trials must cover the distribution.
  [[nodiscard]] Distribution checked(const CsvRow& row, std::size_t input,
                                     const Distribution& distribution, double middle) const {
    const Distribution& run = stored_[input];
    const std::string problem =
        middle < run.range().low || middle > run.range().high
            ? fmt::format("{} is outside of the run's distribution, {}", middle, run.text())
            : uncovered_text(run, distribution);
    if (problem.empty()) return distribution;
    throw config_error(table_.place(row), kFrictionKeys[input],
                       fmt::format("{}; simulate what the posterior reaches, and plan with that "
                                   "run: {}",
                                   problem, covering_run()));
  }

  /// The run whose trials cover all draws.
  [[nodiscard]] std::string covering_run() const {
    std::vector<std::string> settings;
    for (const char* key : kFrictionKeys) {
      const auto reach = reach_of_draws(key, [&](const std::string& name) {
        std::vector<double> draws;
        for (const CsvRow& row : table_.rows) {
          if (const auto value = number(row, name)) draws.push_back(*value);
        }
        return draws;
      });
      if (reach) settings.push_back(broad_setting(key, *reach));
    }
    return new_run_command(run_, settings, "calibrated");
  }

  const CsvTable& table_;
  const std::array<Distribution, 2>& stored_;
  const std::filesystem::path& run_;
};

}  // namespace

std::vector<PosteriorDraw> read_posterior(const std::filesystem::path& calibrate_json,
                                          const std::array<Distribution, 2>& stored,
                                          std::size_t most, const std::filesystem::path& run) {
  const CsvTable table = read_csv(posterior_file(calibrate_json));
  const DrawReader reader(table, stored, run);
  if (!reader.knows_any()) {
    throw config_error(table.place(table.header), "",
                       "no column of a posterior; must have columns as friction.jaw.min, "
                       "friction.jaw.max (or .mean, .width or .sigma), offset.x_mm, noise.xy_mm");
  }
  if (table.rows.empty()) {
    throw config_error({table.file}, "", "has no draw; must have a row for each");
  }
  const std::size_t count = std::min(most, table.rows.size());
  std::vector<PosteriorDraw> draws;
  for (std::size_t k = 0; k < count; ++k) {
    draws.push_back(reader.read(table.rows[(2 * k + 1) * table.rows.size() / (2 * count)]));
  }
  return draws;
}

std::vector<double> draw_weights(const PosteriorDraw& draw,
                                 const std::array<Distribution, 2>& stored,
                                 const std::vector<TrialSample>& samples) {
  std::vector<double> weights;
  weights.reserve(samples.size());
  for (const TrialSample& sample : samples) {
    const std::array drawn = {sample.parameters.mu_jaw, sample.parameters.mu_support};
    double weight = 1;
    for (std::size_t input = 0; input < 2; ++input) {
      if (draw.friction[input]) {
        weight *= probability_ratio(stored[input], *draw.friction[input], drawn[input]);
      }
    }
    weights.push_back(weight);
  }
  return weights;
}

}  // namespace graspmap
