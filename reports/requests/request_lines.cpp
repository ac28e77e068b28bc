#include "reports/requests/request_lines.hpp"

#include <fmt/format.h>
#include <iterator>

#include "reports/text/escapes.hpp"
#include "reports/text/names.hpp"
#include "sim/run/traffic/request_trace.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

// Returns the names of a list's items, as CSV fields.
template <class List>
std::vector<std::string> fields_of(const List& all) {
  std::vector<std::string> fields;
  for (const auto& named : all) {
    fields.push_back(csv_field(named.name));
  }
  return fields;
}

void add_seconds(std::string& text, std::chrono::nanoseconds time) {
  constexpr std::int64_t second = 1'000'000'000;
  fmt::format_to(std::back_inserter(text), "{}.{:09}", time.count() / second, time.count() % second);
}

}  // namespace

RequestLines::RequestLines(const scenario::Scenario& scenario)
    : scenario_(scenario),
      clients_(fields_of(scenario.clients)),
      services_(fields_of(scenario.services)),
      zones_(fields_of(scenario.zones)),
      text_(csv_line({"time_s", "client", "number", "service", "cluster", "priority", "zone", "endpoint", "via",
                      "outcome", "attempts", "latency_s", "session"})) {
  for (const scenario::Endpoint& endpoint : scenario.endpoints) {
    endpoints_.push_back(csv_field(endpoint.id));
  }
}

void RequestLines::add(const run::TracedRequest& request) {
  const auto out = std::back_inserter(text_);
  add_seconds(text_, request.sent_at);
  fmt::format_to(out, ",{},{},{},", clients_[request.client.value], request.number + 1,
                 services_[request.service.value]);
  if (const auto& there = request.destination) {
    const config::NodeIndex node = scenario_.endpoints[there->endpoint.value].node;
    fmt::format_to(out, "{},{},{},{},", services_[there->cluster.value], there->priority.value,
                   zones_[scenario_.nodes[node.value].zone.value], endpoints_[there->endpoint.value]);
    const char* separator = "";
    for (const config::EndpointIndex proxy : there->via) {
      fmt::format_to(out, "{}{}", separator, endpoints_[proxy.value]);
      separator = " > ";
    }
  } else {
    text_ += ",,,,";
  }
  fmt::format_to(out, ",{},{},", name_of(request.outcome), request.attempts);
  add_seconds(text_, request.ended_at - request.sent_at);
  text_ += ',';
  if (request.session != 0) {
    fmt::format_to(out, "{}", request.session);
  }
  text_ += '\n';
}

}  // namespace spillway::reports
