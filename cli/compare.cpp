#include "sim/compare/compare.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/envoy_input.hpp"
#include "cli/input.hpp"
#include "cli/observed_files.hpp"
#include "cli/output_file.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "models/documents/problem.hpp"
#include "reports/compare/compare_report.hpp"
#include "reports/html/report.hpp"
#include "sim/compare/comparison.hpp"
#include "sim/compare/route_subsets.hpp"
#include "sim/diff/upgrade.hpp"
#include "sim/observed/clusters.hpp"
#include "sim/observed/host_flags.hpp"
#include "sim/observed/other_names.hpp"
#include "sim/scenario/binding/envoy/proxy_configuration.hpp"
#include "sim/scenario/route.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::cli {
namespace {

// Adds notes if the proxy's release differs from the simulated one, as its picks may differ too.
void add_version_notes(const std::string& documents, const std::string& server, std::size_t clusters,
                       compare::Comparison& comparison) {
  const std::string& version = server.empty() ? documents : server;
  const auto release = diff::release_of(version);
  if (!documents.empty() && !server.empty() && diff::release_of(documents) != release) {
    comparison.notes.push_back(fmt::format(
        "the configuration is of Envoy {} and /server_info of {}: not of the same proxy, or taken before an "
        "upgrade",
        documents, server));
  }
  if (!release || clusters == 0) {
    return;
  }
  if (*release < diff::oldest_release) {
    comparison.notes.push_back(fmt::format("the proxy is Envoy {}, older than what shares are predicted by: 1.{}",
                                           version, diff::oldest_release));
  } else if (*release < diff::first_release_alike) {
    comparison.notes.push_back(fmt::format("shares are predicted by the rules of Envoy 1.{}", *release));
  } else if (*release > diff::newest_release) {
    comparison.notes.push_back(fmt::format("the proxy is Envoy {}, newer than what shares are predicted by: 1.{}",
                                           version, diff::newest_release));
  }
}

compare::RouteSubsets subsets_of_routes(const scenario::ProxyConfiguration& configuration) {
  compare::RouteSubsets subsets;
  const proxy::DescribedRoutes described = configuration.described_routes();
  for (const proxy::RequestDescription& request : described.requests) {
    const auto reading = configuration.asked(request);
    const auto ends_at_proxy = [](const Diagnostic& problem) { return problem.code == "SP151"; };
    if (reading.scenario) {
      subsets.add(*reading.scenario);
    } else if (std::none_of(reading.diagnostics.begin(), reading.diagnostics.end(), ends_at_proxy)) {
      subsets.add_unread();
    }
  }
  for (std::size_t i = 0; i < described.passed_over.size(); ++i) {
    subsets.add_unread();
  }
  return subsets;
}

compare::RoutedClusters routed_clusters(const scenario::ProxyConfiguration& configuration) {
  compare::RoutedClusters routed;
  for (const proxy::RequestDescription& request : configuration.described_routes().requests) {
    const auto reading = configuration.asked(request);
    if (!reading.scenario || reading.scenario->routes.empty()) {
      continue;
    }
    const scenario::Route& route = reading.scenario->routes.front();
    for (const config::ServiceIndex cluster : route.clusters) {
      const std::string& name = reading.scenario->services[cluster.value].name;
      routed.named.insert(name);
      if (route.stateful_session) {
        routed.with_sessions.insert(name);
      }
    }
  }
  return routed;
}

CommandResult compare_command(const Arguments& arguments) {
  if (arguments.dump) {
    return compare_dump_command(arguments);
  }
  ObservedFiles files = read_observed_files(arguments);
  say_diagnostics({std::nullopt, files.diagnostics, files.sources}, arguments);
  if (has_errors(files.diagnostics)) {
    return {"", ExitCode::bad_input};
  }
  const scenario::ProxyConfiguration configuration =
      read_configuration(arguments, files, observed::HealthOf::eds_alone);
  if (has_errors(configuration.diagnostics())) {
    return {"", ExitCode::bad_input};
  }
  use_own_names(named_clusters(configuration), files);
  compare::Input input{
      .names = asked_clusters(configuration, arguments), .observed = files.view(), .every_cluster = !arguments.cluster};
  std::optional<compare::RouteSubsets> routes;  // read when the first cluster needs it
  input.routed = [&] { return routed_clusters(configuration); };
  input.read = [&](const std::string& name) {
    auto reading = configuration.cluster(name);
    if (reading.scenario) {
      apply_runtime(files, *reading.scenario);
    }
    compare::ClusterReading read{std::move(reading.scenario), first_error(reading.diagnostics),
                                 missing_weights(reading.diagnostics)};
    if (read.scenario && compare::chooses_by_metadata(*read.scenario)) {
      if (!routes) {
        routes = subsets_of_routes(configuration);
      }
      routes->apply(read);
    }
    return read;
  };
  if (arguments.cluster) {
    auto reading = configuration.cluster(*arguments.cluster);
    // Counts are compared with the shares that result from the health in /clusters.
    std::erase_if(reading.diagnostics, [](const auto& problem) { return problem.code == "SP237"; });
    say_diagnostics({std::nullopt, reading.diagnostics, configuration.sources()}, arguments);
    if (!reading.scenario) {
      return {"", ExitCode::bad_input};
    }
  }
  compare::Comparison comparison = compare::compare(input);
  if (arguments.cluster) {
    comparison.unknown.clear();
  }
  add_version_notes(configuration.node().version, files.server ? files.server->version : "", input.names.size(),
                    comparison);
  if (arguments.report) {
    const std::string page = reports::html::compare_page(
        {comparison, configuration.sources().empty() ? std::string() : configuration.sources().front().name},
        {SPILLWAY_VERSION, arguments.command_line});
    if (const auto failure = write_file(*arguments.report, page)) {
      return refuse(*failure, arguments);
    }
  }
  return {reports::format_comparison(comparison, arguments.format, look_of_output(arguments)),
          comparison.agrees() ? ExitCode::well : ExitCode::expectation_failed};
}

void add_compare_options(CLI::App& app, RawArguments& raw) {
  add_formats(app, reports::format_names(), raw);
  add_width(app, raw);
  add_profile(app, raw);
  const auto moments = [&](const char* names, auto& files, const char* help) {
    option(app, "Observed", "FILE", names, files, help)->allow_extra_args(false);
  };
  moments("--clusters", raw.clusters,
          "Output of /clusters, text or JSON; use it twice: before and after.\nOnce: counts since the proxy started");
  moments("--stats", raw.stats, "Output of /stats, as text, JSON or for Prometheus; use it twice: before and after");
  option(app, "Observed", "FILE", "--access-log", raw.access_log,
         "Access log: Envoy's or Istio's default format, or JSON with upstream_host");
  option(app, "Observed", "FILE", "--prometheus", raw.prometheus,
         "Answer of Prometheus to a range query over rq_total of endpoints");
  option(app, "Observed", "FILE", "--server-info", raw.server_info, "Output of /server_info: version and workers");
  option(app, "Observed", "FILE", "--runtime", raw.runtime,
         "Output of /runtime: its values instead of those of the documents");
  option(
      app, "Observed", "FILE", "--dump", raw.dump,
      "A proxy's configuration: istioctl proxy-config all POD -o json, or /config_dump?include_eds; FILE... are then "
      "Istio's and Kubernetes' documents, or a scenario with them or with Kuma's");
  option(app, "Simulation", "NAME", "--cluster", raw.cluster, "Only this cluster");
  option(app, "Simulation", "NAME", "--client", raw.client,
         "With --dump: the scenario's client whose proxy it is (default: the one that the dump names)");
  add_report(app, raw);
}

}  // namespace

const Command commands::compare{
    .name = "compare",
    .group = "Verify",
    .summary = "Compare what a proxy counted with the shares that its configuration predicts",
    .usage = "FILE... --clusters BEFORE --clusters AFTER",
    .path_name = "FILE",
    .path_help = "The proxy's configuration, as `spillway share` reads it. - reads standard input",
    .example =
        "  spillway compare bootstrap.yaml --clusters before.txt --clusters after.txt\n"
        "  spillway compare bootstrap.yaml --access-log access.log --cluster backend -o json\n"
        "  spillway compare mesh.yaml rules.yaml --dump proxy.json",
    .add_options = add_compare_options,
    .check = check_any_path,
    .execute = compare_command,
    .prints_text = true};

}  // namespace spillway::cli
