// Runs compare --dump: compares a proxy's configuration with the one derived from a mesh's documents, of Istio or Kuma.
#include <algorithm>
#include <optional>
#include <string>

#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/terminal.hpp"
#include "models/documents/problem.hpp"
#include "reports/dump_check/dump_check.hpp"
#include "reports/dump_check/kuma_dump.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/binding/istio/mesh_files.hpp"
#include "sim/scenario/binding/istio/proxy_view.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::cli {
namespace {

using scenario::istio_binding::MeshFiles;

std::string part_of_id(const std::string& id, std::size_t number) {
  std::size_t start = 0;
  for (std::size_t part = 0; part < number && start != std::string::npos; ++part) {
    start = id.find('~', start);
    start += start == std::string::npos ? 0 : 1;
  }
  return start == std::string::npos ? std::string() : id.substr(start, id.find('~', start) - start);
}

// Parses "sidecar~10.0.0.1~web-1.shop~shop.svc.cluster.local": a kind, an address, a pod with its namespace.
std::optional<istio::Proxy> proxy_of(const scenario::ProxyNode& node) {
  const std::string kind = part_of_id(node.id, 0);
  const std::string pod = part_of_id(node.id, 2);
  const std::size_t dot = pod.find_last_of('.');
  if ((kind != "sidecar" && kind != "router") || dot == std::string::npos) {
    return std::nullopt;
  }
  istio::Proxy proxy{.name_space = pod.substr(dot + 1),
                     .locality = node.locality,
                     .pod = pod.substr(0, dot),
                     .router = kind == "router"};
  constexpr std::string_view labels = "LABELS/";
  for (const auto& [key, value] : node.metadata) {
    if (key.starts_with(labels)) {
      proxy.labels.emplace(key.substr(labels.size()), value);
    } else if (key == "NETWORK") {
      proxy.network = value;
    } else if (key == "CLUSTER_ID") {
      proxy.cluster = value;
    } else if (key == "NODE_NAME") {
      proxy.node = value;
    }
  }
  return proxy;
}

// Returns the release that the proxy reports; nullopt if it reports none.
std::optional<config::IstioProfile> release_of(const scenario::ProxyNode& node) {
  const auto version = node.metadata.find("ISTIO_VERSION");
  if (version == node.metadata.end()) {
    return std::nullopt;
  }
  return version->second.starts_with("1.30") ? config::IstioProfile::release_1_30 : config::IstioProfile::release_1_31;
}

CommandResult answer(const reports::held::Beside& beside, const Arguments& arguments, const Sources& sources) {
  return {reports::held::format_dump_check(beside, arguments.format, look_of_output(arguments), sources),
          beside.agrees() ? ExitCode::well : ExitCode::expectation_failed};
}

// Returns the client of Kuma's documents that a dump is of; its node's id is "default.web". Null if there is none.
const scenario::ClientEntry* kuma_client(const scenario::Scenario& scenario, const scenario::ProxyNode& node,
                                         const Arguments& arguments) {
  const std::size_t dot = node.id.find('.');
  const std::string name = arguments.client           ? *arguments.client
                           : dot == std::string::npos ? ""
                                                      : node.id.substr(dot + 1);
  const auto found = std::find_if(scenario.clients.begin(), scenario.clients.end(),
                                  [&](const auto& client) { return client.name == name && !client.outbounds.empty(); });
  return found == scenario.clients.end() ? nullptr : &*found;
}

}  // namespace

CommandResult compare_dump_command(const Arguments& arguments) {
  const auto dump = scenario::ProxyConfiguration::read({*arguments.dump});
  say_diagnostics({std::nullopt, dump.diagnostics(), dump.sources()}, arguments, false);
  if (has_errors(dump.diagnostics())) {
    return {"", ExitCode::bad_input};
  }
  const scenario::ProxyNode node = dump.node();
  if (!proxy_of(node)) {
    const scenario::Reading reading = read_set_scenario(arguments);
    const auto* const client = reading.scenario ? kuma_client(*reading.scenario, node, arguments) : nullptr;
    if (client != nullptr) {
      say_diagnostics(reading, arguments);
      return answer(reports::held::check_kuma_dump(*reading.scenario, *client, dump, arguments.cluster), arguments,
                    reading.sources);
    }
  }
  MeshFiles mesh = scenario::istio_binding::read_mesh_files(arguments.paths, release_of(node));
  say_diagnostics({std::nullopt, mesh.diagnostics, mesh.sources}, arguments);
  if (has_errors(mesh.diagnostics)) {
    return {"", ExitCode::bad_input};
  }
  std::optional<istio::Proxy> proxy = proxy_of(node);
  if (arguments.client) {
    const auto client = mesh.clients.find(*arguments.client);
    if (client == mesh.clients.end()) {
      return refuse({"SP797", "`--client " + *arguments.client + "` is not a client of the documents",
                     mesh.clients.empty() ? "files of documents have no clients: omit --client, or give a scenario"
                                          : "the first of its clients is `" + mesh.clients.begin()->first + "`"},
                    arguments);
    }
    proxy = client->second;
  }
  if (!proxy) {
    return refuse({"SP797", "the dump does not say which proxy it is of",
                   "it has no bootstrap with a node id of Istio's; name a client of a scenario with --client"},
                  arguments);
  }
  // The documents describe the cluster that the proxy calls its own.
  proxy->cluster = istio::default_cluster;
  const scenario::istio_binding::ProxyView view(mesh, *proxy);
  return answer(reports::held::check_dump(mesh, view, dump, arguments.cluster), arguments, mesh.sources);
}

}  // namespace spillway::cli
