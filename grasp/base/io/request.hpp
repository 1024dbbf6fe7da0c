#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "grasp/base/io/result.hpp"

namespace graspmap {

/// What a decision is asked for, said once: a struct of plain numbers, and its fields with a name,
/// what is allowed, and a sentence. The command line has an option for each field, Python a
/// keyword:
///   struct PlanRequest {
///     double confidence = 0.95;
///     RequestFields fields() { return {number_field("confidence C", confidence, ...)}; }
///   };

/// A request that cannot be answered. what() is the command line's sentence, "--OPTION: PROBLEM;
/// must be ALLOWED" without what is empty; each front (RequestValues::raise) makes its own. Texts
/// call other fields as the command line does, "needs --to-width".
struct RequestError : std::runtime_error {
  /// A problem of several fields, or of none.
  explicit RequestError(const std::string& what_is_wrong);
  /// A problem of one field; an empty one is its value, which fronts show.
  RequestError(const std::string& field, const std::string& what_is_wrong,
               const std::string& must_be = {});

  std::string option = {};
  std::string problem;
  std::string allowed = {};
};

/// The option of a key: "angle-sigma-rad" of "angle_sigma_rad".
std::string option_of_key(std::string key);

/// The sizes of the numbers that an option may have, besides 0, whatever its unit: beyond them no
/// digit is left, or a search has no end. Options may allow less.
inline constexpr double kLeastSize = 1e-12;
inline constexpr double kMostSize = 1e5;

/// What was given for options, or keywords, by their names. All functions that read a value throw
/// what raise() throws of a RequestError with the option, what it was given, and what is allowed.
/// Numbers have the sizes above.
class RequestValues {
 public:
  virtual ~RequestValues() = default;

  [[nodiscard]] bool has(const char* option) const {
    asked_.insert(option);
    return given_.contains(option);
  }

  /// The text of an option that is there; must not be empty.
  [[nodiscard]] const std::string& text(const char* option) const;
  /// Its words, separated by commas.
  [[nodiscard]] std::vector<std::string> words(const char* option) const;
  /// All texts of an option that may be repeated; none when it is not there.
  [[nodiscard]] std::vector<std::string> texts(const char* option) const;
  /// The numbers of an option, separated by commas.
  [[nodiscard]] std::vector<double> numbers(const char* option) const;
  /// Its points X,Y, separated by semicolons; of Python one pair, or several.
  [[nodiscard]] std::vector<std::array<double, 2>> points(const char* option) const;
  /// A keyword's dict of one number, {"jaw_friction": 0.05}; nothing of a text.
  [[nodiscard]] std::optional<std::pair<std::string, double>> named_number(
      const char* option) const;
  /// A whole number from `least` to `most`; `fallback` when it is not there.
  [[nodiscard]] int count(const char* option, int fallback, int least, int most) const;
  /// A finite number that `is_allowed`; `what` says which are: "a number > 0".
  template <typename IsAllowed>
  [[nodiscard]] double number(const char* option, const std::string& what,
                              IsAllowed is_allowed) const {
    const std::optional<double> value = number_in(option, given(option).value);
    if (!value || !is_allowed(*value)) refuse(option, what);
    return *value;
  }
  [[nodiscard]] double number(const char* option) const;
  [[nodiscard]] double number_at_least(const char* option, double least) const;
  [[nodiscard]] double positive_number(const char* option) const;
  /// The place of an option's word in a list; 0 when it is not there.
  [[nodiscard]] std::size_t word(const char* option, const std::vector<std::string>& words) const;

  /// What the option was given, for a message.
  [[nodiscard]] const std::string& shown(const char* option) const { return given(option).shown; }
  /// Throws what this front makes of an error.
  [[noreturn]] virtual void raise(const RequestError& error) const = 0;
  [[noreturn]] void fail(const std::string& problem) const;
  /// The same for an option: "--OPTION: 'TEXT'; must be WHAT".
  [[noreturn]] void refuse(const char* option, const std::string& what) const;

 protected:
  struct Given {
    Value value;
    std::string shown;
  };

  std::map<std::string, Given, std::less<>> given_;
  bool typed_ = true;  ///< a command line: numbers and lists are in texts
  mutable std::set<std::string, std::less<>> asked_;  ///< the options looked for

 private:
  [[nodiscard]] const Given& given(const char* option) const;
  [[nodiscard]] std::optional<double> number_in(const char* option, const Value& value) const;
};

/// A field of a request: "position-sigma-mm SX,SY" with what it means, and how it is read when it
/// was given.
struct RequestField {
  std::string form;
  std::string meaning;
  std::function<void(const RequestValues& values, const char* option)> read;

  [[nodiscard]] std::string name() const { return form.substr(0, form.find(' ')); }
};
using RequestFields = std::vector<RequestField>;

/// Sets the fields that were given.
void read_request(const RequestValues& values, const RequestFields& fields);

/// Which numbers are allowed, and the words for it.
struct AllowedNumbers {
  std::string what = "a number";
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above = false;  ///< the least itself is not allowed
  bool below = false;  ///< nor the most

  [[nodiscard]] bool allow(double number) const {
    return (above ? number > least : number >= least) && (below ? number < most : number <= most);
  }
};
inline const AllowedNumbers kAtLeastZero{"a number >= 0", 0.0};
inline const AllowedNumbers kAboveZero{.what = "a number > 0", .least = 0.0, .above = true};

/// `member` is a double, or may be left out: std::optional<double>.
template <typename Member>
RequestField number_field(std::string form, Member& member, const AllowedNumbers& allowed,
                          std::string meaning) {
  return {std::move(form), std::move(meaning),
          [&member, allowed](const RequestValues& values, const char* option) {
            member = values.number(option, allowed.what,
                                   [&](double number) { return allowed.allow(number); });
          }};
}

/// A whole number.
template <typename Member>
RequestField count_field(std::string form, Member& member, int least, int most,
                         std::string meaning) {
  return {std::move(form), std::move(meaning),
          [&member, least, most](const RequestValues& values, const char* option) {
            member = static_cast<Member>(values.count(option, 0, least, most));
          }};
}

/// So many numbers; `what` says which are allowed.
template <typename Member, std::predicate<const std::vector<double>&> Allow>
RequestField numbers_field(std::string form, Member& member, const std::string& what,
                           const Allow& allow, std::string meaning) {
  return {std::move(form), std::move(meaning),
          [&member, what, allow](const RequestValues& values, const char* option) {
            const std::vector<double> numbers = values.numbers(option);
            if (!allow(numbers)) values.refuse(option, what);
            if constexpr (std::same_as<Member, std::vector<double>>) {
              member = numbers;
            } else {
              auto& list = member.emplace();
              std::copy(numbers.begin(), numbers.end(), list.begin());
            }
          }};
}

/// Numbers >= 0 for x and y; one number is for both.
RequestField pair_field(std::string form, std::optional<std::array<double, 2>>& member,
                        std::string meaning);

/// So many numbers.
inline auto so_many(std::size_t least, std::size_t most) {
  return
      [least, most](const std::vector<double>& n) { return n.size() >= least && n.size() <= most; };
}

/// One of some words, by its number.
template <typename Member>
RequestField word_field(std::string form, Member& member, const std::vector<std::string>& words,
                        std::string meaning) {
  return {std::move(form), std::move(meaning),
          [&member, words](const RequestValues& values, const char* option) {
            member = static_cast<Member>(values.word(option, words));
          }};
}

RequestField text_field(std::string form, std::string& member, std::string meaning);
RequestField texts_field(std::string form, std::vector<std::string>& member, std::string meaning);
/// Words with commas between.
RequestField words_field(std::string form, std::vector<std::string>& member, std::string meaning);
RequestField points_field(std::string form, std::vector<std::array<double, 2>>& member,
                          std::string meaning);
/// True when it is there.
RequestField flag_field(std::string form, bool& member, std::string meaning);

}  // namespace graspmap
