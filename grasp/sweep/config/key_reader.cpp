#include "grasp/sweep/config/key_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "grasp/base/io/toml_document.hpp"

namespace graspmap {

NumberRange in_degrees(const NumberRange& range) {
  constexpr double kDigits = 1e9;  // without the noise of rounding: 162, not 162.00000000000003
  const auto degrees = [](double bound) {
    return std::isinf(bound) ? bound : std::round(bound / kDegree_rad * kDigits) / kDigits;
  };
  return {.min = degrees(range.min), .max = degrees(range.max), .above_min = range.above_min};
}

KeyReader::KeyReader(const TomlTable& table, std::filesystem::path folder,
                     std::vector<WrittenInput>* inputs, std::string prefix)
    : table_(table), folder_(std::move(folder)), inputs_(inputs), prefix_(std::move(prefix)) {}

double KeyReader::number(const KeyRow& row, const std::string& key, const NumberRange& range) {
  const NumberRange values = in_unit(row, key, range);
  const bool has_distribution = table_.has_table(key) && table_.table(key).has("distribution");
  const InputPlace place = table_.location_of(key);
  if (inputs_ == nullptr || !(has_distribution || is_override(place.source))) {
    return table_.number(key, values);
  }
  const Distribution distribution = has_distribution
                                        ? read_distribution(table_, key, kAnyNumber, folder_)
                                        : Distribution(Fixed{table_.number(key, values)});
  // The number's key has the row's name, and what follows the name in `key`: an index.
  const std::size_t dot = key.find('.');
  const std::string name =
      std::string(row.name) + (dot == std::string::npos ? "" : key.substr(dot));
  inputs_->push_back({prefix_.empty() ? table_.path_of(name) : prefix_ + "." + name,
                      table_.path_of(key), place, distribution.scaled(factor(row, key)),
                      has_distribution});
  return distribution.quantile(0.5);
}

void KeyReader::operator()(const KeyRow& row, double& value) {
  const std::string key = given(row);
  if (key.empty()) return;
  const double written = number(row, key, row.quantity.range);
  check_limits(table_, key, written, in_unit(row, key, row.quantity.range));
  check_limits(table_, key, written, in_unit(row, key, row.quantity.limits));
  value = written * factor(row, key);
}

void KeyReader::operator()(const KeyRow& row, double& a, double& b) {
  const std::string key = given(row);
  if (key.empty()) return;
  table_.check_list(key, 2, "a list of 2 finite numbers");
  a = number(row, key + ".0", kAnyNumber);
  b = number(row, key + ".1", kAnyNumber);
  const NumberRange& range = row.quantity.range;
  if (!range.contains(a) || !range.contains(b)) {
    table_.fail(key, fmt::format("is [{}, {}]; both must be > {}", a, b, range.min));
  }
  check_limits(table_, key, a, row.quantity.limits);
  check_limits(table_, key, b, row.quantity.limits);
}

std::int64_t KeyReader::integer(const KeyRow& row, std::int64_t fallback) {
  if (given(row).empty()) return fallback;
  return table_.integer(row.name, integer_bound(row.quantity.range.min),
                        integer_bound(row.quantity.range.max));
}

void KeyReader::operator()(const KeyRow& row, int& value) {
  const std::int64_t number = integer(row, value);
  constexpr int kMost = std::numeric_limits<int>::max();
  if (!std::in_range<int>(number)) {
    table_.fail(row.name, fmt::format("is {}; must be at most {}", number, kMost));
  }
  value = static_cast<int>(number);
}

void KeyReader::operator()(const KeyRow& row, std::int64_t& value) { value = integer(row, value); }

void KeyReader::operator()(const KeyRow& row, std::uint64_t& value) {
  value = static_cast<std::uint64_t>(integer(row, static_cast<std::int64_t>(value)));
}

void KeyReader::operator()(const KeyRow& row, bool& truth) {
  truth = table_.truth_or(truth, row.name);
}

void KeyReader::operator()(const KeyRow& row, std::optional<std::array<double, 2>>& pair) {
  const std::string key = given(row);
  if (key.empty()) return;
  const NumberRange range = in_unit(row, key, row.quantity.range);
  if (table_.has_list(key)) {
    pair = table_.numbers<2>(key);
  } else {
    pair.emplace().fill(table_.number(key, range));
  }
  for (double& number : *pair) {
    check_limits(table_, key, number, range);
    check_limits(table_, key, number, in_unit(row, key, row.quantity.limits));
    number *= factor(row, key);
  }
}

void KeyReader::operator()(const KeyRow& row, std::string& name) {
  if (!given(row).empty()) name = table_.name(row.name);
}

void KeyReader::operator()(const KeyRow& row, std::vector<std::string>& texts) {
  texts = table_.texts_or_none(row.name);
}

void KeyReader::operator()(const KeyRow& row, std::vector<TouchTarget>& targets) {
  for (std::string& name : table_.texts_or_none(row.name)) targets.push_back({std::move(name), {}});
}

void KeyReader::operator()(const KeyRow& row, std::optional<Window>& window) {
  const std::string key = given(row);
  if (key.empty()) return;
  const auto [min, max] = table_.numbers<2>(key);
  if (min >= max) {
    table_.fail(key, fmt::format("is [{}, {}]; must be [min, max] with min below max", min, max));
  }
  window = Window{min * factor(row, key), max * factor(row, key)};
}

void KeyReader::operator()(const KeyRow& row, Distribution& distribution) {
  const std::string key = given(row);
  if (key.empty()) return;
  const double limit = row.quantity.limits.max;
  distribution = read_distribution(table_, key, in_unit(row, key, row.quantity.range), folder_,
                                   std::isinf(limit) ? limits::kMostSpread : limit)
                     .scaled(factor(row, key));
}

}  // namespace graspmap
