#include "grasp/base/io/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <optional>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap {
namespace {

InputPlace location(const toml::source_region& region) {
  const std::string source = region.path ? *region.path : "";
  if (is_override(source)) return {source};
  return {source, static_cast<int>(std::max<toml::source_index>(region.begin.line, 1))};
}

/// What is wrong with a line, by what toml++ says of it.
constexpr std::array<std::array<std::string_view, 2>, 16> kSyntaxFaults = {{
    {"unescaped control characters", "a text is not closed; must end with a quote on its line"},
    {"end-of-file", "the file ends inside of a value; each quote, [ and { must be closed"},
    {"could not determine value type",
     "not a value; must be a number, true, false, a \"text\" in plain quotes, [a list] or { a = 1 "
     "}"},
    {"expected a comment or whitespace, saw ','",
     "a comma after a number; must be a point, as in 1.5 (a list is [1, 5])"},
    {"expected a comment or whitespace",
     "more after the value; must be the value alone, without a unit, and a text in quotes"},
    {"expected comma or closing ']'",
     "a list is not closed; must have commas between its values, and ] at its end"},
    {"expected ']'", "a table's name is not closed; must be [name]"},
    {"expected '='", "not a key with its value; must be key = value"},
    {"expected value", "no value after =; must be key = value"},
    {"expected space or tab", "a blank that is no space; must be a plain space"},
    {"parsing boolean", "not a value; must be true or false, in small letters"},
    {"leading zeroes", "a number begins with 0; must be without, as 5 for 05"},
    {"digit", "not a number; must be one, as 20, -0.5 or 1e-3"},
    {"escape sequence", "a \\ in a text; must be \\\\, or the text be in '...'"},
    {"dangling comma", "a comma before }; must be left out"},
    {"utf-8", "not UTF-8; must be saved as such"},
}};

/// The same in words of this program; of what is not among them in the library's.
std::string syntax_fault(std::string_view description) {
  for (const auto& [part, words] : kSyntaxFaults) {
    if (description.find(part) != std::string_view::npos) return std::string(words);
  }
  if (description.find("cannot redefine existing") != std::string_view::npos) {
    return fmt::format("{} is given twice; must be given once",
                       description.substr(description.find('\'')));
  }
  return std::string(description);
}

}  // namespace

InputPlace location(const toml::node& node) { return location(node.source()); }

toml::table parse_toml(std::string_view text, const std::string& source,
                       const std::vector<std::string>& overrides) {
  if (const auto line = line_of_long_key(text)) {
    throw config_error(
        {source, is_override(source) ? 0 : *line}, "",
        fmt::format("a key has more than {0} words; must have {0} at most", kMostKeyWords));
  }
  try {
    toml::table document = toml::parse(text, source);
    for (const std::string& assignment : overrides) apply_override(document, assignment);
    return document;
  } catch (const toml::parse_error& error) {
    throw config_error(location(error.source()), "", syntax_fault(error.description()));
  }
}

std::string read_toml_text(const std::filesystem::path& file) {
  const auto refuse = [&](std::string_view kind) {
    if (kind.empty()) return;
    throw ConfigError(
        ConfigFault::of({file.string()}, "", fmt::format("is {}; give a TOML file", kind)));
  };
  refuse(file_kind_of(file));
  const std::optional<std::string> text = file_bytes(file);
  if (!text) {
    const int reason = errno;
    throw unreadable_error(file, reason, "; give a TOML file" + example_hint(file));
  }
  refuse(file_kind(*text));  // what comes from a pipe could not be looked at before
  return *text;
}

toml::table load_toml(const std::filesystem::path& file,
                      const std::vector<std::string>& overrides) {
  return parse_toml(read_toml_text(file), file.string(), overrides);
}

std::string below(std::string_view path, std::string_view name) {
  return path.empty() ? std::string(name) : fmt::format("{}.{}", path, name);
}

namespace {

/// How many bytes of a text are a string with its quotes, `"..."`, `'...'`, `"""..."""` or
/// `'''...'''`; the text begins with a quote.
std::size_t length_of_string(std::string_view text) {
  const char quote = text.front();
  const bool has_lines = text.size() >= 3 && text[1] == quote && text[2] == quote;
  const std::string_view end = text.substr(0, has_lines ? 3 : 1);
  for (std::size_t at = end.size(); at < text.size(); ++at) {
    if (text[at] == '\\' && quote == '"') {
      ++at;
    } else if (text.substr(at).starts_with(end)) {
      return at + end.size();
    } else if (text[at] == '\n' && !has_lines) {
      return at;  // not closed: a syntax error
    }
  }
  return text.size();
}

}  // namespace

std::optional<int> line_of_long_key(std::string_view text) {
  constexpr std::string_view kEndsOfKeys = ",=[]{}\n";
  int line = 1;
  int words = 1;
  while (!text.empty()) {
    const char first = text.front();
    std::size_t length = 1;
    if (first == '"' || first == '\'') length = length_of_string(text);
    if (first == '#') length = std::min(text.find('\n'), text.size());
    if (first == '.' && ++words > kMostKeyWords) return line;
    if (kEndsOfKeys.find(first) != std::string_view::npos) words = 1;
    const std::string_view passed = text.substr(0, length);
    line += static_cast<int>(std::count(passed.begin(), passed.end(), '\n'));
    text.remove_prefix(passed.size());
  }
  return std::nullopt;
}

namespace {

constexpr std::string_view kPrefix = "--set ";
constexpr const char* kValueKey = "value";

bool is_bare_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
}

/// The key of the same angle in the other unit, where the table has it; else "".
std::string other_unit_in(const toml::table& table, const std::string& key) {
  const std::string other = key.ends_with("_deg") ? in_radians(key) : in_degrees(key);
  return other != key && table.contains(other) ? other : "";
}

/// An assignment "a.b=value" on its way into a document.
class Override {
 public:
  explicit Override(const std::string& assignment) : source_(std::string(kPrefix) + assignment) {
    const std::size_t equals = assignment.find('=');
    for (const std::string& word : split_at(assignment.substr(0, equals), '.')) {
      path_.emplace_back(trimmed(word));
    }
    const bool has_empty_key =
        std::any_of(path_.begin(), path_.end(), [](const auto& key) { return key.empty(); });
    if (equals == std::string::npos || has_empty_key) {
      throw config_error(
          {source_}, "",
          "not an assignment; give key=value, as in a.b=1.5, or key= to take a key away");
    }
    if (path_.size() > kMostKeyWords) {
      throw config_error(
          {std::string(kPrefix) + path_.front() + "..."}, "",
          fmt::format("a key has more than {0} words; must have {0} at most", kMostKeyWords));
    }
    value_ = trimmed(std::string_view(assignment).substr(equals + 1));
  }

  /// Joins words of the path that are one key of the document, "part.mass_kg".
  void join_words(const toml::table& document) {
    const toml::node* node = &document;
    for (std::size_t depth = 0; depth < path_.size() && node != nullptr; ++depth) {
      const toml::table* table = node->as_table();
      if (table == nullptr) {
        std::size_t i = 0;
        const std::string& word = path_[depth];
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), i);
        node = error == std::errc() && node->is_array() ? node->as_array()->get(i) : nullptr;
        continue;
      }
      const auto begin = path_.begin() + static_cast<std::ptrdiff_t>(depth);
      for (auto end = path_.end(); end > begin + 1; --end) {
        std::string key = fmt::format("{}", fmt::join(begin, end, "."));
        if (!table->contains(key) && other_unit_in(*table, key).empty()) continue;
        *begin = std::move(key);
        path_.erase(begin + 1, end);
        break;
      }
      node = table->get(path_[depth]);
    }
  }

  void apply(toml::table& document) const {
    if (value_.empty()) {
      take_away(document);
      return;
    }
    toml::table parsed = parse_value(value_);
    toml::node* parent = &document;
    for (std::size_t depth = 0; depth + 1 < path_.size(); ++depth) parent = &step(*parent, depth);
    assign(*parent, *parsed.get(kValueKey));
  }

 private:
  /// The error at the key that the first `depth` + 1 words of the path name.
  [[noreturn]] void fail(std::size_t depth, const std::string& text) const {
    const auto end = path_.begin() + static_cast<std::ptrdiff_t>(depth) + 1;
    throw config_error({source_}, fmt::format("{}", fmt::join(path_.begin(), end, ".")), text);
  }

  /// A table whose only key holds the value.
  [[nodiscard]] toml::table parse_value(const std::string& text) const {
    std::string problem = "more than one value";
    try {
      toml::table table = parse_toml(fmt::format("{} = {}", kValueKey, text), source_);
      if (table.size() == 1) return table;
    } catch (const ConfigError&) {
      problem = "not a TOML value";
    }
    if (is_bare_word(text)) return parse_value('"' + text + '"');
    fail(path_.size() - 1,
         problem + "; give a number, a word, \"a text\", [a list] or { a = 1, table = 2 }");
  }

  [[nodiscard]] std::size_t index(const toml::array& array, std::size_t depth) const {
    const std::string& word = path_[depth];
    std::size_t i = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), i);
    if (error == std::errc() && end == word.data() + word.size() && i < array.size()) return i;
    fail(depth, array.empty()
                    ? "no such element; the array is empty"
                    : fmt::format("no such element; give an index from 0 to {}", array.size() - 1));
  }

  /// The table that has the key of word `depth` of the path.
  [[nodiscard]] toml::table& table_at(toml::node& node, std::size_t depth) const {
    if (toml::table* table = node.as_table()) return *table;
    fail(depth - 1, "is not a table; it has no keys");
  }

  /// The child of `node` that word `depth` of the path names; a missing table is added.
  [[nodiscard]] toml::node& step(toml::node& node, std::size_t depth) const {
    if (toml::array* array = node.as_array()) return (*array)[index(*array, depth)];
    toml::table& table = table_at(node, depth);
    if (!table.contains(path_[depth])) {
      if (const std::string other = other_unit_in(table, path_[depth]); !other.empty()) {
        fail(depth, fmt::format("stands there as {}; give the whole distribution, as in "
                                "{}={{ distribution = ... }}",
                                other, path_[depth]));
      }
      toml::table empty = parse_value("{}");
      table.insert(path_[depth], std::move(*empty.get(kValueKey)->as_table()));
    }
    return *table.get(path_[depth]);
  }

  void assign(toml::node& parent, toml::node& value) const {
    const std::size_t last = path_.size() - 1;
    value.visit([&](auto& node) {
      if (toml::array* array = parent.as_array()) {
        const auto i = static_cast<std::ptrdiff_t>(index(*array, last));
        array->replace(array->cbegin() + i, std::move(node));
      } else {
        toml::table& table = table_at(parent, last);
        if (const std::string other = other_unit_in(table, path_[last]); !other.empty()) {
          table.erase(other);
        }
        table.insert_or_assign(path_[last], std::move(node));
      }
    });
  }

  /// Fails where a table does not have the key of word `depth` of the path.
  void check_there(toml::node& node, std::size_t depth) const {
    if (node.is_array()) return;  // `index` looks at it
    const toml::table& table = table_at(node, depth);
    if (table.contains(path_[depth])) return;
    std::vector<std::string> keys;
    for (const auto& [key, value] : table) keys.emplace_back(key.str());
    fail(depth, fmt::format("is not there, so it cannot be taken away; the keys are {}",
                            fmt::join(keys, ", ")));
  }

  /// Takes the key at the path's end away, or the element of an array.
  void take_away(toml::table& document) const {
    const std::size_t last = path_.size() - 1;
    toml::node* node = &document;
    for (std::size_t depth = 0; depth < last; ++depth) {
      check_there(*node, depth);
      node = &step(*node, depth);
    }
    check_there(*node, last);
    if (toml::array* array = node->as_array()) {
      array->erase(array->cbegin() + static_cast<std::ptrdiff_t>(index(*array, last)));
    } else {
      node->as_table()->erase(path_[last]);
    }
  }

  std::string source_;
  std::vector<std::string> path_;
  std::string value_;
};

}  // namespace

bool is_override(std::string_view source) { return source.starts_with(kPrefix); }

void apply_override(toml::table& document, const std::string& assignment) {
  Override override(assignment);
  override.join_words(document);
  override.apply(document);
}

}  // namespace graspmap
