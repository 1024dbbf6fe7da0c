#pragma once

#include <filesystem>
#include <string>

namespace graspmap {

/// `text` as a gnuplot string expression: in single quotes, in which gnuplot substitutes nothing
/// ("it's": 'it'."\047".'s'). Control characters (a line break would end the command) become
/// blanks.
std::string gnuplot_string(const std::string& text);

/// Runs `program --default-settings SCRIPT` in the script's folder, with no input and no terminal
/// output, and waits for its end. Throws IoError when gnuplot is not installed or reports an error
/// (with its first error line).
void run_gnuplot(const std::filesystem::path& script, const std::string& program);

}  // namespace graspmap
