#include "tests/support/source_dir.hpp"

std::string graspmap::testing::source_dir() { return GRASPMAP_SOURCE_DIR; }
