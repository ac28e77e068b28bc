#include "models/envoy/proxy/plain_texts.hpp"

#include <algorithm>
#include <string_view>

namespace spillway::proxy {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view first_line(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of("\r\n"));
}

// True for a line such as `cluster.backend.upstream_rq_total: 12`: a name with dots and a number.
bool is_counter(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos || line.substr(0, colon).find('.') == std::string_view::npos) {
    return false;
  }
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = line.substr(colon + 2);
  return name.find_first_of(" \t{}[]\"'") == std::string_view::npos && !value.empty() &&
         std::all_of(value.begin(), value.end(), is_digit);
}

}  // namespace

bool is_plain_text(const SourceFile& source) {
  const std::string_view line = first_line(source.text);
  if (line.starts_with("[20") || line.starts_with("[pod/") || line.starts_with("# TYPE ") ||
      line.starts_with("# HELP ") || is_counter(line)) {
    return true;
  }
  // Distinguishes /clusters from YAML: a YAML key may contain `::` once, but twice only with a blank before the second.
  const std::size_t first = line.find("::");
  return first != std::string_view::npos && first > 0 && line.find(' ') > first &&
         line.find("::", first + 2) != std::string_view::npos;
}

}  // namespace spillway::proxy
