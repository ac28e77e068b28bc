#include "reports/text/xml_text.hpp"

#include "reports/text/text_table.hpp"

namespace spillway::reports {
namespace {

std::string escaped(std::string_view text, bool apostrophes) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char character : text) {
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += apostrophes ? "&#39;" : "'";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  return escaped(printable(text), false);
}

std::string html_escaped(std::string_view text) {
  return escaped(text, true);
}

}  // namespace spillway::reports
