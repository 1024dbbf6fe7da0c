#include "grasp/base/io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

#include "grasp/base/io/errors.hpp"
#include "grasp/base/io/number.hpp"
#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/process/environment.hpp"

namespace graspmap {
namespace {

/// Walks through CSV text record by record.
class CsvScanner {
 public:
  CsvScanner(std::string_view text, const std::string& file)
      : rest_(without_mark(text)), file_(file) {}

  /// Reads the next record that is no blank line; false at the end of the text. The first is the
  /// header, which follows on lines with '#' and shows what separates fields.
  bool next(CsvRow& row) {
    while (!rest_.empty() && (is_blank_line() || (separator_ == 0 && rest_.starts_with('#')))) {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size() - 1) + 1);
      ++line_;
    }
    if (rest_.empty()) return false;
    if (separator_ == 0) separator_ = separator_of_line();
    row.line = line_;
    row.fields.clear();
    read_fields(row.fields);
    return true;
  }

 private:
  [[nodiscard]] bool is_blank_line() const {
    return trimmed(rest_.substr(0, rest_.find('\n'))).empty();
  }

  /// A semicolon where the line has one and no comma, outside of quotes.
  [[nodiscard]] char separator_of_line() const {
    bool quoted = false;
    bool has_semicolon = false;
    for (const char c : rest_) {
      if (c == '"') quoted = !quoted;
      if (quoted) continue;
      if (c == ',') return c;
      if (c == '\n') break;
      has_semicolon = has_semicolon || c == ';';
    }
    return has_semicolon ? ';' : ',';
  }

  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
  }

  [[nodiscard]] bool at_line_end() const {
    return rest_.starts_with('\n') || rest_.starts_with("\r\n");
  }

  void skip_line_end() {
    rest_.remove_prefix(rest_.front() == '\r' ? 2 : 1);
    ++line_;
  }

  void read_fields(std::vector<std::string>& fields) {
    while (true) {
      skip_blanks();
      fields.push_back(rest_.starts_with('"') ? quoted_field() : plain_field());
      if (!rest_.starts_with(separator_)) break;
      rest_.remove_prefix(1);
    }
    if (at_line_end()) skip_line_end();
  }

  std::string plain_field() {
    const std::size_t length =
        std::min(rest_.find_first_of(std::string{separator_, '\n'}), rest_.size());
    std::string field(trimmed(rest_.substr(0, length)));
    rest_.remove_prefix(length);
    if (separator_ == ',') return field;
    std::string with_point = field;
    std::replace(with_point.begin(), with_point.end(), ',', '.');
    return parse_number(with_point) ? with_point : field;
  }

  std::string quoted_field() {
    const std::int64_t opened = line_;
    std::string field;
    rest_.remove_prefix(1);
    while (true) {
      const std::size_t length = rest_.find('"');
      if (length == std::string_view::npos) fail(opened, "a quote is opened and never closed");
      line_ += std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(length), '\n');
      field += rest_.substr(0, length);
      rest_.remove_prefix(length + 1);
      if (!rest_.starts_with('"')) break;
      field += '"';
      rest_.remove_prefix(1);
    }
    skip_blanks();
    if (!rest_.empty() && rest_.front() != separator_ && !at_line_end()) {
      fail(line_, "text after a closing quote; a quoted field ends with a separator or the line");
    }
    return field;
  }

  [[noreturn]] void fail(std::int64_t line, const char* problem) const {
    throw config_error({file_, static_cast<int>(line)}, "", problem);
  }

  std::string_view rest_;
  const std::string& file_;
  char separator_ = 0;  ///< 0 before the header
  std::int64_t line_ = 1;
};

}  // namespace

std::optional<std::size_t> CsvTable::find_column(std::string_view name) const {
  const auto found = std::find(header.fields.begin(), header.fields.end(), name);
  if (found == header.fields.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.fields.begin());
}

std::size_t CsvTable::column(std::string_view name) const {
  const auto count = std::count(header.fields.begin(), header.fields.end(), name);
  if (count == 1) return *find_column(name);
  throw config_error(place(header), name,
                     fmt::format("{}; the header must name it once",
                                 count == 0 ? "missing column" : "column named twice"));
}

double CsvTable::number(const CsvRow& row, std::size_t column) const {
  const std::optional<double> value = parse_number(row.fields[column]);
  if (!value) fail(row, column, fmt::format("\"{}\"; must be a finite number", row.fields[column]));
  return *value;
}

std::int64_t CsvTable::integer(const CsvRow& row, std::size_t column) const {
  const std::optional<std::int64_t> value = parse_integer(row.fields[column]);
  if (!value) fail(row, column, fmt::format("\"{}\"; must be a whole number", row.fields[column]));
  return *value;
}

void CsvTable::fail(const CsvRow& row, std::size_t column, const std::string& problem) const {
  throw config_error(place(row), header.fields[column], problem);
}

CsvTable parse_csv(std::string_view text, const std::string& file) {
  CsvTable table;
  table.file = file;
  CsvScanner scanner(text, file);
  if (!scanner.next(table.header)) {
    throw config_error({file, 1}, "", "no header; the first line must name the columns");
  }
  const std::size_t columns = table.header.fields.size();
  for (CsvRow row; scanner.next(row); table.rows.push_back(row)) {
    if (row.fields.size() == columns) continue;
    throw config_error({file, static_cast<int>(row.line)}, "",
                       fmt::format("number of fields is {}; must be {} as in the header",
                                   row.fields.size(), columns));
  }
  return table;
}

namespace {

/// Refuses a file of another kind. An empty file is left to who reads it.
void refuse_kind(const std::filesystem::path& file, std::string_view kind) {
  if (kind.empty() || kind == "a CSV table" || kind == "an empty file") return;
  throw config_error({file.string()}, "", fmt::format("is {}; give a CSV file", kind));
}

}  // namespace

std::string read_csv_text(const std::filesystem::path& file) {
  const std::string_view kind = file_kind_of(file);
  if (kind == "a folder" || kind == "a device") refuse_kind(file, kind);
  const std::optional<std::string> text = file_bytes(file);
  if (!text) {
    const int reason = errno;
    throw unreadable_error(file, reason, example_hint(file));
  }
  refuse_kind(file, binary_kind(*text));
  return *text;
}

std::string read_table_text(const std::filesystem::path& file) {
  std::string text = read_csv_text(file);
  refuse_kind(file, file_kind(text));
  if (may_be_toml(text)) refuse_kind(file, "a TOML file");
  return text;
}

CsvTable read_csv(const std::filesystem::path& file) {
  return parse_csv(read_table_text(file), file.string());
}

void append_csv_field(std::string& line, std::string_view field) {
  const std::string text = rewritten(field, [&](const FirstCharacter& character) {
    const auto at = static_cast<std::size_t>(character.text.data() - field.data());
    const bool is_line_end = character.code == '\n' || field.substr(at).starts_with("\r\n");
    return is_line_end || character.is_harmless() ? std::string(character.text)
                                                  : printable(character.text);
  });
  if (trimmed(text).size() == text.size() && !text.starts_with('#') &&
      text.find_first_of(",\"\r\n") == std::string::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

}  // namespace graspmap
