#include "grasp/base/drawings/dxf_records.hpp"

#include <fmt/format.h>

#include "grasp/base/io/number.hpp"

namespace graspmap {
namespace {

/// Takes the next line from a text.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    ++number_;
    const std::size_t end = rest_.find('\n');
    std::string_view line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  std::string_view rest_;
  int number_ = 0;
};

std::vector<DxfGroup> groups_of(const SourceFile& source) {
  std::vector<DxfGroup> groups;
  Lines lines(source.text);
  while (const auto code_line = lines.next()) {
    const auto code = parse_integer(*code_line);
    if (!code || *code < -5 || *code > 1071) {
      source.fail(lines.number(),
                  fmt::format("{} is no group code: an ASCII DXF file is pairs of lines, a whole "
                              "number and its value",
                              in_quotes(*code_line)));
    }
    const auto value = lines.next();
    if (!value) source.fail(lines.number(), "the file ends in the middle; save it again");
    if (*code == 999) continue;  // a comment
    groups.push_back({static_cast<int>(*code), trimmed(*value), lines.number()});
    if (*code == 0 && groups.back().value == "EOF") return groups;
  }
  source.fail(lines.number(), "the file ends in the middle, without EOF; save it again");
}

}  // namespace

DxfRecords::DxfRecords(const SourceFile& source) : groups_(groups_of(source)) {
  if (groups_.front().code != 0) {
    source.fail(groups_.front().line, "a DXF file begins with the group 0 SECTION");
  }
  std::size_t first = 0;
  for (std::size_t k = 1; k <= groups_.size(); ++k) {
    if (k < groups_.size() && groups_[k].code != 0) continue;
    records_.emplace_back(source, std::span(groups_).subspan(first, k - first));
    first = k;
  }
}

const DxfGroup* DxfRecord::find(int code) const {
  for (const DxfGroup& group : groups()) {
    if (group.code == code) return &group;
  }
  return nullptr;
}

std::string_view DxfRecord::text(int code, std::string_view fallback) const {
  const DxfGroup* group = find(code);
  return group == nullptr ? fallback : group->value;
}

double DxfRecord::number_of(const DxfGroup& group) const {
  const auto value = parse_number(group.value);
  if (!value) {
    source_->fail(group.line, fmt::format("{}: group {}: {}; must be a finite number", type(),
                                          group.code, in_quotes(group.value)));
  }
  return *value;
}

double DxfRecord::number(int code) const {
  const DxfGroup* group = find(code);
  if (group == nullptr) fail(fmt::format("group {} is missing", code));
  return number_of(*group);
}

double DxfRecord::number(int code, double fallback) const {
  return has(code) ? number(code) : fallback;
}

int DxfRecord::integer(int code, int fallback) const {
  const DxfGroup* group = find(code);
  if (group == nullptr) return fallback;
  const auto value = parse_integer(group->value);
  constexpr std::int64_t kMost = 1'000'000'000;
  if (!value || *value < -kMost || *value > kMost) {
    source_->fail(group->line, fmt::format("{}: group {}: {}; must be a whole number", type(), code,
                                           in_quotes(group->value)));
  }
  return static_cast<int>(*value);
}

Vec2 DxfRecord::point(int code) const { return {number(code), number(code + 10)}; }

void DxfRecord::fail(std::string_view text) const {
  source_->fail(line(), fmt::format("{}: {}", type(), text));
}

}  // namespace graspmap
