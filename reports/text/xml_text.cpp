#include "reports/text/xml_text.hpp"

#include "reports/text/text_table.hpp"

namespace spillway::reports {

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char character : printable(text)) {
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
      default:
        escaped += character;
    }
  }
  return escaped;
}

}  // namespace spillway::reports
