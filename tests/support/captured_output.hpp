#pragma once

#include <iostream>
#include <sstream>
#include <string>

namespace graspmap::testing {

/// What is written to a stream while this object lives, in place of its reaching the terminal.
class CapturedOutput {
 public:
  explicit CapturedOutput(std::ostream& stream = std::cout)
      : stream_(stream), before_(stream.rdbuf(captured_.rdbuf())) {}
  ~CapturedOutput() { stream_.rdbuf(before_); }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  [[nodiscard]] std::string text() const { return captured_.str(); }

 private:
  std::ostringstream captured_;
  std::ostream& stream_;
  std::streambuf* before_;
};

}  // namespace graspmap::testing
