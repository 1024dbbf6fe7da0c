#include "bench/peers/run_sheet/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "grasp/base/io/csv.hpp"

namespace graspmap::bench {
namespace {

/// The text without the lines before the header, which begin with '#'; the other lines keep their
/// numbers.
std::string without_head(const std::string& text) {
  std::string lines;
  std::size_t begin = 0;
  while (begin < text.size() && text[begin] == '#') {
    begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines += '\n';
  }
  return lines + text.substr(begin);
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    append_csv_field(line, field);
  }
  return line + '\n';
}

}  // namespace

std::string filled_sheet(const std::filesystem::path& sheet, const std::string& source,
                         const std::function<bool(const SheetTrial&)>& success) {
  const CsvTable table = parse_csv(without_head(read_csv_text(sheet)), sheet.string());
  const std::size_t x = table.column("x_mm");
  const std::size_t y = table.column("y_mm");
  const std::size_t filled = table.column("success");
  const std::optional<std::size_t> theta = table.find_column("theta_rad");
  const std::optional<std::size_t> session = table.find_column("session");
  std::map<std::string, std::size_t> sessions;
  std::string text = fmt::format("# origin = simulated\n# source = {}\n", source);
  text += csv_line(table.header.fields);
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const CsvRow& row = table.rows[k];
    SheetTrial trial;
    trial.row = k;
    trial.intended = {table.number(row, x), table.number(row, y),
                      theta ? table.number(row, *theta) : 0.0};
    const std::string name = session ? row.fields[*session] : "";
    trial.session = sessions.try_emplace(name, sessions.size()).first->second;
    std::vector<std::string> fields = row.fields;
    fields[filled].assign(1, success(trial) ? '1' : '0');
    text += csv_line(fields);
  }
  return text;
}

}  // namespace graspmap::bench
