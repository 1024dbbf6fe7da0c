#pragma once

#include <string>
#include <vector>

#include "grasp/figures/figure.hpp"

namespace graspmap {

/// How an obtained value is compared with the expected one.
enum class CheckRelation {
  kEquals,   ///< |obtained - expected| <= allowed
  kAtMost,   ///< obtained <= expected
  kAtLeast,  ///< obtained >= expected
  kReported  ///< not compared: a printed claim that does not hold, shown beside the obtained value
};

/// One row of the validation's table.
struct ValidationCheck {
  std::string quantity;  ///< with its unit
  double expected = 0.0;
  std::string source;  ///< where `expected` is from: a paper's file and section, or a closed form
  double obtained = 0.0;
  double allowed = 0.0;  ///< for kEquals
  CheckRelation relation = CheckRelation::kEquals;
  std::string note = {};  ///< why, where the value is not what a reader would expect

  [[nodiscard]] bool passed() const;  ///< kReported: always
};

/// The checks and figures of one example of the papers.
struct ExampleReport {
  std::string id;     ///< "A1"
  std::string title;  ///< "disc rolling on a plane"
  std::string paper;  ///< the file of the paper and the section
  std::vector<ValidationCheck> checks;
  std::vector<Figure> figures = {};
  /// What the paper does not give, and what was used instead.
  std::vector<std::string> remarks = {};

  [[nodiscard]] bool passed() const;
};

/// Tables for a terminal, one an example, each check with its verdict.
std::string validation_text(const std::vector<ExampleReport>& examples);

/// The same in Markdown, for docs/explanation/validation.md.
std::string validation_markdown(const std::vector<ExampleReport>& examples);

std::string validation_json(const std::vector<ExampleReport>& examples);

}  // namespace graspmap
