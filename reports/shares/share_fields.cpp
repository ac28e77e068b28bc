#include "reports/shares/share_fields.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "reports/shares/group_by.hpp"
#include "reports/text/names.hpp"
#include "sim/run/results.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

template <class Number>
std::string number_or_nothing(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : "";
}

}  // namespace

std::string shortest(double number) {
  return fmt::format("{}", number);
}

std::vector<std::string> share_field_names(const run::Results& results) {
  return {"epoch",       "start_s",   "end_s",    "client",
          "service",     "cluster",   "priority", "availability",
          "region",      "zone",      "sub_zone", "node",
          "subset",      "via",       "endpoint", results.at_rest ? "at_rest" : "exact",
          "exact_basis", "simulated", "ci95",     "requests",
          "attempts"};
}

std::vector<std::string> share_fields(const scenario::Scenario& scenario, const Grouped& grouped,
                                      const run::Epoch* epoch, const run::Share& share) {
  const auto seconds = [](run::Nanoseconds time) { return shortest(std::chrono::duration<double>(time).count()); };
  const bool known = epoch != nullptr;
  const Dimensions& by = grouped.by;
  return {fmt::format("{}", share.epoch),
          known ? seconds(epoch->start) : "",
          known ? seconds(epoch->end) : "",
          by.has(Dimension::client) ? scenario.clients[share.client.value].name : "",
          scenario.services[share.service.value].name,
          share.cluster,
          by.has(Dimension::priority) ? fmt::format("{}", share.priority.value) : "",
          by.has(Dimension::availability) ? std::string(name_of(share.availability)) : "",
          share.region,
          share.zone,
          share.sub_zone,
          share.node,
          share.subset,
          share.via,
          share.endpoint,
          number_or_nothing(share.exact),
          share.exact_basis,
          number_or_nothing(share.simulated),
          number_or_nothing(share.ci95),
          number_or_nothing(share.requests),
          number_or_nothing(share.attempts)};
}

}  // namespace spillway::reports
