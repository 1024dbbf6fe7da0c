#pragma once

#include <string>
#include <vector>

namespace graspmap {

/// A table for people: columns wide enough for what they hold, two blanks in between; the first
/// column to the left, the others to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header);

  /// A row with as many fields as the header.
  void add(std::vector<std::string> row);

  /// The header, a line of dashes, the rows; each line ends with a line break and without blanks.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;  ///< the header first
};

}  // namespace graspmap
