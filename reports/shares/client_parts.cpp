#include "reports/shares/client_parts.hpp"

#include <fmt/format.h>

#include "reports/shares/group_by.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {

ClientParts::ClientParts(const Grouped& grouped) : by_client_(grouped.by.has(Dimension::client)) {
  for (const run::Epoch& epoch : grouped.results.epochs) {
    const auto [of, is_new] = of_service_.try_emplace({epoch.client, epoch.service});
    auto& [services, all] = of_client_[epoch.client];
    services += is_new ? 1 : 0;
    of->second.expected += epoch.expected_requests;
    all.expected += epoch.expected_requests;
  }
  for (const run::Outcomes& row : grouped.results.outcomes) {
    of_service_[{row.client, row.service}].sent += row.sent;
    of_client_[row.client].second.sent += row.sent;
  }
}

std::uint64_t ClientParts::sent(config::ClientEntryIndex client, config::ServiceIndex service) const {
  const auto found = of_service_.find({client, service});
  return found == of_service_.end() ? 0 : found->second.sent;
}

std::optional<ClientParts::Part> ClientParts::of(config::ClientEntryIndex client, config::ServiceIndex service) const {
  const auto whole = of_client_.find(client);
  const auto own = of_service_.find({client, service});
  if (!by_client_ || whole == of_client_.end() || own == of_service_.end() || whole->second.first < 2 ||
      whole->second.second.expected <= 0.0) {
    return std::nullopt;
  }
  const Sums& all = whole->second.second;
  return Part{own->second.expected / all.expected,
              all.sent > 0 ? static_cast<double>(own->second.sent) / static_cast<double>(all.sent) : 0.0};
}

std::vector<std::string> ClientParts::lines(const scenario::Scenario& scenario) const {
  std::vector<std::string> lines;
  for (const auto& [whose, sums] : of_service_) {
    if (const std::optional<Part> part = of(whose.first, whose.second)) {
      const std::string client = printable(scenario.clients[whose.first.value].name);
      lines.push_back(fmt::format("{} -> {}: {} of {}'s requests", client,
                                  printable(scenario.services[whose.second.value].name), exact_percent(part->expected),
                                  client));
    }
  }
  return lines;
}

}  // namespace spillway::reports
