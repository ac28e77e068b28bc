#include "reports/document/formats.hpp"

#include <algorithm>
#include <array>

#include "reports/document/document.hpp"

namespace spillway::reports {
namespace {

struct FormatKind {
  const char* name;
  bool is_for_people;
  void (*write)(const Document& document, const Look& look, const Sink& sink);
};

// In the order of `Format`.
constexpr std::array<FormatKind, 5> kinds_of_format{{{"table", true, write_text},
                                                     {"wide", false, write_wide},
                                                     {"markdown", true, write_markdown},
                                                     {"csv", false, write_csv},
                                                     {"json", false, write_json}}};

const FormatKind& kind_of(Format format) {
  return kinds_of_format[static_cast<std::size_t>(format)];
}

}  // namespace

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const FormatKind& kind : kinds_of_format) {
      all.emplace_back(kind.name);
    }
    return all;
  }();
  return names;
}

std::optional<Format> format_of(std::string_view name) {
  const auto found = std::find(format_names().begin(), format_names().end(), name);
  return found == format_names().end() ? std::nullopt
                                       : std::optional(static_cast<Format>(found - format_names().begin()));
}

bool is_for_people(Format format) {
  return kind_of(format).is_for_people;
}

void write(const Document& document, Format format, const Look& look, const Sink& sink) {
  kind_of(format).write(document, look, sink);
}

std::string format(const Document& document, Format format, const Look& look) {
  std::string text;
  write(document, format, look, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace spillway::reports
