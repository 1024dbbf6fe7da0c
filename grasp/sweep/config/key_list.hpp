#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/sweep/config/config_keys.hpp"

namespace graspmap {

/// A key as lists and messages show it.
struct ListedKey {
  std::string_view name;
  KeyKind kind = KeyKind::kNumber;
  Quantity quantity;
  unsigned use = kOptional;
  std::string_view sentence;
  std::string fallback;                  ///< "-" of a key that is required
  std::vector<std::string_view> groups;  ///< that have the key; none: it is in all of them
  std::vector<std::string_view> words;   ///< of kWord and kTruth

  [[nodiscard]] bool is(unsigned use_flag) const { return (use & use_flag) != 0; }
  /// What it must be, as messages say it: "a finite number > 0".
  [[nodiscard]] std::string allowed() const;
  /// The unit of its number or numbers, "mm" of the type "[x, y], mm in P"; "" without one.
  [[nodiscard]] std::string_view unit() const;
};

/// A table of a configuration.
struct ListedTable {
  std::string_view path;  ///< dotted; "" for the document
  enum class Form : std::uint8_t { kOne, kOneOrNone, kList, kListOrNone } form = Form::kOne;
  std::string_view choice = {};  ///< the key whose word says which group there is
  /// What is said when no group is there: behind its first key. Empty where none need be.
  std::string_view either = {};
  bool exclusive = !either.empty();  ///< its reader says which groups do not go together
  std::vector<ListedKey> keys = {};

  [[nodiscard]] bool is_list() const { return form == Form::kList || form == Form::kListOrNone; }
  [[nodiscard]] bool is_required() const { return form == Form::kOne || form == Form::kList; }
  /// Its name where it is directly in the table `around`; else "".
  [[nodiscard]] std::string_view name_in(std::string_view around) const;
  [[nodiscard]] const ListedKey* find(std::string_view name) const;
};

/// A sentence without the links of Markdown: "[oversize](#oversize)" -> "oversize".
std::string without_links(std::string_view sentence);

/// All tables except [uncertain], in the order of the reference page, with the keys of each.
const std::vector<ListedTable>& config_tables();

/// The keys of a table { distribution = ... }.
const std::vector<ListedKey>& keys_of_distributions();

/// Throws a ConfigError with all keys that are unknown, missing, or given in both units, and with
/// all distributions in the places of numbers that may not have one.
void check_keys(const toml::table& document);

/// Asks the tables of a document for all keys that they may have: none of them is unknown.
void ask_for_all(const TomlTable& document);

/// The keys that --set may have, sorted. Tables of a list have the index 0 or, with a file, all
/// indices that are there, and pieces in [uncertain] have its names. A file that cannot be read
/// counts as none.
std::vector<AskedKey> sweep_keys(const std::filesystem::path& file = {});

/// The unit of a number by its dotted key, in which a piece may stand by its name: "mm" of
/// "gripper.opening_mm", "degrees" of "placement.theta_deg"; "" without one.
std::string unit_of_key(std::string_view key);

/// The dotted keys of all numbers that may be uncertain in some scenario, "NAME" for a piece,
/// sorted.
const std::vector<std::string>& possible_number_keys();

/// A JSON schema of configurations, for editors.
std::string config_schema();

}  // namespace graspmap
