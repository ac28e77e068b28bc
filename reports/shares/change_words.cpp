#include "reports/shares/change_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <variant>
#include <vector>

#include "models/config/seconds.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports {
namespace {

std::string many(std::uint64_t number, const char* one, const char* several) {
  return fmt::format("{} {}", with_thousands(number), number == 1 ? one : several);
}

class Words {
 public:
  Words(const scenario::Scenario& scenario, std::uint64_t nodes) : scenario_(scenario), nodes_(nodes) {}

  std::string operator()(const scenario::EdsHealth& effect) const {
    std::vector<std::string> parts;
    for (const auto& [status, name] : statuses) {
      const config::HealthStatus wanted = status;
      const auto count = std::count_if(effect.hosts.begin(), effect.hosts.end(), [&](const auto& reported) {
        return reported.second == wanted ||
               (wanted == config::HealthStatus::healthy && reported.second == config::HealthStatus::unknown);
      });
      if (count > 0) {
        parts.push_back(fmt::format("{} {}", with_thousands(static_cast<std::uint64_t>(count)), name));
      }
    }
    std::vector<config::HostIndex> hosts;
    for (const auto& [host, status] : effect.hosts) {
      hosts.push_back(host);
    }
    return fmt::format("{} told by EDS of {}: {}", proxies(effect.audience), endpoints(effect.service, hosts),
                       joined(parts, ", "));
  }
  std::string operator()(const scenario::EdsMembership& effect) const {
    return fmt::format("{} told by EDS that {} {}", proxies(effect.audience), endpoints(effect.service, effect.hosts),
                       effect.hosts.size() == 1 ? (effect.member ? "was added" : "was removed")
                                                : (effect.member ? "were added" : "were removed"));
  }
  std::string operator()(const scenario::EdsWeights& effect) const {
    return fmt::format("{} told new weights of {} by EDS", proxies(effect.audience), name_of_service(effect.service));
  }
  std::string operator()(const scenario::EdsPriority& effect) const {
    return fmt::format("{} told by EDS that {} now at priority {}", proxies(effect.audience),
                       endpoints(effect.service, effect.hosts) + (effect.hosts.size() == 1 ? " is" : " are"),
                       effect.priority.value);
  }
  std::string operator()(const scenario::Existence& effect) const {
    return of_hosts(effect, effect.exists ? "comes back" : "stops without notice to proxies",
                    effect.exists ? "come back" : "stop without notice to proxies");
  }
  std::string operator()(const scenario::NodeOutage& effect) const {
    const scenario::Node& node = scenario_.nodes[effect.node.value];
    if (nodes_ > 1) {
      return fmt::format("{} of {} {}", many(nodes_, "node", "nodes"), printable(scenario_.zones[node.zone.value].name),
                         effect.on ? "come back" : "fail");
    }
    return fmt::format("node {} {}", printable(node.name), effect.on ? "comes back" : "fails");
  }
  std::string operator()(const scenario::LinkChange& effect) const {
    const scenario::Link& link = scenario_.links[effect.link.value];
    std::string text = fmt::format("the link {} - {}", printable(scenario_.zones[link.first.value].name),
                                   printable(scenario_.zones[link.second.value].name));
    if (effect.on) {
      text += *effect.on ? " works again" : " is cut";
    }
    if (effect.latency) {
      text += fmt::format("{} has a latency of {}", effect.on ? " and" : "",
                          duration_text(config::seconds(*effect.latency)));
    }
    return text;
  }
  std::string operator()(const scenario::Fails& effect) const {
    if (effect.every == 0 && effect.fraction <= 0.0) {
      return of_hosts(effect, "stops failing requests", "stop failing requests");
    }
    const std::string part = effect.every > 0 ? fmt::format("one of {} requests", effect.every)
                                              : exact_percent(effect.fraction) + " of its requests";
    const std::string parts = effect.every > 0 ? fmt::format("one of {} requests", effect.every)
                                               : exact_percent(effect.fraction) + " of their requests";
    return of_hosts(effect, "fails " + part + way_of(effect), "fail " + parts + way_of(effect));
  }
  std::string operator()(const scenario::AnswersChecks& effect) const {
    constexpr std::array names{"healthy",      "degraded", "unhealthy",      "immediate_health_check_fail",
                               "with a reset", "refused",  "with no answer", "status"};
    const std::string answer = effect.answer == scenario::CheckAnswer::status
                                   ? fmt::format("with status {}", effect.status)
                                   : names[static_cast<std::size_t>(effect.answer)];
    return of_hosts(effect, "answers checks " + answer, "answer checks " + answer);
  }
  std::string operator()(const config::RuntimeChange& effect) const {
    std::vector<std::string> parts;
    for (const auto& [key, value] : effect.values) {
      parts.push_back(
          fmt::format("{} is {}", config::runtime_key_name(key), value ? std::to_string(*value) : "the default"));
    }
    return "runtime: " + joined(parts, ", ");
  }
  std::string operator()(const scenario::RateChange& effect) const {
    const scenario::ClientEntry& client = scenario_.clients[effect.client.value];
    std::string text = fmt::format("{}{} sends {} requests a second", client.count > 1 ? "each of " : "",
                                   printable(client.name), rounded(effect.rate));
    if (effect.slope != 0.0) {
      text += fmt::format(", {} {} a second each second", effect.slope > 0.0 ? "growing by" : "falling by",
                          rounded(std::abs(effect.slope)));
    }
    return text;
  }
  std::string operator()(const scenario::Slow& effect) const {
    const std::string how =
        effect.slowness == 1.0 ? "as long as before" : fmt::format("{} times as long", rounded(effect.slowness));
    return of_hosts(effect, "takes " + how, "take " + how);
  }

 private:
  static constexpr std::array<std::pair<config::HealthStatus, const char*>, 5> statuses{
      {{config::HealthStatus::healthy, "healthy"},
       {config::HealthStatus::degraded, "degraded"},
       {config::HealthStatus::unhealthy, "unhealthy"},
       {config::HealthStatus::draining, "draining"},
       {config::HealthStatus::timeout, "timed out"}}};

  static std::string rounded(double number) { return fmt::format("{:.4g}", number); }

  static std::string way_of(const scenario::Fails& effect) {
    switch (effect.failure) {
      case scenario::Failure::status:
        return fmt::format(" with status {}", effect.status);
      case scenario::Failure::reset:
        return " with a reset";
      case scenario::Failure::connect_failure:
        return " to connect";
      case scenario::Failure::no_answer:
        return " by no answer";
    }
    return "";
  }

  [[nodiscard]] std::string proxies(const std::vector<config::ZoneIndex>& audience) const {
    std::vector<std::string> names;
    for (const config::ZoneIndex zone : audience) {
      names.push_back(printable(scenario_.zones[zone.value].name));
    }
    return names.empty() ? "proxies are" : "proxies in " + joined(names, ", ") + " are";
  }

  [[nodiscard]] std::string name_of_service(config::ServiceIndex service) const {
    return printable(scenario_.services[scenario::asked_for(scenario_, service).value].name);
  }

  // Returns "cart-2", "6 endpoints of cart in eu-west-1a" or "18 endpoints of cart".
  [[nodiscard]] std::string endpoints(config::ServiceIndex service, const std::vector<config::HostIndex>& hosts) const {
    if (hosts.size() == 1) {
      return printable(scenario::endpoint_at(scenario_, service, hosts.front()).id);
    }
    std::optional<config::ZoneIndex> zone;
    bool one_zone = !hosts.empty();
    for (const config::HostIndex host : hosts) {
      const config::ZoneIndex here = scenario_.nodes[scenario::endpoint_at(scenario_, service, host).node.value].zone;
      one_zone = one_zone && zone.value_or(here) == here;
      zone = here;
    }
    std::string text = fmt::format("{} of {}", many(hosts.size(), "endpoint", "endpoints"), name_of_service(service));
    return one_zone ? text + " in " + printable(scenario_.zones[zone->value].name) : text;
  }

  template <class Effect>
  [[nodiscard]] std::string of_hosts(const Effect& effect, const std::string& one, const std::string& several) const {
    return endpoints(effect.service, effect.hosts) + ' ' + (effect.hosts.size() == 1 ? one : several);
  }

  const scenario::Scenario& scenario_;
  std::uint64_t nodes_;
};

}  // namespace

std::string change_text(const scenario::Scenario& scenario, const scenario::Effect& effect, std::uint64_t nodes) {
  return std::visit(Words(scenario, nodes), effect);
}

}  // namespace spillway::reports
