#include "sim/scenario/binding/limits.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <variant>

#include "models/config/each_endpoint.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::binding {
namespace {

namespace policies = envoy::policies;

// The zones whose proxies have a state of the cluster, and the number of workers of these proxies.
struct Users {
  std::set<config::ZoneIndex> zones;
  double workers = 0.0;
};

std::vector<Users> users_by_service(const Scenario& scenario) {
  std::vector<Users> users(scenario.services.size());
  for (const ClientEntry& client : scenario.clients) {
    for (const config::ServiceIndex asked : services_of(scenario, client)) {
      if (asked.value >= scenario.services.size()) {
        continue;  // it could not be read, which is already reported
      }
      for (const config::ServiceIndex service : members_of(scenario, asked)) {
        users[service.value].zones.insert(scenario.nodes[client.node.value].zone);
        users[service.value].workers += static_cast<double>(client.count) * client.concurrency;
      }
    }
  }
  return users;
}

// Returns the number of entries of one table of the policy.
std::uint64_t table_entries(const policies::Config& policy) {
  return policies::visit_policy(policy, []<class Policy>(const typename Policy::Config& config) -> std::uint64_t {
    if constexpr (policies::IsHashPolicy<Policy>) {
      return Policy::table_entries(config);
    }
    return 0;
  });
}

std::uint64_t priorities_of(const Service& service) {
  std::set<std::uint32_t> priorities;
  for (const auto& endpoints : service.load_assignment.endpoints) {
    priorities.insert(endpoints.priority.value);
  }
  return std::max<std::uint64_t>(priorities.size(), 1);
}

// Counts the subsets that contain one host; with list_as_any a list counts as each of its values.
std::uint64_t count_subsets(const policies::subset::Config& config, const config::LbEndpoint& endpoint) {
  std::uint64_t sum = 0;
  for (const policies::subset::Selector& selector : config.subset_selectors) {
    std::uint64_t product = 1;
    for (const std::string& key : selector.keys) {
      const config::Value* const value = endpoint.metadata.find(key);
      const config::Value::List* const list = value != nullptr && config.list_as_any ? value->as_list() : nullptr;
      const std::uint64_t values = value == nullptr ? 0 : list != nullptr ? list->size() : 1;
      product = std::min(product * values, most_subsets + 1);
    }
    sum += product;
  }
  return std::min(sum, most_subsets + 1);
}

std::uint64_t count_subsets(const Service& service) {
  const auto* const config = std::get_if<policies::subset::Config>(&service.cluster.lb_policy);
  std::uint64_t sum = 0;
  if (config != nullptr) {
    config::for_each_endpoint(service.load_assignment, [&](config::HostIndex, const config::LbEndpoint& endpoint) {
      sum = std::min(sum + count_subsets(*config, endpoint), most_subsets + 1);
    });
  }
  return sum;
}

// Returns the number of rounds of one proxy over the whole run.
double rounds_of(const Scenario& scenario, const Service& service) {
  const auto duration = static_cast<double>(scenario.duration.count());
  const auto rounds = [&](Nanoseconds interval) {
    return duration / static_cast<double>(std::max<std::int64_t>(interval.count(), 1));
  };
  double sum = service.cluster.outlier_detection ? rounds(service.cluster.outlier_detection->interval) : 0.0;
  for (const config::HealthCheck& check : service.cluster.health_checks) {
    if (check.interval) {
      sum += rounds(*check.interval) * static_cast<double>(service.hosts.size());
    }
  }
  return sum;
}

// Returns the place of the cluster or service in the file; its first line if there is none.
Span place_of(const messages::Scenario& file, const Service& service) {
  for (const auto& cluster : file.clusters.value) {
    if (cluster->name && *cluster->name == service.name) {
      return cluster->name.where;
    }
  }
  for (const auto& written : file.services.value) {
    if (written->name && *written->name == service.name) {
      return written->name.where;
    }
  }
  return file.duration.where;
}

}  // namespace

void refuse_size(Diagnostics& problems, Span where, const std::string& what, const std::string& help) {
  problems.error("SP160", where, "the scenario is too large", "{}", {what}).help("{}", {help});
}

void refuse_large_clusters(const messages::Scenario& file, const Scenario& scenario, Diagnostics& problems) {
  if (scenario.services.empty() && !scenario.clients.empty() && !has_errors(problems)) {
    problems
        .error("SP107", file.clients.value.front().where, "no service for any client",
               "calls one, and the documents define none")
        .help("a Service needs ports, and a ServiceEntry hosts; or write `services`");
    return;
  }
  refuse_large_clusters(
      scenario, [&](config::ServiceIndex service) { return place_of(file, scenario.services[service.value]); },
      problems);
}

void refuse_large_clusters(const Scenario& scenario, const PlaceOfService& place, Diagnostics& problems) {
  if (has_errors(problems)) {
    return;
  }
  const std::vector<Users> users = users_by_service(scenario);
  double entries = 0.0;
  std::uint64_t subsets = 0;
  double rounds = 0.0;
  for (std::uint32_t index = 0; index < scenario.services.size(); ++index) {
    const Service& service = scenario.services[index];
    const bool had_room = entries <= most_table_entries && subsets <= most_subsets && rounds <= most_rounds;
    entries += static_cast<double>(table_entries(service.cluster.lb_policy)) *
               static_cast<double>(priorities_of(service) * std::max<std::uint64_t>(users[index].zones.size(), 1));
    subsets += count_subsets(service);
    rounds += scenario.mode == Mode::exact ? 0.0 : rounds_of(scenario, service) * users[index].workers;
    if (!had_room) {
      continue;
    }
    const Span where = place(config::ServiceIndex{index});
    if (entries > most_table_entries) {
      refuse_size(problems, where,
                  fmt::format("up to here {:.0f} entries of hash rings and tables, the most is {:.0f}", entries,
                              most_table_entries),
                  "make rings and tables smaller (`maximum_ring_size`, `table_size`), or leave services out");
    } else if (subsets > most_subsets) {
      refuse_size(problems, where, fmt::format("more than {} subsets", most_subsets),
                  "take keys or values out of the metadata, or set `list_as_any: false`");
    } else if (rounds > most_rounds) {
      refuse_size(problems, where,
                  fmt::format("up to here {:.3g} sweeps and checks, the most is {:.3g}", rounds, most_rounds),
                  "make `interval` longer, the `duration` shorter, or reduce the number of proxies");
    }
  }
}

}  // namespace spillway::scenario::binding
