#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace graspmap::testing {

/// What is wrong with a text as XML: tags that do not match, attributes without quotes, markup that
/// is not escaped, more than one root. Empty when it is well-formed. Knows what pictures need:
/// elements, attributes, character data, the five named entities and a declaration.
class XmlCheck {
 public:
  explicit XmlCheck(std::string_view xml) : xml_(xml) {}

  std::string problem() {
    if (xml_.starts_with("<?xml")) at_ = xml_.find("?>") + 2;
    while (at_ < xml_.size() && problem_.empty()) {
      if (xml_[at_] == '<') {
        tag();
      } else if (open_.empty() && std::isspace(static_cast<unsigned char>(xml_[at_])) == 0) {
        fail("text outside");
      } else {
        character();
      }
    }
    if (problem_.empty() && !open_.empty()) fail("not closed: " + open_.back());
    if (problem_.empty() && roots_ != 1) fail("not one root");
    return problem_;
  }

 private:
  void fail(const std::string& what) { problem_ = what + " at " + std::to_string(at_); }

  void character() {
    const char c = xml_[at_];
    if (c == '&') return entity();
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') fail("control character");
    ++at_;
  }

  void entity() {
    for (const char* known : {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}) {
      if (!xml_.substr(at_).starts_with(known)) continue;
      at_ += std::string_view(known).size();
      return;
    }
    fail("no entity");
  }

  std::string name() {
    const std::size_t begin = at_;
    while (at_ < xml_.size() && (std::isalnum(static_cast<unsigned char>(xml_[at_])) != 0 ||
                                 xml_[at_] == '-' || xml_[at_] == '_' || xml_[at_] == ':')) {
      ++at_;
    }
    if (at_ == begin) fail("no name");
    return std::string(xml_.substr(begin, at_ - begin));
  }

  bool take(char c) {
    if (at_ >= xml_.size() || xml_[at_] != c) return false;
    ++at_;
    return true;
  }

  void blanks() {
    while (at_ < xml_.size() && std::isspace(static_cast<unsigned char>(xml_[at_])) != 0) ++at_;
  }

  void tag() {
    ++at_;
    if (take('/')) return end_tag();
    const std::string element = name();
    if (open_.empty()) ++roots_;
    for (blanks(); problem_.empty() && at_ < xml_.size() && xml_[at_] != '>' && xml_[at_] != '/';
         blanks()) {
      attribute();
    }
    const bool empty = take('/');
    if (!take('>') && problem_.empty()) fail("tag not ended");
    if (!empty) open_.push_back(element);
  }

  void end_tag() {
    const std::string element = name();
    if (open_.empty() || open_.back() != element) return fail("does not match: " + element);
    open_.pop_back();
    if (!take('>')) fail("tag not ended");
  }

  void attribute() {
    name();
    if (!take('=') || !take('"')) return fail("attribute without quotes");
    while (problem_.empty() && !take('"')) {
      if (at_ >= xml_.size() || xml_[at_] == '<') return fail("attribute not ended");
      character();
    }
  }

  std::string_view xml_;
  std::size_t at_ = 0;
  int roots_ = 0;
  std::vector<std::string> open_;
  std::string problem_;
};

inline std::string xml_problem(std::string_view xml) { return XmlCheck(xml).problem(); }

}  // namespace graspmap::testing
