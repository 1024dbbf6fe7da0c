#pragma once

#include <toml++/toml.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace graspmap {

/// The numbers that a key admits: finite ones in [min, max], or in (min, max].
struct NumberRange {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool above_min = false;  ///< min itself is not admitted

  [[nodiscard]] bool contains(double value) const;
  /// As messages name it: "a number > 0", "a number from 2 to 100".
  [[nodiscard]] std::string text() const;
};

inline constexpr NumberRange kAnyNumber{};
inline constexpr NumberRange kNonNegative{.min = 0.0};
inline constexpr NumberRange kPositive{.min = 0.0, .above_min = true};

/// True for a text of letters, digits, '-', '_' and '.' that starts with none of "-.", of at most
/// 100 characters.
bool is_name(std::string_view text);

/// What messages say about names.
inline constexpr std::string_view kNameText =
    "a name of letters, digits, '-', '_' and '.', starting with a letter, a digit or '_'";

/// A table of a TOML document, read with checks. Every reading function throws ConfigError
/// "LOCATION: a.b.key: what is wrong; what is allowed". Lives no longer than its document.
class TomlTable {
 public:
  /// The document itself.
  explicit TomlTable(const toml::table& document);

  /// Throws when the table has a key that is not listed, naming the one that was probably meant.
  void allow_only(const std::vector<std::string_view>& keys) const;

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] bool has_table(std::string_view key) const;

  [[nodiscard]] double number(std::string_view key, const NumberRange& range) const;
  [[nodiscard]] double number_or(double fallback, std::string_view key,
                                 const NumberRange& range) const;
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t min,
                                     std::int64_t max) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  /// A text that is safe as a file name and in a CSV field: letters, digits, - _ . only.
  [[nodiscard]] std::string name(std::string_view key) const;
  /// The index of the key's text in `words`.
  [[nodiscard]] std::size_t choice(std::string_view key,
                                   const std::vector<std::string_view>& words) const;
  /// A list of N finite numbers.
  template <std::size_t N>
  [[nodiscard]] std::array<double, N> numbers(std::string_view key) const;
  /// A list of pairs of finite numbers, [[1, 2], [3, 4]].
  [[nodiscard]] std::vector<std::array<double, 2>> pairs(std::string_view key) const;
  [[nodiscard]] bool truth_or(bool fallback, std::string_view key) const;
  /// A list of texts; empty when the key is left out.
  [[nodiscard]] std::vector<std::string> texts_or_none(std::string_view key) const;

  [[nodiscard]] TomlTable table(std::string_view key) const;
  /// The table, or an empty one in its place when it is left out.
  [[nodiscard]] TomlTable table_or_empty(std::string_view key) const;
  /// The tables of an array of at least one, [[key]].
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key) const;

  /// Throws the error "LOCATION: a.b.key: text", at the key's line or, without the key, the
  /// table's.
  [[noreturn]] void fail(std::string_view key, std::string_view text) const;

 private:
  TomlTable(const toml::table* table, std::string path, std::string location);

  [[noreturn]] void fail_at_element(std::string_view key, const toml::array& list,
                                    std::size_t index, std::string_view allowed) const;
  [[nodiscard]] const toml::node* find(std::string_view key) const;
  [[nodiscard]] const toml::node& require(std::string_view key, std::string_view allowed) const;
  [[nodiscard]] std::string path_of(std::string_view key) const;
  [[nodiscard]] TomlTable child(const toml::node& node, std::string_view key) const;
  [[nodiscard]] const toml::array& array(std::string_view key, std::string_view allowed) const;
  void read_numbers(std::string_view key, double* values, std::size_t count) const;

  const toml::table* table_;  ///< null for a table that was left out
  std::string path_;          ///< dotted; empty for the document
  std::string location_;
};

template <std::size_t N>
std::array<double, N> TomlTable::numbers(std::string_view key) const {
  std::array<double, N> values{};
  read_numbers(key, values.data(), N);
  return values;
}

}  // namespace graspmap
