#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "geometry/types.hpp"
#include "grasp/base/drawings/sketch.hpp"

namespace graspmap {

/// Two lines of a DXF file: a group code, and its value.
struct DxfGroup {
  int code = 0;
  std::string_view value;
  int line = 0;  ///< of the value
};

/// What a group code 0 begins: an entity, a section, a table's entry.
class DxfRecord {
 public:
  DxfRecord(const SourceFile& source, std::span<const DxfGroup> groups)
      : source_(&source), groups_(groups) {}

  [[nodiscard]] std::string_view type() const { return groups_.front().value; }
  [[nodiscard]] int line() const { return groups_.front().line; }
  [[nodiscard]] std::span<const DxfGroup> groups() const { return groups_.subspan(1); }

  [[nodiscard]] bool has(int code) const { return find(code) != nullptr; }
  /// Values of the first group with a code. Those without a fallback throw ConfigError when no
  /// group has it; all throw when the value is no such number.
  [[nodiscard]] std::string_view text(int code, std::string_view fallback) const;
  [[nodiscard]] double number(int code) const;
  [[nodiscard]] double number(int code, double fallback) const;
  [[nodiscard]] int integer(int code, int fallback) const;
  /// The groups code and code + 10.
  [[nodiscard]] Vec2 point(int code) const;
  [[nodiscard]] double number_of(const DxfGroup& group) const;

  /// Throws ConfigError "FILE:LINE: TYPE: TEXT".
  [[noreturn]] void fail(std::string_view text) const;

 private:
  [[nodiscard]] const DxfGroup* find(int code) const;

  const SourceFile* source_;
  std::span<const DxfGroup> groups_;
};

/// A DXF file divided into its records.
class DxfRecords {
 public:
  /// Throws ConfigError for text that is no DXF file, or does not come to its end.
  explicit DxfRecords(const SourceFile& source);

  [[nodiscard]] const std::vector<DxfRecord>& all() const { return records_; }

 private:
  std::vector<DxfGroup> groups_;
  std::vector<DxfRecord> records_;
};

/// True for what draw_dxf_entity draws.
bool is_dxf_outline(std::string_view type);

/// Why an entity of another type makes no outline.
std::string_view dxf_reason(std::string_view type);

/// The axes in which an entity's coordinates are: mirrored where its extrusion is (0, 0, -1).
/// Nothing where it lies in another plane than the drawing.
std::optional<Affine> dxf_axes(const DxfRecord& entity);

/// False where an entity rises out of the drawing's plane, by more than the digits of a file;
/// `vertices` are the VERTEX records of a POLYLINE.
bool dxf_is_level(const DxfRecord& entity, std::span<const DxfRecord> vertices);

/// Draws an entity; `vertices` are the VERTEX records of a POLYLINE. The pen is placed, except for
/// the entity's axes. Throws ConfigError for values that make no such entity.
void draw_dxf_entity(const DxfRecord& entity, std::span<const DxfRecord> vertices, Pen& pen);

}  // namespace graspmap
