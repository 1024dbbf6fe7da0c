#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geometry/assert.hpp"
#include "grasp/base/io/result.hpp"
#include "grasp/base/pictures/figure.hpp"

namespace graspmap {

/// How an obtained value is compared with the expected one.
enum class CheckRelation {
  kEquals,   ///< |obtained - expected| <= allowed
  kAtMost,   ///< obtained <= expected
  kAtLeast,  ///< obtained >= expected
  kReported  ///< not compared: shown beside the obtained value, and never wrong
};

/// What is to be said of a row.
enum class Verdict {
  kHeld,    ///< the relation holds
  kShown,   ///< nothing is compared: the row cannot fail
  kNotMet,  ///< a paper's claim that this program is known to contradict; the row says why
  kFails    ///< does not hold and nothing explains it, or holds although it is said to be
            ///< contradicted
};
const char* name(Verdict verdict);  ///< "held", "shown", "not met", "FAILS"

/// One row of the validation's table.
struct ValidationCheck {
  std::string quantity;  ///< with its unit
  double expected = 0.0;
  std::string source;  ///< where `expected` is from: a paper's file and section, or a closed form
  double obtained = 0.0;
  double allowed = 0.0;  ///< for kEquals
  CheckRelation relation = CheckRelation::kEquals;
  std::string note = {};  ///< why, where the value is not what a reader would expect
  /// Why this program does not meet the claim: a known contradiction. Empty: the claim has to hold.
  std::string contradiction = {};

  [[nodiscard]] Verdict verdict() const;
  [[nodiscard]] bool passed() const { return verdict() != Verdict::kFails; }
};

/// What a step takes to compute: a paper's time beside ours. Shown, never checked: other machines.
struct StepTime {
  std::string what;         ///< "a step with implicit"
  double measured_s = 0.0;  ///< median over the steps
  double printed_s = 0.0;   ///< the paper's; 0: its number is lost
  std::string source;       ///< where the paper prints it
};

/// A CSV file of an example.
struct ResultTable {
  std::string file;
  Table table;
};

/// The checks and figures of one example of the papers.
struct ExampleReport {
  std::string id;     ///< "A1"
  std::string title;  ///< "disc rolling on a plane"
  std::string paper;  ///< the file of the paper and the section
  std::vector<ValidationCheck> checks = {};
  std::vector<Figure> figures = {};
  /// What the paper does not give, and what was used instead.
  std::vector<std::string> remarks = {};
  std::vector<StepTime> times = {};
  std::vector<ResultTable> tables = {};
  std::optional<Table> predictions = {};  ///< of what was not measured

  [[nodiscard]] bool passed() const;

  /// These add a row. `why_not` makes it a claim that is known not to be met.
  template <typename Number>
  void equals(const std::string& quantity, double expected, const std::string& source,
              Number obtained, double allowed = 0.0, const std::string& why_not = {}) {
    GRASPMAP_CHECK(allowed >= 0.0);
    checks.push_back({quantity,
                      expected,
                      source,
                      static_cast<double>(obtained),
                      allowed,
                      CheckRelation::kEquals,
                      {},
                      why_not});
  }
  template <typename Number>
  void at_most(const std::string& quantity, double limit, const std::string& source,
               Number obtained, const std::string& why_not = {}) {
    equals(quantity, limit, source, obtained, 0.0, why_not);
    checks.back().relation = CheckRelation::kAtMost;
  }
  template <typename Number>
  void at_least(const std::string& quantity, double limit, const std::string& source,
                Number obtained, const std::string& why_not = {}) {
    equals(quantity, limit, source, obtained, 0.0, why_not);
    checks.back().relation = CheckRelation::kAtLeast;
  }
  void shown(const std::string& quantity, double expected, const std::string& source,
             double obtained, const std::string& note) {
    equals(quantity, expected, source, obtained);
    checks.back().relation = CheckRelation::kReported;
    checks.back().note = note;
  }
};

/// How many rows got which verdict.
struct VerdictCounts {
  int held = 0;
  int shown = 0;
  int not_met = 0;
  int failing = 0;
};
VerdictCounts count_verdicts(const std::vector<ExampleReport>& examples);

/// The line that closes the tables: each verdict with its count.
std::string verdict_line(const VerdictCounts& counts);

/// Tables for a terminal, one an example, each check with its verdict.
std::string validation_text(const std::vector<ExampleReport>& examples);

/// The same in Markdown: validation.md, which scripts/validation_tables reads.
std::string validation_markdown(const std::vector<ExampleReport>& examples);

std::string validation_json(const std::vector<ExampleReport>& examples);

}  // namespace graspmap
