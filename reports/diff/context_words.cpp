#include "reports/diff/context_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::reports {
namespace {

using diff::Context;
using diff::Difference;
using diff::ZoneHealth;

bool distinguishes_services(const Difference& difference) {
  std::set<std::string> services;
  for (const Context& context : difference.contexts) {
    for (const auto* const list : {&context.health, &context.health_old}) {
      for (const ZoneHealth& health : *list) {
        services.insert(health.service);
      }
    }
  }
  return services.size() > 1;
}

std::string health_text(const std::vector<ZoneHealth>& zones, bool with_service) {
  constexpr std::size_t most = 3;
  std::vector<std::string> parts;
  for (const ZoneHealth& health : zones) {
    std::string part = (with_service ? health.service + " in " : "") + health.zone;
    if (health.members == 0) {
      part += " without endpoints";
    } else if (health.members < health.endpoints) {
      part += fmt::format(" {} of {} left", health.members, health.endpoints);
    }
    if (health.healthy < health.members) {
      part += fmt::format("{} {} healthy", health.members < health.endpoints ? "," : "",
                          exact_percent(static_cast<double>(health.healthy) / health.members));
    }
    parts.push_back(std::move(part));
  }
  if (parts.size() > most) {
    const std::size_t more = parts.size() - most;
    parts.resize(most);
    parts.push_back(fmt::format("{} more", more));
  }
  return joined(parts, ", ");
}

// Describes the state of the context, without the time.
std::string moment_text(const Context& context, bool with_service, bool only_one) {
  std::string text = health_text(context.health, with_service);
  const std::string old_text = health_text(context.health_old, with_service);
  for (const std::string& node : context.nodes_out) {
    text += (text.empty() ? "" : ", ") + ("node " + node) + " out";
  }
  if (text.empty()) {
    text = only_one && old_text.empty() ? "always" : "all healthy";
  }
  if (old_text != health_text(context.health, with_service)) {
    text += fmt::format(" (before: {})", old_text.empty() ? "all healthy" : old_text);
  }
  return text;
}

// Returns the name of the failure. A document of Envoy may leave its zone without a name.
std::string failure_name(const Context& context) {
  return (context.failure.starts_with(' ') ? "all" : "") + context.failure;
}

std::string failure_text(const Context& context) {
  const bool lost = context.failure.ends_with("endpoints") || context.failure.ends_with("clients");
  return failure_name(context) + (lost ? " lost" : "") +
         (context.ways > 1 ? fmt::format(" (and {} alike)", with_thousands(context.ways - 1)) : "");
}

}  // namespace

// Returns a clause with "when" or "while" that describes the situation.
std::string circumstance(const Context& context, bool only_moment) {
  if (context.kind == Context::Kind::run) {
    return "";
  }
  if (context.kind == Context::Kind::failure) {
    if (context.failure.ends_with("endpoints")) {
      return " when " + failure_name(context) + " are lost";
    }
    const std::string with_clients = " with its clients";
    if (context.failure.ends_with(with_clients)) {
      return " when " + context.failure.substr(0, context.failure.size() - with_clients.size()) + " is lost" +
             with_clients;
    }
    return " under the failure " + context.failure;
  }
  if (context.health.empty() && context.nodes_out.empty()) {
    return only_moment ? "" : " while all is healthy";
  }
  if (context.health.empty()) {
    return " when node " + context.nodes_out.front() + " is out";
  }
  const ZoneHealth& first = context.health.front();
  const bool removed = first.members < first.endpoints;
  const auto lost_of = [&](const ZoneHealth& zone) { return zone.endpoints - (removed ? zone.members : zone.healthy); };
  const std::uint32_t lost = lost_of(first);
  const std::string of_zone = lost < first.endpoints ? fmt::format("{} of {} endpoints", lost, first.endpoints)
                              : lost == 1            ? std::string("the endpoint")
                                                     : fmt::format("all {} endpoints", lost);
  const std::size_t others = context.health.size() - 1;
  const bool all = std::all_of(context.health.begin(), context.health.end(),
                               [&](const ZoneHealth& zone) { return lost_of(zone) == zone.endpoints; });
  const char* const those = all ? "those" : "endpoints";
  const std::string more = others == 0   ? ""
                           : others == 1 ? fmt::format(", with {} of {}", those, context.health.back().zone)
                                         : fmt::format(", with {} of {} more zones", those, others);
  const std::string zone = first.zone.empty() ? "" : " of " + first.zone;
  return fmt::format(" when {}{} {} {}{}", of_zone, zone, lost == 1 ? "is" : "are", removed ? "removed" : "unhealthy",
                     more);
}

std::vector<ContextLabel> context_names(const Difference& difference) {
  const bool with_service = distinguishes_services(difference);
  const auto moments = std::count_if(difference.contexts.begin(), difference.contexts.end(),
                                     [](const Context& context) { return context.kind == Context::Kind::moment; });
  std::vector<ContextLabel> labels;
  std::map<std::string, int> uses;
  for (const Context& context : difference.contexts) {
    const bool moment = context.kind == Context::Kind::moment;
    labels.push_back({moment                               ? moment_text(context, with_service, moments == 1)
                      : context.kind == Context::Kind::run ? "the whole run"
                                                           : failure_text(context),
                      ""});
    uses[labels.back().text] += moment ? 1 : 0;
  }
  for (std::size_t index = 0; index < labels.size(); ++index) {
    const Context& context = difference.contexts[index];
    if (context.kind == Context::Kind::moment && uses[labels[index].text] > 1) {
      labels[index].time = context.start > 0.0 ? duration_text(context.start) : std::string("0 s");
    }
  }
  return labels;
}

std::vector<std::string> context_labels(const Difference& difference) {
  std::vector<std::string> labels;
  for (const ContextLabel& label : context_names(difference)) {
    labels.push_back(label.time.empty() ? label.text : label.text + " from " + label.time);
  }
  return labels;
}

}  // namespace spillway::reports
