#pragma once

#include <string>
#include <string_view>

namespace graspmap {

/// A page that is put together: one HTML file with all that it needs, and no address in it. What
/// comes from files and names is base64 of gzip, or escaped: nothing in it can become markup.
class ReportPage {
 public:
  /// `title` is any text.
  explicit ReportPage(std::string_view title);

  /// A part that the page unpacks by its name: letters and '_'.
  void add_part(std::string_view name, std::string_view bytes);
  /// The finished page.
  [[nodiscard]] std::string html() const;

 private:
  std::string title_;
  std::string parts_;
};

}  // namespace graspmap
