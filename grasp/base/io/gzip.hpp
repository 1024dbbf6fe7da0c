#pragma once

#include <string>
#include <string_view>

namespace graspmap {

/// `bytes` as a gzip file, as small as zlib makes it. No time and no name are in it: the same bytes
/// give the same file. Throws IoError when memory runs out.
std::string gzip(std::string_view bytes);

}  // namespace graspmap
