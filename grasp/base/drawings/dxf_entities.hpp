#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "grasp/base/drawings/dxf_records.hpp"
#include "grasp/base/drawings/sketch.hpp"

namespace graspmap {

/// True for what draw_dxf_entity draws.
bool is_dxf_outline(std::string_view type);

/// Why an entity of another type makes no outline.
std::string_view dxf_reason(std::string_view type);

/// The axes in which an entity's coordinates are: mirrored where its extrusion is (0, 0, -1).
/// Nothing where it lies in another plane than the drawing.
std::optional<Affine> dxf_axes(const DxfRecord& entity);

/// Draws an entity; `vertices` are the VERTEX records of a POLYLINE. The pen is placed, but for the
/// entity's axes. Throws ConfigError for values that make no such entity.
void draw_dxf_entity(const DxfRecord& entity, std::span<const DxfRecord> vertices, Pen& pen);

}  // namespace graspmap
