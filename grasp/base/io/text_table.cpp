#include "grasp/base/io/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace graspmap {
namespace {

using Row = std::vector<std::string>;

/// Characters, not bytes: those that begin a character of UTF-8.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::size_t> column_widths(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const Row& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  }
  return widths;
}

std::string line(const Row& row, const std::vector<std::size_t>& widths) {
  std::string text;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::string blanks(widths[k] - width(row[k]), ' ');
    text += k == 0 ? row[k] + blanks : "  " + blanks + row[k];
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

}  // namespace

TextTable::TextTable(std::vector<std::string> header) { rows_.push_back(std::move(header)); }

void TextTable::add(std::vector<std::string> row) {
  if (row.size() != rows_.front().size()) {
    throw std::logic_error(
        fmt::format("a row of {} fields in a table of {}", row.size(), rows_.front().size()));
  }
  rows_.push_back(std::move(row));
}

std::string TextTable::text() const {
  const std::vector<std::size_t> widths = column_widths(rows_);
  Row dashes;
  for (const std::size_t w : widths) dashes.emplace_back(w, '-');
  std::string text = line(rows_.front(), widths) + line(dashes, widths);
  for (std::size_t k = 1; k < rows_.size(); ++k) text += line(rows_[k], widths);
  return text;
}

}  // namespace graspmap
