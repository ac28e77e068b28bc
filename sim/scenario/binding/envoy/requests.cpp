#include "sim/scenario/binding/envoy/requests.hpp"

#include <algorithm>
#include <utility>

#include "models/documents/grammar/fields.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/message_view.hpp"
#include "models/envoy/api/route.hpp"
#include "models/envoy/proxy/checked_clusters.hpp"
#include "models/envoy/proxy/kinds.hpp"
#include "models/envoy/proxy/manager_options.hpp"
#include "models/envoy/proxy/named_cluster.hpp"
#include "models/envoy/proxy/options.hpp"
#include "models/envoy/proxy/path_options.hpp"
#include "models/envoy/proxy/request_decisions.hpp"
#include "models/envoy/proxy/request_line.hpp"
#include "models/envoy/proxy/resources.hpp"
#include "models/envoy/proxy/route_choice.hpp"
#include "models/envoy/proxy/route_tables.hpp"
#include "models/envoy/proxy/runtime_fraction.hpp"
#include "models/envoy/proxy/settled_route.hpp"
#include "sim/scenario/binding/routes.hpp"
#include "sim/scenario/topology.hpp"

namespace spillway::scenario::envoy_binding {
namespace {

using documents::Node;

std::string name_of_host(const Node& virtual_host) {
  return "virtual host " + in_ticks(proxy::text_at(virtual_host, "name"));
}

std::string described(const proxy::ChosenRoute& chosen) {
  const std::string name = proxy::text_at(*chosen.route, "name");
  return name_of_host(*chosen.virtual_host) + ", " +
         (name.empty() ? "the route in " + place(chosen.route->span) : "route " + in_ticks(name));
}

std::string name_of(const proxy::ChosenRoute& chosen) {
  const std::string name = proxy::text_at(*chosen.route, "name");
  return (name.empty() ? "route" : "route " + in_ticks(name)) + " of " + name_of_host(*chosen.virtual_host);
}

// Adds the texts that are not there yet.
void add_new(const std::vector<std::string>& from, std::vector<std::string>& into) {
  for (const std::string& one : from) {
    if (std::find(into.begin(), into.end(), one) == into.end()) {
      into.push_back(one);
    }
  }
}

class Router {
 public:
  Router(const proxy::Index& index, const proxy::RequestDescription& description, envoy::routes::Request request,
         Diagnostics& problems)
      : index_(index), description_(description), request_(std::move(request)), problems_(problems) {}

  std::optional<RoutedRequest> route(const std::vector<proxy::Entrance>& entrances) {
    std::vector<RoutedRequest> found;
    std::vector<const proxy::Entrance*> ways;  // of `found`
    Diagnostics undecided;
    for (const proxy::Entrance& entrance : entrances) {
      if (entrance.tcp_proxy != nullptr) {
        if (!description_.listener.empty()) {
          add(through_proxy(entrance), found);
        }
        continue;
      }
      const auto request = forwarded(entrance, undecided);
      for (std::size_t i = 0; request && i < entrance.routes.size(); ++i) {
        const proxy::VirtualHosts& hosts = index_.virtual_hosts(*entrance.routes[i]);
        RoutedRequest routed = named();
        routed.request = *request;
        // Decided before routes, so that it also holds for requests that no route takes.
        if (const Node* const host = hosts.of(*request);
            host != nullptr && redirects_to_tls(*host, entrance, *request, routed.notes)) {
          routed.notes = {entry_of(entrance) + name_of_host(*host)};
          add(std::move(routed), found);
          continue;
        }
        const auto chosen = proxy::choose_routes(hosts, *request, {entrance.manager, entrance.chain}, undecided);
        if (!chosen.empty()) {
          add(through_routes(chosen, entrance, *request, std::move(routed)), found);
        }
      }
      ways.resize(found.size(), &entrance);
    }
    add_other_chains(entrances, ways, found);
    if (found.empty()) {
      report_no_route(entrances, std::move(undecided));
      return std::nullopt;
    }
    if (std::any_of(found.begin(), found.end(),
                    [&](const auto& other) { return other.clusters != found[0].clusters; })) {
      report_several(found);
      return std::nullopt;
    }
    RoutedRequest& first = found.front();
    problems_.insert(problems_.end(), diagnostics_.front().begin(), diagnostics_.front().end());
    return std::move(first);
  }

 private:
  void add(RoutedRequest routed, std::vector<RoutedRequest>& found) {
    diagnostics_.push_back(std::move(current_));
    current_ = {};
    found.push_back(std::move(routed));
  }

  // Adds the chains of a listener in `ways` without a route for the request. Connections that take such a chain get an
  // answer of the proxy, so the others do not get all requests.
  void add_other_chains(const std::vector<proxy::Entrance>& entrances, const std::vector<const proxy::Entrance*>& ways,
                        std::vector<RoutedRequest>& found) {
    for (const proxy::Entrance& entrance : entrances) {
      const bool is_unknown = entrance.tcp_proxy != nullptr || entrance.routes.empty() || !entrance.missing.empty() ||
                              entrance.listener_node == nullptr;
      const bool is_way = std::find(ways.begin(), ways.end(), &entrance) != ways.end();
      const bool is_beside_a_way = std::any_of(ways.begin(), ways.end(), [&](const proxy::Entrance* way) {
        return way->listener_node == entrance.listener_node;
      });
      if (!is_unknown && !is_way && is_beside_a_way) {
        RoutedRequest ended = named();
        ended.notes = {entry_of(entrance) + "which answers itself"};
        add(std::move(ended), found);
      }
    }
  }

  // Returns the request as routes see it; nullopt if the connection manager answers it itself.
  [[nodiscard]] std::optional<envoy::routes::Request> forwarded(const proxy::Entrance& entrance,
                                                                Diagnostics& undecided) const {
    envoy::routes::Request request = request_;
    if (entrance.manager != nullptr) {
      const std::string address =
          entrance.listener_node == nullptr ? "" : proxy::address_of_listener(*entrance.listener_node);
      auto answered = proxy::apply_codec(*entrance.manager, request);
      if (!answered) {
        answered = proxy::apply_manager_options(*entrance.manager, entrance.chain,
                                                address.substr(address.rfind(':') + 1), request);
      }
      if (answered) {
        undecided.error("SP151", answered->where, "a request that ends at the proxy", "{}", {answered->why})
            .note("no cluster gets it, so there are no shares");
        return std::nullopt;
      }
    }
    for (auto& [name, value] : request.headers) {
      if (name != ":path") {
        continue;
      }
      // Checked before any route, whatever the connection manager's settings.
      if (value.find('#') != std::string::npos) {
        undecided
            .error("SP151", entrance.manager != nullptr ? entrance.manager->span : Span{},
                   "a request that ends at the proxy",
                   "its path has a fragment, `#` and what follows, which Envoy answers with a 400")
            .note("no cluster gets it, so there are no shares");
        return std::nullopt;
      }
      std::optional<std::string> path = proxy::forwarded_path(entrance.manager, value);
      if (!path) {
        undecided
            .error("SP151", proxy::find_value(*entrance.manager, "path_with_escaped_slashes_action")->span,
                   "a request that ends at the proxy", "its path has escaped slashes")
            .note("no cluster gets it, so there are no shares");
        return std::nullopt;
      }
      value = *std::move(path);
    }
    return request;
  }

  RoutedRequest through_routes(const std::vector<proxy::ChosenRoute>& chosen, const proxy::Entrance& entrance,
                               const envoy::routes::Request& request, RoutedRequest routed) {
    routed.where = chosen.front().route->span;
    routed.notes.insert(routed.notes.begin(), way_of(chosen, entrance));
    std::vector<proxy::RoutePart> parts;
    for (const proxy::ChosenRoute& one : chosen) {
      auto settled = settle(one, entrance, request, routed);
      if (!settled) {
        return routed;
      }
      parts.push_back({*std::move(settled), one.fraction});
    }
    // Parts have most notes in common.
    std::vector<std::string> notes;
    add_new(routed.notes, notes);
    routed.notes = std::move(notes);
    proxy::MergedRoute merged = parts.size() == 1 && !parts.front().fraction
                                    ? proxy::MergedRoute{std::move(parts.front().route)}
                                    : proxy::merged_route(std::move(parts));
    if (!merged.route) {
      current_.error("SP301",
                     proxy::find_value(*proxy::find_value(*chosen.front().route, "match"), "runtime_fraction")->span,
                     "`runtime_fraction` is not supported yet here", "{}", {merged.why});
      return routed;
    }
    messages::Route written;
    grammar::Record<messages::Route>{}.read(*merged.route, written, "the route", current_);
    read(written, routed);
    for (const proxy::ChosenRoute& one : chosen) {
      routed.route.loosened.insert(routed.route.loosened.end(), one.loosened.begin(), one.loosened.end());
      routed.route.origins.push_back({name_of(one), one.route->span});
    }
    return routed;
  }

  // Returns how requests enter.
  static std::string entry_of(const proxy::Entrance& entrance) {
    return "requests enter by " + (entrance.listener.empty() ? "" : "listener " + in_ticks(entrance.listener) + ", ") +
           (entrance.match.empty() ? "" : "filter chain of " + entrance.match + ", ");
  }

  // Returns how requests enter, and which routes take them.
  static std::string way_of(const std::vector<proxy::ChosenRoute>& chosen, const proxy::Entrance& entrance) {
    std::string way = entry_of(entrance);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      way += i == 0 ? "" : "; else by ";
      if (const auto& fraction = chosen[i].fraction) {
        way += std::to_string(fraction->numerator) + " of " + std::to_string(fraction->denominator) + " by ";
      }
      way += described(chosen[i]);
    }
    return way;
  }

  // Returns the route as a scenario has it; nullopt if it leads nowhere, which is reported.
  std::optional<Node> settle(const proxy::ChosenRoute& chosen, const proxy::Entrance& entrance,
                             const envoy::routes::Request& request, RoutedRequest& routed) {
    routed.checks_clusters = routed.checks_clusters || proxy::checks_clusters(chosen, entrance.manager);
    Node settled = proxy::settled_route(chosen, entrance.manager, routed.notes);
    PassedFields passed = passed_fields(entrance, chosen, request, proxy::appended_address(request_).has_value());
    routed.notes.insert(routed.notes.end(), passed.notes.begin(), passed.notes.end());
    add_passed(std::move(passed), routed.passed);
    proxy::settle_by_request(settled, request, routed.notes, current_);
    if (!proxy::name_cluster(settled, *chosen.configuration, request, routed.notes, current_)) {
      return std::nullopt;
    }
    const auto upgrade = entrance.manager == nullptr ? std::nullopt : proxy::upgrade_of(request);
    if (upgrade && proxy::refuses_upgrade(*entrance.manager, *chosen.route, *upgrade)) {
      current_
          .error("SP151", chosen.route->span, "a request that ends at the proxy",
                 "no `upgrade_configs` allow `{}`, which is answered with a 403", {*upgrade})
          .note("no cluster gets it, so there are no shares");
      return std::nullopt;
    }
    for (const char* const nowhere : {"redirect", "direct_response", "filter_action", "non_forwarding_action"}) {
      if (proxy::find_value(settled, nowhere) != nullptr) {
        current_
            .error("SP151", chosen.route->span, "a request that ends at the proxy", "this route answers with `{}`",
                   {nowhere})
            .note("no cluster gets it, so there are no shares");
        return std::nullopt;
      }
    }
    return settled;
  }

  // Routes for parts of the same requests share what these pass.
  static void add_passed(PassedFields more, PassedFields& passed) {
    passed.writers.insert(passed.writers.end(), more.writers.begin(), more.writers.end());
    add_new(more.notes, passed.notes);
    add_new(more.route_reads, passed.route_reads);
  }

  // True if the virtual host answers requests without TLS (require_tls) with a 301, which is reported.
  bool redirects_to_tls(const Node& virtual_host, const proxy::Entrance& entrance,
                        const envoy::routes::Request& request, std::vector<std::string>& notes) {
    const Node* const required = proxy::find_value(virtual_host, "require_tls");
    const api::MessageView host(virtual_host);
    const bool external = host.is("require_tls", "EXTERNAL_ONLY", 1);
    if (entrance.manager == nullptr || (!external && !host.is("require_tls", "ALL", 2)) ||
        proxy::counts_as_https(*entrance.manager, entrance.chain, request)) {
      return false;
    }
    const std::optional<bool> internal = external ? proxy::is_internal(*entrance.manager, request_) : false;
    if (!internal) {
      current_
          .error("SP151", required->span, "a request that may end at the proxy",
                 "without TLS, only what comes from an internal address passes")
          .help("--source 10.0.0.1 describes a request from inside");
      return true;
    }
    if (*internal) {
      notes.emplace_back("the request comes from an internal address, so that `require_tls` lets it pass");
      return false;
    }
    current_
        .error("SP151", required->span, "a request that ends at the proxy",
               "what comes without TLS is answered with a 301")
        .note("no cluster gets it, so there are no shares")
        .help("--header x-forwarded-proto=https describes a request that came over TLS");
    return true;
  }

  // Returns a TcpProxy as a route for all connections: it picks like a route does, without headers.
  RoutedRequest through_proxy(const proxy::Entrance& entrance) {
    RoutedRequest routed = named();
    routed.where = entrance.tcp_proxy->span;
    routed.notes.push_back("connections enter by the TCP proxy of listener " + in_ticks(entrance.listener));
    const Node whole = proxy::route_of_proxy(*entrance.tcp_proxy, current_);
    messages::Route written;
    grammar::Record<messages::Route>{}.read(whole, written, "the TCP proxy", current_);
    read(written, routed);
    routed.passed = passed_fields(entrance);
    routed.notes.insert(routed.notes.end(), routed.passed.notes.begin(), routed.passed.notes.end());
    routed.route.origins = {{"TCP proxy of listener " + in_ticks(entrance.listener), entrance.tcp_proxy->span}};
    return routed;
  }

  void read(const messages::Route& written, RoutedRequest& routed) {
    const auto service_of = [&](const grammar::Field<std::string>& name) {
      routed.clusters.push_back(name.value_or(""));
      return config::ServiceIndex{0};
    };
    routed.route = binding::read_route(written, service_of, current_);
    routed.route.clusters.clear();
    if (hashes_unknown_source(routed)) {
      routed.notes.emplace_back(
          "a hash policy reads the address that the request comes from: without --source it may be any");
    }
    routed.retry_policy = written.route->source.key_of("retry_policy").value_or(Span{});
  }

  // True if the hash of the request depends on its unknown source.
  static bool hashes_unknown_source(const RoutedRequest& routed) {
    if (!routed.request.remote_address_unknown) {
      return false;
    }
    envoy::routes::Request without = routed.request;
    without.remote_address_unknown = false;
    envoy::routes::Request from = without;
    from.remote_address = "192.0.2.1:40000";
    const auto& policies = routed.route.route.action.hash_policy;
    return envoy::routes::hash_of(policies, from).hash != envoy::routes::hash_of(policies, without).hash;
  }

  RoutedRequest named() {
    RoutedRequest routed;
    routed.request = request_;
    routed.name = description_.host + description_.path;
    return routed;
  }

  void report_no_route(const std::vector<proxy::Entrance>& entrances, Diagnostics undecided) {
    if (has_errors(undecided)) {
      problems_.insert(problems_.end(), undecided.begin(), undecided.end());
      return;
    }
    // TCP proxies take connections, and so any request, but have no routes for it.
    std::vector<std::string> proxies;
    for (const proxy::Entrance& entrance : entrances) {
      if (entrance.tcp_proxy != nullptr) {
        add_new({entrance.listener}, proxies);
      }
    }
    const auto http = std::find_if(entrances.begin(), entrances.end(),
                                   [](const proxy::Entrance& entrance) { return entrance.tcp_proxy == nullptr; });
    const bool answers = http != entrances.end();
    const Node* const first = !answers                   ? entrances.front().tcp_proxy
                              : http->manager != nullptr ? http->manager
                                                         : http->routes.front();
    Diagnostic problem = error("SP150", first->span, "no way for the request", "{}",
                               {answers ? "no route takes " + in_ticks(description_.host + description_.path)
                                        : std::string("this TCP proxy forwards connections, and reads no requests")});
    if (!proxies.empty()) {
      proxies.resize(std::min<std::size_t>(proxies.size(), 12));
      problem.helps.push_back("--listener describes a connection that a TCP proxy forwards: " +
                              grammar::listed(proxies, "or"));
    }
    std::vector<std::string> missing;
    for (const proxy::Entrance& entrance : entrances) {
      missing.insert(missing.end(), entrance.missing.begin(), entrance.missing.end());
    }
    if (!missing.empty()) {
      missing.resize(std::min<std::size_t>(missing.size(), 12));
      problem.helps.push_back("the documents lack the route configurations " + grammar::listed(missing, "and") +
                              "; give them too");
    }
    if (answers) {
      problem.note("Envoy answers 404; --host, --path and --header describe the request");
    }
    problems_.push_back(std::move(problem));
  }

  void report_several(const std::vector<RoutedRequest>& found) {
    Diagnostic problem = error("SP152", Span{}, "a request with several ways to different clusters",
                               "choose one with --listener LISTENER, or LISTENER/CHAIN of its filter chains");
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 12); ++i) {
      problem.notes.push_back(found[i].notes.front() + (found[i].clusters.empty()
                                                            ? ": to no cluster"
                                                            : ": to " + grammar::listed(found[i].clusters, "and")));
    }
    problems_.push_back(std::move(problem));
  }

  const proxy::Index& index_;
  const proxy::RequestDescription& description_;
  envoy::routes::Request request_;
  Diagnostics& problems_;
  Diagnostics current_;
  std::vector<Diagnostics> diagnostics_;
};

}  // namespace

std::optional<RoutedRequest> route_request(const proxy::Documents& documents, const proxy::Index& index,
                                           const proxy::RequestDescription& description, Diagnostics& problems) {
  const envoy::routes::Request request = proxy::request_of(description);
  const auto ways = proxy::entrances(documents, index, description, request, problems);
  if (ways.empty()) {
    return std::nullopt;
  }
  return Router(index, description, request, problems).route(ways);
}

std::size_t check_routes(const proxy::Resource& configuration, Diagnostics& problems) {
  std::size_t count = 0;
  const Node* const hosts = proxy::find_value(*configuration.node, "virtual_hosts");
  for (std::size_t i = 0; hosts != nullptr && i < hosts->items.size(); ++i) {
    for (const Node* const item : proxy::routes_of(hosts->items[i])) {
      ++count;
      const Node& route = *item;
      const Node* const match = proxy::find_value(route, "match");
      const proxy::ChosenRoute chosen{configuration.node, &hosts->items[i], &route, match == nullptr ? Node() : *match};
      std::vector<std::string> notes;
      const Node settled = proxy::settled_route(chosen, nullptr, notes);
      // A cluster that the request names is only known with a request.
      if (proxy::find_value(settled, "route") != nullptr && !proxy::names_cluster_by_request(settled)) {
        messages::Route written;
        grammar::Record<messages::Route>{}.read(settled, written, "the route", problems);
      }
    }
  }
  return count;
}

}  // namespace spillway::scenario::envoy_binding
