#include "reports/explain/wording.hpp"

#include <fmt/format.h>

#include "models/envoy/priority_load.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports::explain {

std::string number_text(double number) {
  return fmt::format("{:.12g}", number);
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string priority_text(config::Priority priority) {
  return fmt::format("P{}", priority.value);
}

std::string choice_text(envoy::PriorityChoice choice) {
  switch (choice.availability) {
    case envoy::Availability::healthy:
      break;
    case envoy::Availability::degraded:
      return priority_text(choice.priority) + " degraded";
    case envoy::Availability::all:
      return priority_text(choice.priority) + " all hosts";
  }
  return priority_text(choice.priority);
}

std::string some_of(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  for (std::size_t i = 0; i < shown; ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return shown < names.size() ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

std::string place_in_file(const Sources& sources, const Span& where) {
  const bool known = where.line > 0 && where.file < sources.size();
  return known ? fmt::format("{}:{}", printable(sources[where.file].name), where.line) : "";
}

namespace source {

std::string envoy(std::string_view section) {
  return fmt::format("docs/behaviour/envoy-before-pick.md {}", section);
}
std::string host_pick(std::string_view section) {
  return fmt::format("docs/behaviour/envoy-host-pick.md {}", section);
}
std::string istio(std::string_view section) {
  return fmt::format("docs/behaviour/istio.md {}", section);
}

std::string kuma(std::string_view section) {
  return fmt::format("docs/behaviour/kuma.md {}", section);
}

}  // namespace source

}  // namespace spillway::reports::explain
