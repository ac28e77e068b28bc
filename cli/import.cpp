#include "reports/import/import.hpp"

#include <algorithm>
#include <cctype>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>
#include <variant>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/envoy_input.hpp"
#include "cli/imported.hpp"
#include "cli/input.hpp"
#include "cli/observed_files.hpp"
#include "cli/output_file.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "models/documents/folder_files.hpp"
#include "models/documents/problem.hpp"
#include "reports/import/requests.hpp"
#include "reports/text/text_table.hpp"
#include "sim/compare/compare.hpp"
#include "sim/compare/rates.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/observed/other_names.hpp"
#include "sim/observed/traces.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::cli {
namespace {

namespace fs = std::filesystem;

// The requested clusters of one proxy: neither its local cluster nor members of an aggregate.
struct ReadProxy {
  std::vector<scenario::Scenario> worlds;
  std::vector<std::string> sources;
  std::vector<std::string> left_out;  // routes, with the reason
  std::set<std::string> routed;       // clusters of routes
  std::vector<observed::NamedCluster> named;
  bool read = true;
};

// Replaces names by the clusters' own ones, with the clusters of all proxies.
void use_own_names_of(const std::deque<ReadProxy>& proxies, ObservedFiles& files) {
  std::vector<observed::NamedCluster> clusters;
  for (const ReadProxy& proxy : proxies) {
    clusters.insert(clusters.end(), proxy.named.begin(), proxy.named.end());
  }
  use_own_names(clusters, files);
}

// Returns the first of the clusters without any host; empty if each has one. A scenario's services need endpoints.
std::string without_hosts(const scenario::Scenario& world) {
  const auto empty = [](const scenario::Service& service) {
    return service.hosts.empty() && service.cluster.aggregate_clusters.empty();
  };
  const auto found = std::find_if(world.services.begin(), world.services.end(), empty);
  return found == world.services.end() ? "" : found->name;
}

bool endpoints_unknown(const Diagnostics& problems) {
  const auto is_error = [](const auto& problem) { return problem.severity == Severity::error; };
  return has_errors(problems) && std::all_of(problems.begin(), problems.end(), [&](const auto& problem) {
           return !is_error(problem) || problem.code == "SP136";
         });
}

// Adds information on the cluster that is missing from documents, once.
void add_unreported(const Diagnostics& problems, ReadProxy& proxy) {
  const std::string unreported = missing_weights(problems);
  if (!unreported.empty() &&
      std::find(proxy.left_out.begin(), proxy.left_out.end(), unreported) == proxy.left_out.end()) {
    proxy.left_out.push_back(unreported);
  }
}

// Adds parts of the request path that are not simulated, each once.
void add_passed(const scenario::Scenario& world, ReadProxy& proxy) {
  for (const std::string& passed : world.passed) {
    const std::string line = "what is not simulated: " + passed;
    if (std::find(proxy.left_out.begin(), proxy.left_out.end(), line) == proxy.left_out.end()) {
      proxy.left_out.push_back(line);
    }
  }
}

// Reads one scenario for each route to a cluster, and the clusters of the routes.
void read_routes(const scenario::ProxyConfiguration& configuration, const Arguments& arguments,
                 DiagnosticDeduplicator& said, ReadProxy& proxy) {
  const proxy::DescribedRoutes described = configuration.described_routes();
  proxy.left_out.insert(proxy.left_out.end(), described.passed_over.begin(), described.passed_over.end());
  for (const proxy::RequestDescription& request : described.requests) {
    auto reading = configuration.asked(request);
    if (!reading.scenario) {
      proxy.left_out.push_back("route of " + request.host + request.path + ": " + first_error(reading.diagnostics));
      continue;
    }
    if (const std::string empty = without_hosts(*reading.scenario); !empty.empty()) {
      proxy.left_out.push_back("route of " + request.host + request.path + ": cluster " + empty + " has no endpoints");
      continue;
    }
    said.say(reading.diagnostics, configuration.sources(), arguments);
    add_unreported(reading.diagnostics, proxy);
    add_passed(*reading.scenario, proxy);
    for (const scenario::Service& service : reading.scenario->services) {
      proxy.routed.insert(service.name);
    }
    proxy.worlds.push_back(std::move(*reading.scenario));
  }
}

// Reads the one request described by options, and its clusters.
void read_request(const scenario::ProxyConfiguration& configuration, const Arguments& arguments, ReadProxy& proxy) {
  auto reading = configuration.asked();
  say_diagnostics({std::nullopt, reading.diagnostics, configuration.sources()}, arguments);
  proxy.read = reading.scenario.has_value();
  if (!reading.scenario) {
    return;
  }
  add_unreported(reading.diagnostics, proxy);
  if (const std::string empty = without_hosts(*reading.scenario); !empty.empty()) {
    proxy.left_out.push_back("cluster " + empty + ", which the request goes to: it has no endpoints");
    return;
  }
  add_passed(*reading.scenario, proxy);
  proxy.worlds.push_back(std::move(*reading.scenario));
}

ReadProxy read_proxy(const Arguments& arguments, const ObservedFiles& files) {
  ReadProxy proxy;
  const scenario::ProxyConfiguration configuration =
      read_configuration(arguments, files, observed::HealthOf::everything);
  proxy.read = !has_errors(configuration.diagnostics());
  for (const SourceFile& source : configuration.sources()) {
    proxy.sources.push_back(source.name);
  }
  if (!proxy.read) {
    return proxy;
  }
  proxy.named = named_clusters(configuration);
  if (envoy_options(arguments).request) {
    read_request(configuration, arguments, proxy);
    return proxy;
  }
  std::set<std::string> children;
  DiagnosticDeduplicator said;
  Diagnostics unreported;
  if (!arguments.cluster && !arguments.traces) {
    read_routes(configuration, arguments, said, proxy);
  }
  for (const std::string& name : asked_clusters(configuration, arguments)) {
    if (proxy.routed.contains(name)) {
      continue;
    }
    auto reading = configuration.cluster(name);
    if (!proxy.routed.empty()) {
      // Routes of listeners are imported, so this diagnostic does not apply.
      std::erase_if(reading.diagnostics, [](const auto& problem) { return problem.code == "SP212"; });
    }
    if (!reading.scenario && endpoints_unknown(reading.diagnostics)) {
      proxy.left_out.push_back("cluster " + name + ": its endpoints are unknown");
      std::move(reading.diagnostics.begin(), reading.diagnostics.end(), std::back_inserter(unreported));
      continue;
    }
    said.say(reading.diagnostics, configuration.sources(), arguments);
    proxy.read = proxy.read && reading.scenario.has_value();
    if (reading.scenario && !without_hosts(*reading.scenario).empty()) {
      proxy.left_out.push_back("cluster " + name + ": " + without_hosts(*reading.scenario) + " has no endpoints");
      continue;
    }
    add_unreported(reading.diagnostics, proxy);
    if (reading.scenario && name != configuration.node().local_cluster) {
      const auto& names = reading.scenario->services.front().cluster.aggregate_clusters;
      children.insert(names.begin(), names.end());
      proxy.worlds.push_back(std::move(*reading.scenario));
    }
  }
  // A /config_dump without include_eds has clusters with unknown endpoints among others.
  if (!proxy.worlds.empty()) {
    for (Diagnostic& problem : unreported) {
      problem.severity = Severity::warning;
    }
  }
  proxy.read = proxy.read && (unreported.empty() || !proxy.worlds.empty());
  said.say(std::move(unreported), configuration.sources(), arguments);
  std::erase_if(proxy.worlds, [&](const auto& world) {
    return world.routes.empty() && children.contains(world.services.front().name);
  });
  return proxy;
}

// Returns the files and folders in a mesh's folder, one per proxy, by name; an error if the folder cannot be read
// (SP906).
std::variant<std::vector<std::string>, UsageProblem> proxies_in(const std::string& folder) {
  const documents::FolderFiles found = documents::files_below(
      folder, {.wanted = [](const fs::path& file) { return !file.filename().string().starts_with('.'); }});
  if (!found.problem.empty()) {
    return problem("SP906",
                   fmt::format("cannot read `{}`: {}", reports::printable(folder), reports::printable(found.problem)));
  }
  std::set<std::string> paths;
  for (const std::string& file : found.files) {
    const fs::path below = fs::path(file).lexically_relative(folder);
    paths.insert((fs::path(folder) / *below.begin()).string());
  }
  return std::vector<std::string>(paths.begin(), paths.end());
}

// Returns the error for no clusters. `left_out` has the reason for each.
Diagnostic no_cluster(const std::vector<std::string>& left_out) {
  const bool has_cluster =
      std::any_of(left_out.begin(), left_out.end(), [](const std::string& one) { return one.starts_with("cluster "); });
  if (!has_cluster) {
    return error("SP136", {}, "no cluster in the documents", "none of this name")
        .help("give the proxy's bootstrap or its config_dump");
  }
  Diagnostic problem = error("SP136", {}, "no cluster that can be imported", "all are left out");
  for (const std::string& one : left_out) {
    problem.note("{}", {one});
  }
  problem.help("give their endpoints: /config_dump?include_eds, /clusters, or --resolve NAME=ADDRESS");
  return problem;
}

constexpr std::size_t most_left_out = 20;

void add_left_out(const std::vector<std::string>& own, std::vector<std::string>& all) {
  for (std::size_t i = 0; i < own.size() && all.size() < most_left_out; ++i) {
    all.push_back(own[i]);
  }
  if (own.size() > most_left_out && all.size() == most_left_out) {
    all.push_back(fmt::format("{} more routes", own.size() - most_left_out));
  }
}

// Adds by address each cluster that contains it and receives requests of the scenario, once.
void add_owners(const scenario::Scenario& world, std::map<std::string, std::vector<std::string>>& clusters_of) {
  for (std::size_t place = 0; place < world.services.size(); ++place) {
    const scenario::Service& service = world.services[place];
    if (place > 0 && world.local_cluster && world.local_cluster->value == place) {
      continue;
    }
    for (const scenario::Host& host : service.hosts) {
      std::vector<std::string>& owners = clusters_of[world.endpoints[host.endpoint.value].id];
      if (std::find(owners.begin(), owners.end(), service.name) == owners.end()) {
        owners.push_back(service.name);
      }
    }
  }
}

// Returns "shop.outbound-80--cart.csv" for "shop.yaml" and "outbound|80||cart".
std::string trace_name(const std::string& output, const std::string& cluster) {
  std::string name = cluster;
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char letter) { return std::isalnum(letter) == 0 && letter != '.' && letter != '_'; }, '-');
  return fs::path(output).stem().string() + "." + name + ".csv";
}

// Adds a file next to the scenario for each selected cluster of the log.
void add_traces(const observed::AccessLog& log, const std::map<std::string, std::vector<std::string>>& clusters_of,
                const Arguments& arguments, reports::importing::Input& input,
                std::map<std::string, std::string>& files) {
  const observed::Traces traces = observed::traces_of(log, clusters_of);
  std::set<std::string> asked;
  for (const reports::importing::Proxy& proxy : input.proxies) {
    for (const scenario::Scenario* const world : proxy.clusters) {
      asked.insert(world->services.front().name);
    }
  }
  for (const auto& [cluster, times] : traces.of) {
    std::string name = trace_name(*arguments.output, cluster);
    while (files.contains(name)) {
      name.insert(name.size() - 4, "_");
    }
    if (asked.contains(cluster)) {
      input.traces[cluster] = name;
      files[name] = observed::trace_text(times);
    }
  }
  input.phases.length = traces.length;
}

// Adds rates if there are two counts with a known time between them.
void add_counted_rates(const ObservedFiles& files, const Arguments& arguments,
                       const std::vector<compare::AskedCluster>& asked, reports::importing::Input& input) {
  if (!arguments.apart) {
    return;
  }
  compare::CountedRates counted = compare::counted_rates(files.view(), *arguments.apart, asked);
  input.rates = std::move(counted.rates);
  input.at_least = std::move(counted.at_least);
  input.after_drops = std::move(counted.after_drops);
  if (counted.since_restart) {
    say(fmt::format("warning[SP794]: the proxy was restarted in between: rates are those of the {} since then\n",
                    reports::importing::duration_text(*counted.since_restart)));
  }
}

using PathsOfProxies = std::vector<std::vector<std::string>>;

// Returns the files of each proxy: the named ones, or one entry of the folder per proxy.
std::variant<PathsOfProxies, UsageProblem> paths_of_proxies(const Arguments& arguments) {
  if (!arguments.mesh) {
    return PathsOfProxies{arguments.paths};
  }
  auto found = proxies_in(*arguments.mesh);
  if (auto* const wrong = std::get_if<UsageProblem>(&found)) {
    return std::move(*wrong);
  }
  PathsOfProxies proxies;
  for (std::string& path : std::get<std::vector<std::string>>(found)) {
    proxies.push_back({std::move(path)});
  }
  return proxies;
}

std::string names_of_sources(std::vector<std::string> sources) {
  constexpr std::size_t most_named = 8;
  const std::size_t more = sources.size() > most_named ? sources.size() - most_named : 0;
  sources.resize(sources.size() - more);
  return reports::joined(sources, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace

scenario::Reading read_imported(ImportedDocuments imported) {
  scenario::Reading reading = scenario::read_scenario_text(std::move(imported.name), std::move(imported.text));
  if (reading.scenario) {
    for (const std::string& what : imported.left_out) {
      reading.scenario->assumptions.push_back(what);
      reading.scenario->passed.push_back(what);
    }
  }
  return reading;
}

ImportedDocuments import_documents(const Arguments& arguments) {
  ImportedDocuments imported;
  ObservedFiles files = read_observed_files(arguments);
  say_diagnostics({std::nullopt, files.diagnostics, files.sources}, arguments);
  if (has_errors(files.diagnostics)) {
    imported.refused = CommandResult{"", ExitCode::bad_input};
    return imported;
  }
  const auto of_proxies = paths_of_proxies(arguments);
  if (const auto* wrong = std::get_if<UsageProblem>(&of_proxies)) {
    imported.refused = refuse(*wrong, arguments);
    return imported;
  }
  std::deque<ReadProxy> proxies;  // the import points into them
  reports::importing::Input input{.rate = arguments.rate, .apart = arguments.apart};
  input.simulates = arguments.command->measures && arguments.mode != scenario::Mode::exact;
  std::vector<compare::AskedCluster> counted;
  std::map<std::string, std::vector<std::string>> clusters_of;  // by address
  std::vector<std::string> sources;
  bool all_read = true;
  for (const std::vector<std::string>& paths : std::get<PathsOfProxies>(of_proxies)) {
    Arguments own = arguments;
    own.paths = paths;
    const ReadProxy& proxy = proxies.emplace_back(read_proxy(own, files));
    all_read = all_read && proxy.read;
    sources.insert(sources.end(), proxy.sources.begin(), proxy.sources.end());
    add_left_out(proxy.left_out, input.left_out);
    reports::importing::Proxy& asking = input.proxies.emplace_back();
    asking.concurrency = files.server ? files.server->concurrency : 0;
    for (const scenario::Scenario& world : proxy.worlds) {
      asking.clusters.push_back(&world);
      for (const scenario::Service& service : world.services) {
        counted.push_back({service.name, service.cluster.aggregate_clusters});
      }
      add_owners(world, clusters_of);
    }
  }
  if (!all_read) {
    imported.refused = CommandResult{"", ExitCode::bad_input};
    return imported;
  }
  use_own_names_of(proxies, files);
  add_counted_rates(files, arguments, counted, input);
  if (arguments.traces && files.log) {
    add_traces(*files.log, clusters_of, arguments, input, imported.files);
  } else if (files.range) {
    input.phases = observed::phases_of(*files.range);
  } else if (files.log) {
    input.phases = observed::phases_of(*files.log, clusters_of);
  }
  std::erase_if(input.proxies, [](const auto& proxy) { return proxy.clusters.empty(); });
  if (input.proxies.empty()) {
    say_diagnostics({std::nullopt, {no_cluster(input.left_out)}, {{sources.empty() ? "-" : sources.front(), ""}}},
                    arguments);
    imported.refused = CommandResult{"", ExitCode::bad_input};
    return imported;
  }
  input.source = names_of_sources(std::move(sources));
  reports::importing::Imported made = reports::importing::import_scenario(input);
  for (const std::string& finding : made.findings) {
    say(fmt::format("warning[SP794]: {}\n", reports::printable(finding)));
  }
  imported.name = "<import of " + input.source + ">";
  imported.text = std::move(made.text);
  imported.left_out = std::move(input.left_out);
  return imported;
}

bool names_documents(const Arguments& arguments) {
  return arguments.rate && !scenario::ProxyConfiguration::read(arguments.paths, envoy_options(arguments)).is_scenario();
}

namespace {

CommandResult import_command(const Arguments& arguments) {
  const ImportedDocuments imported = import_documents(arguments);
  if (imported.refused) {
    return *imported.refused;
  }
  if (!arguments.output || *arguments.output == "-") {
    return {imported.text, ExitCode::well};
  }
  for (const auto& [name, text] : imported.files) {
    if (const auto failure = write_file((fs::path(*arguments.output).parent_path() / name).string(), text)) {
      return refuse(*failure, arguments);
    }
  }
  if (const auto failure = write_file(*arguments.output, imported.text)) {
    return refuse(*failure, arguments);
  }
  return {};
}

void add_import_options(CLI::App& app, RawArguments& raw) {
  add_document_options(app, DocumentOptions::with_headers, raw);
  add_profile(app, raw);
  option(app, "Output", "FILE", "-o,--output", raw.output, "The scenario file to write (default: standard output)");
  option(app, "Simulation", "FOLDER", "--mesh", raw.mesh, "A mesh: a file or a folder in it for each proxy");
  option(app, "Simulation", "KIND", "--kind", raw.kind, "Kind of the documents (default: detected): envoy");
  option(app, "Simulation", "NAME", "--cluster", raw.cluster, "Only this cluster");
  option(app, "Simulation", "RATE", "--rate", raw.rates, "Requests to each cluster without a counter, such as 500rps");
  option(app, "Observed", "FILE", "--clusters", raw.clusters,
         "Output of /clusters, text or JSON; use it twice: before and after, for rates")
      ->allow_extra_args(false);
  option(app, "Observed", "FILE", "--stats", raw.stats,
         "Output of /stats, as text, JSON or for Prometheus; use it twice: before and after, for rates")
      ->allow_extra_args(false);
  option(app, "Observed", "TIME", "--apart", raw.apart, "Time between the two, such as 60s");
  option(app, "Observed", "FILE", "--prometheus", raw.prometheus,
         "Answer of Prometheus to a range query over rq_total of endpoints: phases of requests");
  option(app, "Observed", "FILE", "--access-log", raw.access_log, "Access log: phases of requests, or traces");
  option(app, "Observed", "WHAT", "--as", raw.log_as,
         "What to make of the access log: phases, or trace, a file next to the scenario for each cluster (default: "
         "phases)");
  option(app, "Observed", "FILE", "--server-info", raw.server_info, "Output of /server_info: workers");
  add_pasted_options(app, PastedOptions::import, raw);
}

}  // namespace

const Command commands::import_documents{
    .name = "import",
    .group = "Write",
    .summary = "Write what a proxy knows as a scenario file",
    .usage = "FILE... [-o SCENARIO]",
    .path_name = "FILE",
    .path_help = "The proxy's configuration, as `spillway share` reads it. - reads standard input",
    .example =
        "  spillway import bootstrap.yaml -o shop.yaml --rate 500rps\n"
        "  spillway import bootstrap.yaml --clusters before.txt --clusters after.txt --apart 60s -o shop.yaml",
    .add_options = add_import_options,
    .check = check_any_path,
    .execute = import_command,
    .takes_pasted = true};

}  // namespace spillway::cli
