#pragma once

#include <cstddef>
#include <rapidxml/rapidxml.hpp>
#include <string>
#include <string_view>
#include <vector>

/// What grasp/base/drawings/svg_reader.cpp uses of pugixml, by rapidxml: the one is a compiled
/// library, which a browser lacks, the other a header.
namespace pugi {

enum xml_node_type { node_null, node_element, node_other };

class xml_attribute {
 public:
  xml_attribute() = default;
  explicit xml_attribute(const rapidxml::xml_attribute<>* attribute) : attribute_(attribute) {}
  explicit operator bool() const { return attribute_ != nullptr; }
  [[nodiscard]] const char* value() const {
    return attribute_ != nullptr ? attribute_->value() : "";
  }

 private:
  const rapidxml::xml_attribute<>* attribute_ = nullptr;
};

class xml_node {
 public:
  xml_node() = default;
  xml_node(const rapidxml::xml_node<>* node, const char* text) : node_(node), text_(text) {}
  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const xml_node& other) const { return node_ == other.node_; }
  bool operator!=(const xml_node& other) const { return node_ != other.node_; }

  [[nodiscard]] const char* name() const { return node_ != nullptr ? node_->name() : ""; }
  [[nodiscard]] xml_attribute attribute(const char* name) const {
    return xml_attribute(node_ != nullptr ? node_->first_attribute(name) : nullptr);
  }
  [[nodiscard]] xml_node_type type() const {
    if (node_ == nullptr) return node_null;
    return node_->type() == rapidxml::node_element ? node_element : node_other;
  }
  [[nodiscard]] xml_node first_child() const { return {node_->first_node(), text_}; }
  [[nodiscard]] xml_node next_sibling() const { return {node_->next_sibling(), text_}; }
  [[nodiscard]] xml_node parent() const { return {node_->parent(), text_}; }
  [[nodiscard]] std::vector<xml_node> children() const {
    std::vector<xml_node> all;
    for (xml_node child = first_child(); child; child = child.next_sibling()) all.push_back(child);
    return all;
  }
  [[nodiscard]] std::ptrdiff_t offset_debug() const {
    return node_ != nullptr ? node_->name() - text_ : 0;
  }

 private:
  const rapidxml::xml_node<>* node_ = nullptr;
  const char* text_ = nullptr;
};

struct xml_parse_result {
  std::string problem = {};
  std::ptrdiff_t offset = 0;
  explicit operator bool() const { return problem.empty(); }
  [[nodiscard]] const char* description() const { return problem.c_str(); }
};

class xml_document {
 public:
  xml_parse_result load_buffer(const char* text, std::size_t size) {
    text_.assign(text, size);
    // rapidxml goes into elements by recursion; the reader of drawings stops at a hundred.
    constexpr int kDeepest = 1000;
    int depth = 0;
    for (std::size_t at = 0; at + 1 < size; ++at) {
      if (text_[at] == '<' && text_[at + 1] != '!' && text_[at + 1] != '?') {
        depth += text_[at + 1] == '/' ? -1 : 1;
      }
      if (text_[at] == '/' && text_[at + 1] == '>') --depth;
      if (depth > kDeepest)
        return {"elements are nested too deeply", static_cast<std::ptrdiff_t>(at)};
    }
    try {
      document_.parse<rapidxml::parse_validate_closing_tags>(text_.data());
    } catch (const rapidxml::parse_error& error) {
      return {error.what(), error.where<char>() - text_.data()};
    }
    if (!document_element()) return {"no document element found", 0};
    return {};
  }

  [[nodiscard]] xml_node document_element() const { return {document_.first_node(), text_.data()}; }

 private:
  std::string text_;
  rapidxml::xml_document<> document_;
};

}  // namespace pugi
