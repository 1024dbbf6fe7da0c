#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/config_text.hpp"

namespace graspmap::testing {

/// A change to the text of a good file, and the error that it must give.
struct Mistake {
  std::string old_part;
  std::string new_part;
  std::string line;  ///< a piece of the line that the error names
  std::string key;
  std::string says;
};

/// Makes one mistake after the other in `good_text`, the text of `file`, and checks what `error_of`
/// gives for it: one line, "FILE:LINE: KEY: ...".
inline void check_mistakes(const std::string& good_text, const std::string& file,
                           const std::function<std::string(const std::string&)>& error_of,
                           const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const std::string text = replaced(good_text, mistake.old_part, mistake.new_part);
    INFO(mistake.old_part << " -> " << mistake.new_part);
    const std::string error = error_of(text);
    CHECK_THAT(error, Catch::Matchers::StartsWith(file + ":" +
                                                  std::to_string(line_of(text, mistake.line)) +
                                                  ": " + mistake.key + ": "));
    CHECK_THAT(error, Catch::Matchers::Contains(mistake.says));
    CHECK(error.find('\n') == std::string::npos);
  }
}

}  // namespace graspmap::testing
