#include "lab/validation/validation_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grasp/io/json_document.hpp"
#include "grasp/io/text_table.hpp"

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

std::string verdict(const ValidationCheck& check) {
  if (check.relation == CheckRelation::kReported) return "see note";
  return check.passed() ? "ok" : "FAILS";
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

std::string notes(const ExampleReport& example) {
  std::string text;
  for (const ValidationCheck& check : example.checks) {
    if (!check.note.empty()) text += fmt::format("  {}: {}\n", check.quantity, check.note);
  }
  for (const std::string& remark : example.remarks) text += fmt::format("  {}\n", remark);
  return text;
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

void write_check(JsonWriter& json, const ValidationCheck& check) {
  json.begin_object();
  json.field("quantity", check.quantity);
  json.field("relation", word(check.relation));
  json.field("expected", check.expected);
  json.field("allowed", check.allowed);
  json.field("source", check.source);
  json.field("obtained", check.obtained);
  json.field("passed", check.passed());
  json.field("note", check.note);
  json.end_object();
}

}  // namespace

bool ValidationCheck::passed() const {
  switch (relation) {
    case CheckRelation::kEquals:
      return std::abs(obtained - expected) <= allowed;
    case CheckRelation::kAtMost:
      return obtained <= expected;
    case CheckRelation::kAtLeast:
      return obtained >= expected;
    case CheckRelation::kReported:
      return true;
  }
  return false;
}

bool ExampleReport::passed() const {
  return std::all_of(checks.begin(), checks.end(),
                     [](const ValidationCheck& check) { return check.passed(); });
}

std::string validation_text(const std::vector<ExampleReport>& examples) {
  std::string text;
  for (const ExampleReport& example : examples) {
    text += fmt::format("\n{}  {}  ({})\n", example.id, example.title, example.paper);
    TextTable table({"quantity", "expected", "obtained", "deviation", "verdict", "from"});
    for (const ValidationCheck& check : example.checks) {
      table.add({check.quantity, expected_text(check), fmt::format("{:.7g}", check.obtained),
                 deviation_text(check), verdict(check), check.source});
    }
    text += table.text() + notes(example);
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
                          deviation_text(check), verdict(check));
    }
    const std::string said = notes(example);
    if (!said.empty()) text += "\n" + said;
  }
  return text;
}

std::string validation_json(const std::vector<ExampleReport>& examples) {
  JsonWriter json;
  json.begin_object();
  write_head(json);
  json.key("examples");
  json.begin_array();
  for (const ExampleReport& example : examples) {
    json.begin_object();
    json.field("id", example.id);
    json.field("title", example.title);
    json.field("paper", example.paper);
    json.field("passed", example.passed());
    json.key("checks");
    json.begin_array();
    for (const ValidationCheck& check : example.checks) write_check(json, check);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.text();
}

}  // namespace graspmap
