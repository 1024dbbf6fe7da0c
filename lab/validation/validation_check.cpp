#include "lab/validation/validation_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "grasp/base/io/printable_text.hpp"
#include "grasp/base/io/result.hpp"

namespace graspmap {
namespace {

std::string expected_text(const ValidationCheck& check) {
  switch (check.relation) {
    case CheckRelation::kEquals:
      return fmt::format("{:.6g} +- {:.2g}", check.expected, check.allowed);
    case CheckRelation::kAtMost:
      return fmt::format("<= {:.6g}", check.expected);
    case CheckRelation::kAtLeast:
      return fmt::format(">= {:.6g}", check.expected);
    case CheckRelation::kReported:
      return fmt::format("{:.6g}", check.expected);
  }
  return "";
}

std::string deviation_text(const ValidationCheck& check) {
  return fmt::format("{:+.2g}", check.obtained - check.expected);
}

const char* word(CheckRelation relation) {
  switch (relation) {
    case CheckRelation::kEquals:
      return "equals";
    case CheckRelation::kAtMost:
      return "at_most";
    case CheckRelation::kAtLeast:
      return "at_least";
    case CheckRelation::kReported:
      return "reported";
  }
  return "";
}

bool holds(const ValidationCheck& check) {
  switch (check.relation) {
    case CheckRelation::kEquals:
      return std::abs(check.obtained - check.expected) <= check.allowed;
    case CheckRelation::kAtMost:
      return check.obtained <= check.expected;
    case CheckRelation::kAtLeast:
      return check.obtained >= check.expected;
    case CheckRelation::kReported:
      return true;
  }
  return false;
}

std::string notes(const ExampleReport& example) {
  std::string text;
  for (const ValidationCheck& check : example.checks) {
    if (!check.note.empty()) text += fmt::format("  {}: {}\n", check.quantity, check.note);
    if (check.contradiction.empty()) continue;
    const char* says = check.passed() ? "not met" : "said not to be met";
    text += fmt::format("  {}: {}: {}\n", check.quantity, says, check.contradiction);
  }
  for (const std::string& remark : example.remarks) text += fmt::format("  {}\n", remark);
  return text;
}

std::string milliseconds(double time_s) {
  return time_s > 0.0 ? fmt::format("{:.3g} ms", 1e3 * time_s) : std::string("lost");
}

/// Text in a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string times_text(const ExampleReport& example) {
  if (example.times.empty()) return "";
  TextTable table({"computing time, not checked", "here", "printed", "from"});
  for (const StepTime& time : example.times) {
    table.add(
        {time.what, milliseconds(time.measured_s), milliseconds(time.printed_s), time.source});
  }
  return table.text();
}

std::string times_markdown(const ExampleReport& example) {
  if (example.times.empty()) return "";
  std::string text = "\n| computing time, not checked | here | printed | from |\n";
  text += "| --- | --- | --- | --- |\n";
  for (const StepTime& time : example.times) {
    text += fmt::format("| {} | {} | {} | {} |\n", cell(time.what), milliseconds(time.measured_s),
                        milliseconds(time.printed_s), cell(time.source));
  }
  return text;
}

Object count_fields(const VerdictCounts& counts) {
  return {{"held", counts.held},
          {"shown", counts.shown},
          {"not_met", counts.not_met},
          {"failing", counts.failing}};
}

Object time_fields(const StepTime& time) {
  return {{"what", time.what},
          {"measured_s", time.measured_s},
          {"printed_s", time.printed_s},
          {"source", time.source}};
}

const char* json_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHeld:
      return "held";
    case Verdict::kShown:
      return "shown";
    case Verdict::kNotMet:
      return "not_met";
    case Verdict::kFails:
      return "fails";
  }
  return "";
}

Object check_fields(const ValidationCheck& check) {
  return {{"quantity", check.quantity}, {"relation", word(check.relation)},
          {"expected", check.expected}, {"allowed", check.allowed},
          {"source", check.source},     {"obtained", check.obtained},
          {"passed", check.passed()},   {"verdict", json_word(check.verdict())},
          {"note", check.note},         {"reason", check.contradiction}};
}

}  // namespace

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHeld:
      return "held";
    case Verdict::kShown:
      return "shown";
    case Verdict::kNotMet:
      return "not met";
    case Verdict::kFails:
      return "FAILS";
  }
  return "";
}

Verdict ValidationCheck::verdict() const {
  if (relation == CheckRelation::kReported) {
    return std::isfinite(obtained) ? Verdict::kShown : Verdict::kFails;
  }
  if (contradiction.empty()) return holds(*this) ? Verdict::kHeld : Verdict::kFails;
  return !holds(*this) && std::isfinite(obtained) ? Verdict::kNotMet : Verdict::kFails;
}

bool ExampleReport::passed() const {
  return std::all_of(checks.begin(), checks.end(),
                     [](const ValidationCheck& check) { return check.passed(); });
}

VerdictCounts count_verdicts(const std::vector<ExampleReport>& examples) {
  VerdictCounts counts;
  for (const ExampleReport& example : examples) {
    for (const ValidationCheck& check : example.checks) {
      const Verdict verdict = check.verdict();
      counts.held += verdict == Verdict::kHeld;
      counts.shown += verdict == Verdict::kShown;
      counts.not_met += verdict == Verdict::kNotMet;
      counts.failing += verdict == Verdict::kFails;
    }
  }
  return counts;
}

std::string verdict_line(const VerdictCounts& counts) {
  std::string text = fmt::format("{} held, {} shown only, {} not met for known reasons",
                                 counts.held, counts.shown, counts.not_met);
  if (counts.failing > 0) text += fmt::format(", {} FAILS", counts.failing);
  return text + ".";
}

std::string validation_text(const std::vector<ExampleReport>& examples) {
  std::string text;
  for (const ExampleReport& example : examples) {
    text += fmt::format("\n{}  {}  ({})\n", example.id, example.title, example.paper);
    TextTable table({"quantity", "expected", "obtained", "deviation", "verdict", "from"});
    for (const ValidationCheck& check : example.checks) {
      table.add({check.quantity, expected_text(check), fmt::format("{:.7g}", check.obtained),
                 deviation_text(check), name(check.verdict()), check.source});
    }
    text += table.text() + notes(example) + times_text(example);
  }
  return text;
}

std::string validation_markdown(const std::vector<ExampleReport>& examples) {
  std::string text;
  for (const ExampleReport& example : examples) {
    text += fmt::format("\n### {}: {}\n\n{}\n\n", example.id, example.title, example.paper);
    text += "| quantity | expected | from | obtained | deviation | verdict |\n";
    text += "| --- | --- | --- | --- | --- | --- |\n";
    for (const ValidationCheck& check : example.checks) {
      text += fmt::format("| {} | {} | {} | {:.7g} | {} | {} |\n", cell(check.quantity),
                          expected_text(check), cell(check.source), check.obtained,
                          deviation_text(check), name(check.verdict()));
    }
    const std::string said = notes(example);
    if (!said.empty()) text += "\n" + said;
    text += times_markdown(example);
  }
  return text;
}

std::string validation_json(const std::vector<ExampleReport>& examples) {
  const auto example_fields = [](const ExampleReport& example) {
    return Object{{"id", example.id},
                  {"title", example.title},
                  {"paper", example.paper},
                  {"passed", example.passed()},
                  count_fields(count_verdicts({example})),
                  {"checks", list_of(example.checks, check_fields)},
                  {"times", list_of(example.times, time_fields)}};
  };
  return json_document(
      {count_fields(count_verdicts(examples)), {"examples", list_of(examples, example_fields)}});
}

}  // namespace graspmap
