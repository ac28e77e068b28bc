// Gives every client its views of the services of Istio's documents.
#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/documents/grammar/scalars.hpp"
#include "models/documents/problem.hpp"
#include "models/istio/ambient.hpp"
#include "models/istio/documents/lints.hpp"
#include "models/istio/names.hpp"
#include "models/numeric/stable_sort.hpp"
#include "sim/scenario/binding/istio/istio_mesh.hpp"
#include "sim/scenario/binding/istio/mesh_reading.hpp"
#include "sim/scenario/binding/istio/views.hpp"
#include "sim/scenario/binding/made_clusters.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/messages/traffic.hpp"
#include "sim/scenario/missing_cluster.hpp"
#include "sim/scenario/read_tree.hpp"
#include "sim/scenario/service.hpp"
#include "sim/scenario/service_lookup.hpp"
#include "sim/scenario/workload.hpp"

namespace spillway::scenario {
namespace binding {
namespace {

using istio_binding::MeshReading;

// Formats a percentage: "10 %", "33.33 %".
std::string percent_text(double part) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g %%", part * 100.0);
  return text.data();
}

// Gives the clients their views.
class IstioClientBinder {
 public:
  // `left` receives data that another reading may take over; may be null.
  IstioClientBinder(Header& so_far, const istio_binding::IstioMesh& mesh, istio_binding::ViewCache* cache,
                    MeshReading* left)
      : so_far_(so_far),
        scenario_(so_far.scenario),
        left_(left),
        mesh_(mesh),
        views_(mesh, scenario_, cache),
        lints_(mesh.documents, so_far.problems) {}

  messages::PlacesOfViews simulate() {
    for (std::size_t client = 0; client < scenario_.clients.size(); ++client) {
      simulate(client);
      if (left_ != nullptr) {
        left_->clients.push_back({scenario_.services.size(), scenario_.routes.size(), std::move(met_)});
        met_.clear();
      }
    }
    if (left_ != nullptr) {
      left_->made = views_.take_made();
    }
    return finish();
  }

  // Gives the clients of `changed` services (by index) their views and takes the others over. nullopt if the result
  // would differ from a whole reading, or has errors.
  std::optional<messages::PlacesOfViews> simulate_changed(const MeshReading& former, const std::vector<bool>& changed) {
    if (!views_.continue_from(former.made)) {
      return std::nullopt;
    }
    for (std::size_t client = 0; client < scenario_.clients.size(); ++client) {
      const MeshReading::Led& led = former.clients[client];
      if (asks_any(former.led, former.led.clients[client], changed)) {
        simulate(client);
      } else {
        take_over(former, client);
      }
      if (scenario_.services.size() != led.services || scenario_.routes.size() != led.routes) {
        return std::nullopt;
      }
    }
    messages::PlacesOfViews places = finish();
    return has_errors(so_far_.problems) ? std::nullopt : std::optional(std::move(places));
  }

 private:
  messages::PlacesOfViews finish() {
    views_.follow_changes();
    name_missing_clusters();
    return views_.take_setting_places();
  }

  // Reports each cluster that is missing from its clients' proxies, and each delay, once.
  void name_missing_clusters() {
    // Names with the file and line of the rule that names them.
    std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> named;
    std::set<std::string> delayed;
    for (std::size_t client = 0; client < scenario_.clients.size(); ++client) {
      for (const RequestKind& kind : std::as_const(scenario_.clients)[client].workload.requests) {
        const Route& route = std::as_const(scenario_.routes)[kind.route];
        if (route.delayed_per_million > 0 && !route.origins.empty() && delayed.insert(delay_text(route)).second) {
          scenario_.assumptions.push_back(delay_text(route));
        }
        for (std::size_t i = 0; i < route.clusters.size(); ++i) {
          const Service& service = std::as_const(scenario_.services)[route.clusters[i].value];
          if (service.missing != nullptr &&
              named.emplace(service.name, service.missing->where.file, service.missing->where.line).second) {
            name_missing(service, part_of(route, i), so_far_.file.clients.value[client]->workload.where);
          }
        }
      }
    }
  }

  static std::string delay_text(const Route& route) {
    constexpr double million = 1e6;
    const std::string& by = route.origins.back().name;
    const std::size_t name = by.find(' ') + 1;
    return percent_text(route.delayed_per_million / million) + " of the requests of " + by.substr(0, name) +
           in_ticks(by.substr(name)) + " wait " + grammar::proto_duration_text(route.delay) +
           " before they are sent, by its `fault`";
  }

  static double part_of(const Route& route, std::size_t cluster) {
    double sum = 0.0;
    for (const auto& one : route.route.action.clusters) {
      sum += one.weight;
    }
    return route.route.action.clusters[cluster].weight / sum;
  }

  // Reports a missing cluster. `part` is the fraction of these requests that take the route.
  void name_missing(const Service& service, double part, Span client) {
    const MissingCluster& missing = *service.missing;
    if (missing.direct_response != 0) {
      scenario_.assumptions.push_back(percent_text(part) + " of the requests of " + missing.routed_by +
                                      " reach no pod: " + missing.reason);
      return;
    }
    const std::string requests = part < 1.0 ? percent_text(part) + " of these requests fail" : "these requests fail";
    Diagnostic& problem = so_far_.problems.warning(
        "SP656", client, "requests without a cluster", "{}",
        {requests +
         (missing.no_route ? " with a 404: "
                           : " with a 503: there is no cluster " + in_ticks(service.name) + ", since ") +
         missing.reason});
    if (!missing.routed_by.empty()) {
      note_rule(missing.routed_by, missing.where, problem);
    }
  }

  void note_rule(const std::string& rule, Span where, Diagnostic& problem) const {
    problem.note("{} in {}:{} routes them", {rule, so_far_.sources[where.file].name, where.line});
  }

  static bool asks_any(const Scenario& led, const ClientEntry& client, const std::vector<bool>& changed) {
    return std::any_of(client.workload.requests.begin(), client.workload.requests.end(), [&](const RequestKind& kind) {
      const std::vector<config::ServiceIndex>& clusters = led.routes[kind.route].clusters;
      return std::any_of(clusters.begin(), clusters.end(),
                         [&](config::ServiceIndex cluster) { return changed[asked_for(led, cluster).value]; });
    });
  }

  void take_over(const MeshReading& former, std::size_t index) {
    const messages::Client& written = *so_far_.file.clients.value[index];
    lint_locality_label(former.led.clients[index].tags, written.tags.where);
    views_.take_over(former.led, scenario_.services.size(), former.clients[index].services);
    for (std::size_t route = scenario_.routes.size(); route < former.clients[index].routes; ++route) {
      scenario_.routes.add(former.led.routes.share(route));
    }
    scenario_.clients.put(index, former.led.clients.share(index));
    lints_.add(former.clients[index].lints, written.workload.key);
  }

  void simulate(std::size_t index) {
    const messages::Client& written = *so_far_.file.clients.value[index];
    const ClientEntry& entry = std::as_const(scenario_.clients)[index];
    const istio::Proxy proxy = views_.proxy_of(entry.node, written.name_space.value_or("default"), entry.tags);
    lint_locality_label(entry.tags, written.tags.where);
    Workload workload = entry.workload;
    if (workload.requests.empty()) {
      workload.requests.push_back(straight_request(scenario_, workload.service));
    }
    std::vector<Found> found;
    for (std::size_t kind = 0; kind < workload.requests.size(); ++kind) {
      const auto& clusters = std::as_const(scenario_.routes)[workload.requests[kind].route].clusters;
      const auto named = std::find_if(clusters.begin(), clusters.end(), [&](config::ServiceIndex cluster) {
        return views_.destination_of(cluster) != nullptr;
      });
      if (named == clusters.end()) {
        continue;
      }
      if (workload.requests[kind].route < so_far_.file.routes.value.size()) {
        so_far_.problems
            .error("SP644", so_far_.file.routes.value[workload.requests[kind].route].where,
                   "a service that Istio's rules cannot take as it is written", "Istio's rules make the routes of `{}`",
                   {std::as_const(scenario_.services)[named->value].name})
            .help("write it as a VirtualService, or take the rules out of `resources`");
        return;
      }
      const istio_binding::Destination* const destination = views_.destination_of(*named);
      if (auto problem = other_proxy(proxy, entry.tags, written)) {
        so_far_.problems.push_back(*std::move(problem));
        return;
      }
      add_authority(*destination, workload.requests[kind].request);
      auto taken = views_.route_of(proxy, *destination, workload.requests[kind].request);
      if (!taken) {
        Diagnostic& problem =
            views_.is_supported()
                ? so_far_.problems.error("SP656", written.workload.where, "requests without a cluster", "{}",
                                         {views_.problem()})
                : so_far_.problems.error("SP301", written.workload.where,
                                         "requests by a route that is not supported yet", "{}", {views_.problem()});
        if (const istio::Origin* const by = views_.problem_of()) {
          note_rule("VirtualService " + in_ticks(by->meta.name_space + "/" + by->meta.name), by->where, problem);
        }
        return;
      }
      std::vector<istio::Lint> met = views_.take_lints();
      lints_.add(met, written.workload.key);
      if (left_ != nullptr) {
        met_.insert(met_.end(), std::make_move_iterator(met.begin()), std::make_move_iterator(met.end()));
      }
      found.push_back({taken->position, kind, std::move(taken->route)});
    }
    add(std::move(found), workload);
    scenario_.clients[index].workload = std::move(workload);
  }

  // Returns a diagnostic if the client's requests do not use istiod's sidecar configuration; nullopt if they do.
  [[nodiscard]] std::optional<Diagnostic> other_proxy(const istio::Proxy& proxy, const istio::Labels& tags,
                                                      const messages::Client& client) const {
    if (const std::string by = istio::ambient_by(mesh_.documents.value, proxy.name_space, tags); !by.empty()) {
      return error("SP714", client.workload.where, "requests in ambient mode are not simulated",
                   "{} puts this client into ambient mode, where a ztunnel carries its requests", {by})
          .note("VirtualServices and DestinationRules do not act there, except at a waypoint")
          .help("if it has a sidecar, write `tags: { istio.io/dataplane-mode: none }` at the client");
    }
    if (const istio::EnvoyFilter* const filter = istio::filter_of(proxy, mesh_.documents)) {
      const istio::Meta& meta = filter->origin.meta;
      return error("SP651", filter->origin.where, "a document of kind `EnvoyFilter` is not supported",
                   "changes the proxy of the client `{}`", {client.name.value_or("")})
          .note("EnvoyFilter `{}` may change where its requests go; without it in `resources` they are simulated",
                {meta.name_space + "/" + meta.name});
    }
    return std::nullopt;
  }

  // Adds the authority: the host, with its port unless it is that of HTTP. An authority of the request's own is kept.
  void add_authority(const istio_binding::Destination& destination, envoy::routes::Request& request) const {
    constexpr const char* authority = ":authority";
    constexpr std::uint32_t http_port = 80;
    if (envoy::routes::first_value(request, authority) == nullptr) {
      const std::string& host = mesh_.registry.services[destination.position].hostname;
      request.headers.emplace_back(
          authority, destination.port == http_port ? host : host + ":" + std::to_string(destination.port));
    }
  }

  // A route that kinds of requests take, and the kind.
  struct Found {
    std::size_t position = 0;  // among the proxy's routes
    std::size_t kind = 0;
    Route route = {};
  };

  // Adds the routes in the order of the proxy.
  void add(std::vector<Found> found, Workload& workload) {
    numeric::stable_sort(found, [](const Found& left, const Found& right) { return left.position < right.position; });
    std::optional<std::size_t> last;
    std::uint32_t route = 0;
    for (Found& one : found) {
      if (last != one.position || std::as_const(scenario_.routes)[route].clusters != one.route.clusters) {
        route = add(std::move(one.route), last ? route + 1 : 0);
        last = one.position;
      }
      workload.requests[one.kind].route = route;
      workload.service = std::as_const(scenario_.routes)[route].clusters.front();
    }
  }

  // Warns of dots between the parts of a locality label: only labels of pods may have them.
  void lint_locality_label(const istio::Labels& tags, Span where) {
    const std::string& label = istio::locality_of(tags);
    if (label.find('.') != std::string::npos && label.find('/') == std::string::npos) {
      lints_.add({{.number = 30,
                   .of_client = true,
                   .message = "its proxy is in a region called " + in_ticks(label) + "; write " +
                              in_ticks(istio::with_slashes(label))}},
                 where);
    }
  }

  // Adds a route, or returns an equal one. `least` is the lowest position that it may have.
  std::uint32_t add(Route route, std::uint32_t least) {
    std::vector<std::uint32_t>& alike = routes_by_clusters_[route.clusters];
    const auto is_same = [least, timeout = route.timeout, delay = route.delay, part = route.delayed_per_million](
                             std::uint32_t position, const Route& known) {
      return position >= least && known.timeout == timeout && known.delay == delay &&
             known.delayed_per_million == part && !known.retry_policy;
    };
    return add_route(scenario_, std::move(route), alike, is_same);
  }

  Header& so_far_;
  Scenario& scenario_;
  MeshReading* left_;
  const istio_binding::IstioMesh& mesh_;
  std::vector<istio::Lint> met_;  // of the current client
  istio_binding::Views views_;
  istio::LintReport lints_;
  std::map<std::vector<config::ServiceIndex>, std::vector<std::uint32_t>> routes_by_clusters_;
};

}  // namespace

MeshClients lead_istio_clients(KumaClients clients, istio_binding::ViewCache* cache, MeshReading* left) {
  MeshClients so_far{std::move(clients)};
  // A scenario is about one mesh (SP657): with Istio documents there are no places from Kuma documents.
  if (!so_far.istio.empty() && !has_errors(so_far.problems)) {
    so_far.setting_places = IstioClientBinder(so_far, so_far.istio, cache, left).simulate();
  }
  return so_far;
}

}  // namespace binding

std::optional<Scenario> read_changed_rules(const istio_binding::MeshReading& former, const messages::Scenario& file,
                                           const std::vector<const messages::IstioDocument*>& rules, Sources& sources,
                                           Diagnostics& problems, messages::PlacesOfViews& views,
                                           istio_binding::ViewCache* cache) {
  problems = former.before;
  binding::Header so_far{.file = file, .problems = problems, .sources = sources, .scenario = former.unled};
  istio_binding::IstioMesh mesh = former.mesh;
  const std::size_t services = former.unled.services.size();
  std::vector<bool> changed(services, false);
  for (const messages::IstioDocument* const rule : rules) {
    const auto host = istio::replace_rule(*rule, mesh.documents);
    if (!host) {
      return std::nullopt;
    }
    for (const istio_binding::Destination& destination : mesh.destinations) {
      const std::string& hostname = mesh.registry.services[destination.position].hostname;
      changed[destination.service.value] = changed[destination.service.value] || istio::host_matches(hostname, *host);
    }
  }
  binding::lint_istio_documents(mesh, file, problems);
  problems.insert(problems.end(), former.between.begin(), former.between.end());
  if (has_errors(problems)) {
    return std::nullopt;
  }
  auto places = binding::IstioClientBinder(so_far, mesh, cache, nullptr).simulate_changed(former, changed);
  if (!places) {
    return std::nullopt;
  }
  problems.insert(problems.end(), former.after.begin(), former.after.end());
  so_far.scenario.objectives = former.led.objectives;
  so_far.scenario.failures = former.led.failures;
  views = std::move(*places);
  return std::move(so_far.scenario);
}

}  // namespace spillway::scenario
