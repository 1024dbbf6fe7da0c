#include "grasp/base/io/number.hpp"

#include <cmath>
#include <cstdlib>
#include <string>

namespace graspmap {

std::from_chars_result read_number(const char* begin, const char* end, double& value) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(begin, end, value);
#else
  // The standard library of emscripten reads no doubles. strtod reads more than from_chars does.
  const std::string_view rest(begin, static_cast<std::size_t>(end - begin));
  const std::string text(rest.substr(0, rest.find_first_not_of("+-.0123456789eE")));
  if (text.empty() || text.front() == '+') return {begin, std::errc::invalid_argument};
  char* stop = nullptr;
  value = std::strtod(text.c_str(), &stop);
  if (stop == text.c_str()) return {begin, std::errc::invalid_argument};
  return {begin + (stop - text.c_str()), std::errc()};
#endif
}

namespace {

std::from_chars_result read(const char* begin, const char* end, std::int64_t& value) {
  return std::from_chars(begin, end, value);
}

std::from_chars_result read(const char* begin, const char* end, double& value) {
  return read_number(begin, end, value);
}

/// The value of type T that the whole text is. A leading plus sign is allowed.
template <typename T>
std::optional<T> parse(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = read(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end - begin));
  }
  return parts;
}

std::optional<double> parse_number(std::string_view text) {
  const std::optional<double> value = parse<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  return parse<std::int64_t>(text);
}

}  // namespace graspmap
