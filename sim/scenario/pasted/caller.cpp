#include "sim/scenario/pasted/caller.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "models/documents/grammar/fields.hpp"
#include "models/istio/names.hpp"
#include "sim/scenario/pasted/mesh_inventory.hpp"
#include "sim/scenario/pasted/pasted_documents.hpp"

namespace spillway::scenario::pasted {
namespace {

constexpr double rate_by_default = 100.0;  // of each client
constexpr double percent = 100.0;

// A name as kubectl takes it: "web", "shop/web", "deploy/web", "web.shop", "web.shop.svc.cluster.local".
struct Named {
  std::string name = {};
  std::string name_space = {};  // empty: any
};

Named named(const std::string& text, const std::map<std::string, std::map<std::string, std::string>>& selectors) {
  constexpr std::array kinds{"pod",         "po", "pods",      "deploy", "deployment", "deployments", "sts",
                             "statefulset", "ds", "daemonset", "svc",    "service",    "services",    "rollout"};
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const std::string before = text.substr(0, slash);
    const bool is_kind = std::find(kinds.begin(), kinds.end(), before) != kinds.end();
    return {text.substr(slash + 1), is_kind ? std::string() : before};
  }
  const std::size_t dot = text.find('.');
  if (dot != std::string::npos && !selectors.contains(text)) {
    const std::string behind = text.substr(dot + 1);
    return {text.substr(0, dot), behind.substr(0, behind.find('.'))};
  }
  return {text, ""};
}

struct Caller {
  std::string name = {};
  std::string node = {};
  std::string zone = {};
  std::string name_space = {};
  std::map<std::string, std::string> labels = {};
  std::size_t count = 1;
};

// Returns "a, b, c and 10 more".
std::string some_of(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < texts.size() && i < most; ++i) {
    text += (i == 0 ? "" : ", ") + texts[i];
  }
  return texts.size() <= most ? text : text + fmt::format(" and {} more", texts.size() - most);
}

class ScenarioWriter {
 public:
  ScenarioWriter(const CallerQuestion& asked, World& world) : asked_(asked), world_(world) {}

  void write(const std::vector<Json>& resources, const PastedDocuments& documents) {
    choose_services();
    choose_callers();
    if (!world_.problem.empty()) {
      return;
    }
    std::string& text = world_.text;
    text += fmt::format("duration: {}\n", asked_.question.counts_requests ? "60s"
                                          : asked_.question.plans         ? "2s"
                                                                          : "10s");
    text += asked_.question.counts_requests ? "" : "mode: exact\n";
    text += profile_text(asked_.question, "istio", world_);
    text += "resources:\n";
    for (const PastedFile& file : documents.files) {
      if (!file.documents.empty()) {
        text += "  - " + quoted_text(file.name) + "\n";
      }
    }
    for (const Json& resource : resources) {
      world_.resources += "  - " + resource.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    }
    text += world_.resources;
    write_serving();
    write_clients();
    if (asked_.question.plans) {
      text += "failures: [{ each: zone }]\n";
      world_.assumed.emplace_back(
          "each zone is lost in turn, in 2 replications of 2 s: a scenario of `spillway init` plans for more");
    }
  }

 private:
  void choose_services() {
    const std::string& to = asked_.question.to;
    for (const CalledService& service : asked_.services) {
      if (to.empty() || is_called(service, to)) {
        services_.push_back(&service);
      }
    }
    if (services_.empty() && !to.empty()) {
      refuse_unknown(to);
    } else if (services_.empty()) {
      world_.problem = "no service is in the documents, and no rule names one";
      world_.help = "give Services, a DestinationRule, a VirtualService, or the scenario that they belong to";
    }
    if (asked_.question.one_client && services_.size() > 1) {
      services_.resize(1);
    }
    leave_out_hosts_without_pods();
    for (const auto* const rates : {&asked_.question.rates, &asked_.question.capacities}) {
      for (const auto& [name, rate] : *rates) {
        if (std::none_of(asked_.services.begin(), asked_.services.end(),
                         [&](const CalledService& service) { return is_called(service, name); })) {
          refuse_unknown(name);
        }
      }
    }
  }

  static bool is_called(const CalledService& service, const std::string& name) {
    return service.name == name || service.reference == name ||
           istio::resolve_short_name(service.name, service.name_space) == name ||
           service.name + "." + service.name_space == name || service.name_space + "/" + service.name == name ||
           service.reference.substr(0, service.reference.rfind(':')) == name;
  }

  void refuse_unknown(const std::string& name) {
    std::vector<std::string> names;
    for (const CalledService& service : asked_.services) {
      names.push_back(service.name);
    }
    world_.problem = "no service `" + name + "` is in the documents";
    world_.help = "the services are " + grammar::listed(names, "and");
  }

  // Returns the service's own rate among `rates`; nullopt if it has none.
  static std::optional<double> own_rate(const std::map<std::string, double>& rates, const CalledService& service) {
    const auto own =
        std::find_if(rates.begin(), rates.end(), [&](const auto& of) { return is_called(service, of.first); });
    return own == rates.end() ? std::nullopt : std::optional(own->second);
  }

  // A host of a gateway sends its requests on to services: where their capacities are asked for, each has its own rate.
  void leave_out_hosts_without_pods() {
    const auto has_pods = [](const CalledService* service) { return service->pods > 0; };
    if (!asked_.question.only_pods || !asked_.question.to.empty() ||
        std::none_of(services_.begin(), services_.end(), has_pods)) {
      return;
    }
    std::vector<std::string> left_out;
    std::erase_if(services_, [&](const CalledService* service) {
      if (!has_pods(service)) {
        left_out.push_back("`" + service->name + "`");
      }
      return !has_pods(service);
    });
    if (!left_out.empty()) {
      world_.assumed.push_back("no requests to " + some_of(left_out) +
                               ", which have no pods: the rate of a service is " + "that of all its requests");
    }
  }

  void choose_callers() {
    const std::string& from = asked_.question.from;
    const auto zone_of = [&](const std::string& node) {
      for (const AssumedZone& zone : asked_.zones) {
        if (std::find(zone.nodes.begin(), zone.nodes.end(), node) != zone.nodes.end()) {
          return zone.name;
        }
      }
      return std::string();
    };
    for (const AssumedZone& zone : asked_.zones) {
      if (from.empty() || zone.name == from || zone.locality() == from) {
        const std::string place = zone.name + (zone.sub_zone.empty() ? "" : "-" + zone.sub_zone);
        callers_.push_back({.name = "client-" + place, .node = zone.nodes.front(), .zone = zone.name});
      }
    }
    const Named asked = named(from, asked_.selectors);
    const auto selector = asked_.selectors.find(asked.name);
    for (const CallerPod& pod : asked_.pods) {
      const bool is_one = pod.name == from || pod.name == asked.name;
      const bool elsewhere = !asked.name_space.empty() && pod.name_space != asked.name_space && pod.name != from;
      if (from.empty() || elsewhere ||
          (!is_one && (selector == asked_.selectors.end() || !has_all(pod.labels, selector->second)))) {
        continue;
      }
      const std::string zone = zone_of(pod.node);
      const auto known = std::find_if(callers_.begin(), callers_.end(), [&](const Caller& caller) {
        return caller.zone == zone && caller.name_space == pod.name_space;
      });
      if (known != callers_.end()) {
        ++known->count;
        continue;
      }
      callers_.push_back({is_one ? pod.name : asked.name + "-" + zone, pod.node, zone, pod.name_space, pod.labels, 1});
    }
    name_namespaces(asked);
    if (callers_.empty()) {
      std::vector<std::string> names;
      for (const AssumedZone& zone : asked_.zones) {
        names.push_back(zone.name);
      }
      for (const auto& [name, labels] : asked_.selectors) {
        names.push_back(name);
      }
      world_.problem = "nothing is called `" + from + "`";
      world_.help = "--from takes a pod, a Deployment, a Service or a zone: " + grammar::listed(names, "and");
    }
    if (asked_.question.one_client && callers_.size() > 1) {
      callers_.resize(1);
      world_.assumed.push_back("asked as `" + callers_.front().name +
                               "`: `--from` names another client, `--to` another host");
    }
  }

  void name_namespaces(const Named& asked) {
    std::set<std::string> name_spaces;
    for (const Caller& caller : callers_) {
      name_spaces.insert(caller.name_space);
    }
    if (name_spaces.size() > 1) {
      world_.assumed.push_back(fmt::format("`{}` is in {}: `--from {}/{}` names one", asked.name,
                                           grammar::listed({name_spaces.begin(), name_spaces.end()}, "and"),
                                           *name_spaces.begin(), asked.name));
    }
  }

  // Returns the rate of each proxy of a caller for a service.
  [[nodiscard]] double rate_of(const Caller& caller, const CalledService& service) const {
    const auto own = own_rate(asked_.question.rates, service);
    const auto clients = static_cast<double>(callers_.size());
    double rate = rate_by_default;
    if (own) {
      rate = *own / clients;
    } else if (asked_.question.rate) {
      rate = *asked_.question.rate / clients / static_cast<double>(services_.size());
    }
    return rate / static_cast<double>(caller.count);
  }

  void write_clients() {
    const bool several = services_.size() > 1;
    world_.text += "clients:\n";
    for (const CalledService* const service : services_) {
      world_.services.push_back(service->reference);
      for (const Caller& caller : callers_) {
        Json workload{{"service", service->reference}};
        workload["rate"] = number_text(rate_of(caller, *service)) + "rps";
        service->request.write_into(workload);
        std::string name = caller.name + (several ? " to " + service->name : "");
        name = names_.contains(name) ? caller.name + " to " + service->reference : name;
        for (int number = 2; !names_.insert(name).second; ++number) {
          name = fmt::format("{} to {} ({})", caller.name, service->reference, number);
        }
        if (service->is_of_gateway) {
          world_.gateway_clients.insert(name);
        }
        Json client{{"name", name}, {"node", caller.node}};
        client["namespace"] = !caller.name_space.empty()           ? caller.name_space
                              : !service->caller_namespace.empty() ? service->caller_namespace
                                                                   : service->name_space;
        if (caller.count > 1) {
          client["count"] = caller.count;
        }
        if (!caller.labels.empty()) {
          client["tags"] = caller.labels;
        }
        client["workload"] = std::move(workload);
        world_.text += "  - " + client.dump() + "\n";
      }
      if (!service->request.empty()) {
        world_.assumed.push_back("requests" + service->request.in_words() + ", as the first route of `" +
                                 service->routes + "` matches");
      }
    }
    name_callers();
  }

  void name_callers() {
    if (asked_.question.from.empty() && !asked_.question.one_client) {
      world_.assumed.push_back(services_.size() == 1 ? "a client in each zone calls `" + services_.front()->name + "`"
                                                     : fmt::format("a client in each zone calls each of {} services: "
                                                                   "`--from` and `--to` choose",
                                                                   services_.size()));
    }
    if (!asked_.question.rate && asked_.question.rates.empty()) {
      world_.assumed.push_back(
          fmt::format("{} requests per second of each client: `--rate` says how many", rate_by_default));
    } else if (asked_.question.rate && services_.size() > 1) {
      world_.assumed.push_back(
          "requests are divided equally among the services: `--rate SERVICE=RATE` says of which how many");
    }
  }

  // Writes the capacities: those requested, otherwise those at which pods run at their autoscaler's target utilization.
  void write_serving() {
    std::string lines;
    std::vector<std::string> aimed;
    for (const CalledService* const service : services_) {
      const auto own = own_rate(asked_.question.capacities, *service);
      const auto aim = asked_.utilization.find(service->name);
      double capacity = 0.0;
      if (own) {
        capacity = *own;
      } else if (aim != asked_.utilization.end() && service->pods > 0 && aim->second > 0.0) {
        double rate = 0.0;
        for (const Caller& caller : callers_) {
          rate += rate_of(caller, *service) * static_cast<double>(caller.count);
        }
        capacity = rate / static_cast<double>(service->pods) / (aim->second / percent);
        aimed.push_back(fmt::format("{} {} % of {:.3g} rps", service->name, number_text(aim->second), capacity));
      }
      if (capacity > 0.0) {
        lines += fmt::format("  - {{ service: {}, capacity: {}rps }}\n", quoted_text(service->reference),
                             number_text(capacity));
      }
    }
    if (!lines.empty()) {
      world_.text += "serving:\n" + lines;
    } else if (asked_.question.counts_requests) {
      world_.assumed.emplace_back(
          "pods answer at once, so that limits, queues and timeouts do not act: `--capacity SERVICE=RATE` says what a "
          "pod can serve");
    }
    if (!aimed.empty()) {
      world_.assumed.push_back("pods run at the utilization that their HorizontalPodAutoscaler aims at (" +
                               some_of(aimed) + "): `--capacity SERVICE=RATE` says what a pod can serve");
    }
  }

  const CallerQuestion& asked_;
  World& world_;
  std::vector<const CalledService*> services_;
  std::vector<Caller> callers_;
  std::set<std::string> names_;  // of clients
};

}  // namespace

void write_scenario(const CallerQuestion& asked, const std::vector<Json>& resources, const PastedDocuments& documents,
                    World& world) {
  ScenarioWriter(asked, world).write(resources, documents);
}

}  // namespace spillway::scenario::pasted
