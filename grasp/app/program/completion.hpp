#pragma once

#include <string>
#include <vector>

#include "grasp/app/program/program.hpp"

namespace graspmap {

/// What may stand at the end of a command line. The first line says where more comes from: "words"
/// (from nowhere), "files .toml .csv" (files with these endings, or all) or "folders". A line for
/// each word follows, with a blank and what it means. A word that ends with '=' or '.' goes on.
/// `words` is what is typed after the program's name; the last is not finished, and may be empty.
std::string completion(const Program& program, const std::vector<std::string>& words);

}  // namespace graspmap
