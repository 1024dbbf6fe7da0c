#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grasp/base/io/number.hpp"
#include "grasp/sweep/config/config_keys.hpp"
#include "grasp/sweep/config/distributions.hpp"

namespace graspmap {

/// A range of angles in degrees.
NumberRange in_degrees(const NumberRange& range);

/// Reads the rows of a table into their members; a key that is left out leaves its member. Keys of
/// angles may stand in degrees, under names that end with _deg. Throws ConfigError. What is missing
/// or unknown, check_keys (key_list.hpp) has said before.
class KeyReader {
 public:
  /// Distributions in the places of numbers go into `inputs`, by the numbers' keys, which
  /// begin with `prefix`: in a piece that is not the table's path. Files are looked for in
  /// `folder`, which tables without files do not need.
  explicit KeyReader(const TomlTable& table, std::filesystem::path folder = {},
                     std::vector<WrittenInput>* inputs = nullptr, std::string prefix = {});

  void operator()(const KeyRow& row, double& value);
  void operator()(const KeyRow& row, double& a, double& b);
  void operator()(const KeyRow& row, Vec2& v) { (*this)(row, v.x(), v.y()); }
  void operator()(const KeyRow& row, int& value);
  void operator()(const KeyRow& row, std::int64_t& value);
  void operator()(const KeyRow& row, std::uint64_t& value);
  void operator()(const KeyRow& row, bool& truth);
  /// A number for both, or two; in the row's range.
  void operator()(const KeyRow& row, std::optional<std::array<double, 2>>& pair);
  template <typename T>
  void operator()(const KeyRow& row, std::optional<T>& value) {
    if (!given(row).empty()) (*this)(row, value.emplace());
  }
  void operator()(const KeyRow& row, std::string& name);
  void operator()(const KeyRow& row, std::vector<std::string>& texts);
  void operator()(const KeyRow& row, std::vector<TouchTarget>& targets);  ///< their names
  void operator()(const KeyRow& row, std::optional<Window>& window);
  void operator()(const KeyRow& row, Distribution& distribution);
  template <std::size_t N>
  void operator()(const KeyRow& row, std::array<double, N>& values) {
    const std::string key = given(row);
    if (key.empty()) return;
    values = table_.numbers<N>(key);
    for (double& value : values) value *= factor(row, key);
  }
  template <typename Words, typename Choice>
  void choice(const KeyRow& row, const Words& words, Choice& choice) {
    if (given(row).empty()) return;
    choice = static_cast<Choice>(table_.choice(row.name, {words.begin(), words.end()}));
  }
  static void listed(const KeyRow& /*row*/, KeyKind /*kind*/) {}
  static bool has(bool /*truth*/) { return true; }
  static bool writes(bool /*truth*/) { return true; }

  /// The first key that the table had; "" before any.
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  /// The name under which the table has a key, maybe in degrees; "" when it has none.
  [[nodiscard]] std::string given(const KeyRow& row) {
    std::string key = table_.given(row.name);
    if (first_.empty()) first_ = key;
    return key;
  }
  /// What a value under this name is multiplied by.
  [[nodiscard]] static double factor(const KeyRow& row, std::string_view key) {
    return key.starts_with(row.name) ? 1.0 : kDegree_rad;
  }
  [[nodiscard]] static NumberRange in_unit(const KeyRow& row, std::string_view key,
                                           const NumberRange& range) {
    return key.starts_with(row.name) ? range : in_degrees(range);
  }
  /// A number among numbers of `range`, or the median of a distribution, which goes among the
  /// distributions.
  [[nodiscard]] double number(const KeyRow& row, const std::string& key, const NumberRange& range);
  [[nodiscard]] std::int64_t integer(const KeyRow& row, std::int64_t fallback);

  TomlTable table_;
  std::filesystem::path folder_;
  std::vector<WrittenInput>* inputs_;
  std::string prefix_;
  std::string first_;
};

}  // namespace graspmap
