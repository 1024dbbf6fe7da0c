#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grasp/base/io/errors.hpp"

namespace graspmap {

/// One record of a CSV file and the line on which it starts (1 for the first of the file).
struct CsvRow {
  std::int64_t line = 0;
  std::vector<std::string> fields;
};

/// A CSV file with a header. Every row has as many fields as the header.
struct CsvTable {
  std::string file;  ///< as named in error messages
  CsvRow header;
  std::vector<CsvRow> rows;

  /// The index of the column with this name, if there is one.
  [[nodiscard]] std::optional<std::size_t> find_column(std::string_view name) const;

  /// The index of the one column with this name. Throws ConfigError when no column has it, or
  /// several.
  [[nodiscard]] std::size_t column(std::string_view name) const;

  /// Where a row is, or the header: for an error.
  [[nodiscard]] InputPlace place(const CsvRow& row) const {
    return {file, static_cast<int>(row.line)};
  }
  /// The finite number in a field. Throws ConfigError naming file, line and column.
  [[nodiscard]] double number(const CsvRow& row, std::size_t column) const;

  /// The whole number in a field. Throws ConfigError naming file, line and column.
  [[nodiscard]] std::int64_t integer(const CsvRow& row, std::size_t column) const;

  /// Throws ConfigError "FILE:LINE: COLUMN: problem".
  [[noreturn]] void fail(const CsvRow& row, std::size_t column, const std::string& problem) const;
};

/// Reads CSV text, as docs/reference/formats.md says what it may look like. `file` is the name for
/// error messages. Throws ConfigError "FILE:LINE: ..." for text without a header, a row of another
/// length than the header, or a broken quote.
CsvTable parse_csv(std::string_view text, const std::string& file);

/// The text of a file. Throws ConfigError when it cannot be read, or is no text.
std::string read_csv_text(const std::filesystem::path& file);

/// The text of a CSV file, for formats whose lines before the header say something. Throws
/// ConfigError also for text of another kind, such as a drawing or JSON.
std::string read_table_text(const std::filesystem::path& file);

/// Reads a CSV file. Throws ConfigError when it cannot be read, and as parse_csv.
CsvTable read_csv(const std::filesystem::path& file);

/// Appends a field, in quotes when it needs them; control characters other than line ends and bytes
/// that are no UTF-8 become escape sequences (printable).
void append_csv_field(std::string& line, std::string_view field);

}  // namespace graspmap
