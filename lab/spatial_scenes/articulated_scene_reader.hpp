#pragma once

#include <string>
#include <vector>

#include "grasp/base/io/toml_reader.hpp"
#include "lab/articulated/simulate_articulated.hpp"
#include "lab/articulated/system.hpp"

namespace graspmap {

/// An articulated system, and how it is stepped.
struct ArticulatedScene {
  ArticulatedSystem system;
  ArticulatedSettings settings;
};

/// Reads [solver], [world], [[link]], [[obstacle]] and [[closure]] of a document of kind
/// "articulated". Checks the document's keys, all of whose others have been read. Throws
/// ConfigError.
ArticulatedScene read_articulated_scene(const TomlTable& document);

inline constexpr const char* kGround = "ground";  ///< what is no link

/// Reads the [[link]] tables of a scene of kind "articulated", chains link by link. Throws
/// ConfigError.
std::vector<Link> read_links(const std::vector<TomlTable>& tables);

/// The link that a key names, or -1 for the ground. Throws ConfigError.
int link_named(const TomlTable& table, std::string_view key, const std::string& name,
               const std::vector<Link>& links);

/// The [[link]] that a link is of, chains by their name without the number.
TomlTable table_of_link(const TomlTable& document, const std::string& name);

}  // namespace graspmap
