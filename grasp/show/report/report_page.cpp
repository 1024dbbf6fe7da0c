#include "grasp/show/report/report_page.hpp"

#include "grasp/base/io/base64.hpp"
#include "grasp/base/io/gzip.hpp"
#include "grasp/base/pictures/svg.hpp"
#include "grasp/show/report/page_source.hpp"

namespace graspmap {
namespace {

/// What the page may do: run what is in it. It may fetch nothing, from nowhere.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'";

}  // namespace

ReportPage::ReportPage(std::string_view title) : title_(xml_text(title)) {}

void ReportPage::add_part(std::string_view name, std::string_view bytes) {
  parts_ += "<script type=\"text/plain\" data-part=\"";
  parts_ += name;
  parts_ += "\">";
  parts_ += base64(gzip(bytes));
  parts_ += "</script>\n";
}

std::string ReportPage::html() const {
  std::string html = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  html += "<meta http-equiv=\"Content-Security-Policy\" content=\"";
  html += kPolicy;
  html += "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  html += "<link rel=\"icon\" href=\"data:,\">\n<title>";
  html += title_;
  html += "</title>\n<style>";
  html += page_style();
  html += "</style>\n</head>\n<body>\n";
  html += page_body();
  html += parts_;
  html += "<script type=\"module\">";
  html += page_script();
  html += "</script>\n</body>\n</html>\n";
  return html;
}

}  // namespace graspmap
