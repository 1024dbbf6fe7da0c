#pragma once

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/errors.hpp"

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

/// What an error says about an unknown key: "unknown key; did you mean KEY?"
std::string unknown_key_text(std::string_view key, const std::vector<std::string_view>& allowed);

/// A bound of integers as it is: infinity is the largest one.
std::int64_t integer_bound(double bound);

/// A key that a reader asks for.
struct AskedKey {
  std::string path;                ///< dotted: "support.model", "part.piece.0.name"
  std::vector<std::string> words;  ///< the values that it may have, if they are words; else none
};

/// A table of a TOML document, read with checks. Every reading function throws ConfigError
/// "LOCATION: a.b.key: what is wrong; what is allowed". Lives no longer than its document.
///
/// The table notes which keys it was asked for, so a reader names each key once. A reader asks for
/// all its keys, then calls check_keys, then checks how the values fit together:
/// - Until check_keys a required key that is missing gives a stand-in value, because a misspelt key
///   is the better error, and all keys must be known to find it. check_keys throws either error.
/// - After check_keys a required key that is missing throws at once.
/// Tables come from read_toml only, which throws when any key of the document was not read. Copies
/// of a table share its notes.
class TomlTable {
 public:
  /// Throws when the table has keys that it was not asked for, naming those that were probably
  /// meant, or when required keys were missing: one error with all.
  void check_keys() const;

  /// Asks for keys that are read only after check_keys, if at all.
  void ask_for(const std::vector<std::string_view>& keys) const;

  /// Names keys that only another choice has, such as `owner` = "support.model = \"ellipsoid\"":
  /// check_keys says so in place of "unknown key".
  void belongs_elsewhere(std::string_view owner, const std::vector<std::string_view>& keys) const;

  /// Keys may be elements of a list too, "semi_axes_mm.0".
  [[nodiscard]] bool has(std::string_view key) const;
  /// The key as the table has it: itself, or "theta_deg" in place of "theta_rad"; "" for neither.
  [[nodiscard]] std::string given(std::string_view key) const;
  [[nodiscard]] bool has_table(std::string_view key) const;
  [[nodiscard]] bool has_list(std::string_view key) const;
  /// The first of `keys` that the table has, or "". Asks for all of them.
  [[nodiscard]] std::string_view first_present(const std::vector<std::string_view>& keys) const;

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
  /// A choice that decides which other keys there are: throws at once when it is missing.
  [[nodiscard]] std::size_t kind(std::string_view key,
                                 const std::vector<std::string_view>& words) const;
  /// A list of N finite numbers.
  template <std::size_t N>
  [[nodiscard]] std::array<double, N> numbers(std::string_view key) const {
    std::array<double, N> values{};
    const std::vector<double> list = number_list(key, N);
    std::copy(list.begin(), list.end(), values.begin());
    return values;
  }
  /// The same, of a length that is known only when the file is read.
  [[nodiscard]] std::vector<double> number_list(std::string_view key, std::size_t count) const {
    return number_list(key, count, count);
  }
  /// The same, of `least` to `most` numbers.
  [[nodiscard]] std::vector<double> number_list(std::string_view key, std::size_t least,
                                                std::size_t most) const;
  /// A list of pairs of finite numbers, [[1, 2], [3, 4]].
  [[nodiscard]] std::vector<std::array<double, 2>> pairs(std::string_view key) const;
  /// A list of lists of `least` to `most` finite numbers.
  [[nodiscard]] std::vector<std::vector<double>> number_lists(std::string_view key,
                                                              std::size_t least,
                                                              std::size_t most) const;
  /// A list of such lists of lists; empty when the key is left out.
  [[nodiscard]] std::vector<std::vector<std::vector<double>>> number_tables_or_none(
      std::string_view key, std::size_t least, std::size_t most) const;
  [[nodiscard]] bool truth_or(bool fallback, std::string_view key) const;
  /// A list of `count` texts that messages call `allowed`.
  [[nodiscard]] std::vector<std::string> texts(std::string_view key, std::size_t count,
                                               std::string_view allowed) const;
  /// A list of texts; empty when the key is left out.
  [[nodiscard]] std::vector<std::string> texts_or_none(std::string_view key) const;

  /// Throws unless a key that is there is a list of `count` elements, which messages call
  /// `allowed`.
  void check_list(std::string_view key, std::size_t count, std::string_view allowed) const;

  [[nodiscard]] TomlTable table(std::string_view key) const;
  /// The table, or an empty one in its place when it is left out.
  [[nodiscard]] TomlTable table_or_empty(std::string_view key) const;
  /// The tables of an array of at least one, [[key]].
  [[nodiscard]] std::vector<TomlTable> tables(std::string_view key) const;
  /// The same; none when the key is left out.
  [[nodiscard]] std::vector<TomlTable> tables_or_none(std::string_view key) const;

  /// Throws the error "LOCATION: a.b.key: text", at the key's line or, without the key, the
  /// table's. The key may lead into a table below, "gripper.opening_mm".
  [[noreturn]] void fail(std::string_view key, std::string_view text) const;

  /// Throws when two keys that do not go together are there, at the first.
  void refuse_both(std::string_view key, std::string_view other,
                   std::string_view hint = "give one of them") const;

  /// Throws the faults of a file that a key names.
  [[noreturn]] void fail_in_file(std::string_view key, const ConfigError& error) const;

  /// The dotted path of a key, and where it stands: at the table where it is missing.
  [[nodiscard]] std::string path_of(std::string_view key) const;
  [[nodiscard]] InputPlace location_of(std::string_view key) const;

 private:
  struct Notes;

  explicit TomlTable(const toml::table& document);
  TomlTable(const toml::table* table, std::string path, InputPlace location);

  template <typename Read>
  friend auto read_toml(const toml::table& document, const Read& read);
  template <typename Read>
  friend auto read_toml_in_part(const toml::table& document, const Read& read);
  template <typename Read>
  friend std::vector<AskedKey> keys_asked_for(const toml::table& document, const Read& read);

  /// The keys that this table and all below were asked for, without those of tables.
  void list_asked(std::vector<AskedKey>& keys) const;

  /// check_keys for this table and all below. Throws also when a key is left that was asked for
  /// but not read.
  void check_all_read() const;

  void throw_missing() const;  ///< where required keys were missing
  [[noreturn]] void raise(std::string_view key, std::string_view text) const;
  [[noreturn]] void fail_at_element(std::string_view key, const toml::array& list,
                                    std::size_t index, std::string_view allowed) const;
  [[nodiscard]] const toml::node* find(std::string_view key) const;
  /// Notes that the key was asked for, and whether its value was read.
  const toml::node* ask(std::string_view key, bool is_read) const;
  /// The node of a required key; null when it is missing and check_keys will say so.
  [[nodiscard]] const toml::node* require(std::string_view key, std::string_view allowed) const;
  [[nodiscard]] const toml::array* require_array(std::string_view key,
                                                 std::string_view allowed) const;
  /// The table at a key; `node` is null for one that was left out.
  [[nodiscard]] TomlTable child(std::string_view key, const toml::node* node) const;
  /// The lists of numbers in a list; `key` may be dotted.
  [[nodiscard]] std::vector<std::vector<double>> lists_of(const toml::array& list,
                                                          std::string_view key, std::size_t least,
                                                          std::size_t most) const;

  std::shared_ptr<Notes> notes_;
};

/// What `read` makes of a document's root table. Throws ConfigError also when `read` left a key of
/// the document unread, in whatever table.
template <typename Read>
auto read_toml(const toml::table& document, const Read& read) {
  const TomlTable root(document);
  auto value = read(root);
  root.check_all_read();
  return value;
}

/// What `read` makes of some keys of a document that is read as a whole elsewhere.
template <typename Read>
auto read_toml_in_part(const toml::table& document, const Read& read) {
  return read(TomlTable(document));
}

/// The keys that `read` asks a document for, until it ends or finds an error.
template <typename Read>
std::vector<AskedKey> keys_asked_for(const toml::table& document, const Read& read) {
  const TomlTable root(document);
  try {
    read(root);
  } catch (const ConfigError&) {
    // What was asked for until then counts.
  }
  std::vector<AskedKey> keys;
  root.list_asked(keys);
  return keys;
}

}  // namespace graspmap
