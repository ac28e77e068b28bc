#include "cli/shared_options.hpp"

#include <fmt/format.h>

#include "cli/argument_values.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {

using reports::joined;

void add_formats(CLI::App& app, const std::vector<std::string>& formats, RawArguments& raw) {
  std::string choice = formats.front();
  for (std::size_t i = 1; i < formats.size(); ++i) {
    choice += (i + 1 < formats.size() ? ", " : " or ") + formats[i];
  }
  option(app, "Output", "FORMAT", "-o,--output", raw.format, choice + " (default: " + formats.front() + ")");
}

void add_width(CLI::App& app, RawArguments& raw) {
  option(app, "Output", "COLUMNS", "--width", raw.width, "Columns of a table (default: the terminal's, else 100)");
}

void add_by(CLI::App& app, RawArguments& raw) {
  option(app, "Output", "LIST", "--by", raw.by,
         "What shares are grouped by; everything else is summed: any of\n" + joined(reports::Dimensions::names(), ",") +
             "\n(default: client,priority,zone in table and markdown, else all)");
}

void add_seed_and_mode(CLI::App& app, RawArguments& raw) {
  option(app, "Simulation", "NUMBER", "--seed", raw.seed, "Seed of all draws (default: the scenario's)");
  option(app, "Simulation", "MODE", "--mode", raw.mode, "exact, requests or platform (default: the scenario's)");
}

void add_profile(CLI::App& app, RawArguments& raw) {
  option(
      app, "Simulation", "PROFILE", "--profile", raw.profile,
      "Rules of this release, such as envoy=release-1.30 (default: the release that the documents name);\nof documents "
      "without a scenario also istio=release-1.30, kuma=head");
}

void add_report(CLI::App& app, RawArguments& raw) {
  option(app, "Output", "FILE", "--report", raw.report,
         "Also write one HTML file with verdict, tables, charts and explanations, for a ticket");
}

void add_junit(CLI::App& app, RawArguments& raw) {
  option(app, "Output", "FILE", "--junit", raw.junit, "Also write the results as JUnit XML, for a build server");
}

void add_at_rest(CLI::App& app, RawArguments& raw) {
  app.add_flag("--at-rest", raw.at_rest,
               "Shares with no request in flight, no retries and no host in slow start, instead of exact ones")
      ->group("Output");
}

void add_all_clusters(CLI::App& app, RawArguments& raw) {
  app.add_flag("--all-clusters", raw.all_clusters, "Of Envoy documents: every cluster, one after another")
      ->group("Simulation");
}

void add_replications(CLI::App& app, RawArguments& raw, const std::string& help) {
  option(app, "Simulation", "NUMBER", "--replications", raw.replications, help);
  option(app, "Simulation", "NUMBER", "-j,--jobs", raw.jobs, "Replications simulated at the same time (default: 1)");
}

void add_settings(CLI::App& app, RawArguments& raw) {
  option(app, "Simulation", "KEY=VALUE", "--set", raw.settings,
         "Set a key of the scenario, by its path: 'clients[shop].workload.rate=500rps'; may repeat")
      ->allow_extra_args(false);
}

void add_document_options(CLI::App& app, DocumentOptions of, RawArguments& raw) {
  const char* const group = "Envoy's documents";
  if (of != DocumentOptions::without_request) {
    option(app, group, "NAME", "--listener", raw.listener,
           "A request that comes in by this listener: its name, ADDRESS:PORT or :PORT, instead of --cluster");
    option(app, group, "HOST", "--host", raw.host, "Its host; the routes of the documents choose the cluster");
    option(app, group, "PATH", "--path", raw.path, "Its path (default: /)");
    option(app, group, "ADDRESS", "--source", raw.source,
           "The IP address that it comes from, as hash policies read it (default: not known)");
    if (of == DocumentOptions::with_headers) {
      option(app, group, "NAME=VALUE", "--header", raw.headers, "One of its headers; may repeat")
          ->allow_extra_args(false);
    }
  }
  option(app, group, "NAME=ADDRESS,...", "--resolve", raw.resolve,
         "Addresses that a DNS name resolves to; may repeat (default: one host a name)")
      ->allow_extra_args(false);
  option(app, group, "KEY", "--without", raw.without,
         "Ignore this field everywhere, and say so in every output; may repeat")
      ->allow_extra_args(false);
}

void add_simulated_document_options(CLI::App& app, RawArguments& raw) {
  option(app, "Envoy's documents", "NAME", "--cluster", raw.cluster, "Only this cluster");
  add_document_options(app, DocumentOptions::without_request, raw);
}

void add_asked_cluster(CLI::App& app, RawArguments& raw) {
  option(app, "Simulation", "NAME", "--cluster", raw.cluster,
         "Of Envoy documents: the cluster that the requests go to, where there are several");
}

void add_pasted_options(CLI::App& app, PastedOptions of, RawArguments& raw) {
  const char* const group = "Documents without a scenario";
  if (of != PastedOptions::run) {
    option(app, group, "NAME", "--from", raw.from,
           "The clients: a pod, a Deployment, a Service or a zone, such as web or shop/web (default: each zone)");
    option(app, group, "HOST", "--to", raw.to, "The host that they call (default: each service that rules name)");
  }
  if (of == PastedOptions::usual) {
    option(app, group, "RATE", "--rate", raw.rates,
           "Requests of all clients together, such as 600rps; of a service with its name, cart=200rps; may repeat")
        ->allow_extra_args(false);
  }
  option(app, group, "ZONES", "--zones", raw.zones,
         "Zones, with the pods of a service in each: a:2,b:2 (default: those of the Nodes, else three)");
  if (of == PastedOptions::plan) {
    app.add_flag(
           "--replicas", raw.replicas,
           "Only which services may lose a pod in each zone, by exact shares; with NAME=NUMBER instead\na plan with "
           "this many pods of a Deployment, as --set replicas.NAME=NUMBER")
        ->group(group);
  }
  option(app, group, "SERVICE=RATE", "--capacity", raw.capacities,
         "Requests a second that a pod of a service can serve; may repeat")
      ->allow_extra_args(false);
}

void add_common_options(CLI::App& app, bool has_limits, RawArguments& raw) {
  option(app, "Output", "WHEN", "--color", raw.color,
         "auto, always or never; auto: on a terminal, unless NO_COLOR is in the environment");
  app.add_flag("--quiet", raw.quiet, "No warnings, notes or progress on standard error; errors are still printed")
      ->group("Output");
  app.add_flag("--short", raw.short_diagnostics, "Errors and warnings in one line each")->group("Output");
  if (!has_limits) {
    return;
  }
  option(app, "Limits", "SIZE", "--limit-memory", raw.limit_memory,
         "Stop beyond this, such as 2GB (default: what the machine or its control group has)");
  option(app, "Limits", "TIME", "--limit-time", raw.limit_time,
         "Stop after this time, such as 30s, and report progress; check and run --replications\nprint what is "
         "complete");
  app.add_flag("--allow-files", raw.allow_files, "Also read traces outside the scenario's folder")->group("Limits");
}

UsageProblem missing(const Command& command, const char* what) {
  const std::string example = command.example;
  const char* const article = *what == 'O' ? "an" : "a";  // OLD
  return problem("SP903", fmt::format("`spillway {}` needs {} {}", command.name, article, what),
                 fmt::format("for example:{}", example.substr(1, example.find('\n') - 1)));
}

std::optional<UsageProblem> check_any_path(const Command& command, const Arguments& arguments) {
  return arguments.paths.empty() && !arguments.mesh ? std::optional(missing(command, command.path_name)) : std::nullopt;
}

std::optional<UsageProblem> check_one_scenario(const Command& command, const Arguments& arguments) {
  return arguments.paths.size() > 1
             ? problem("SP905", fmt::format("unexpected argument `{}`", reports::printable(arguments.paths[1])),
                       fmt::format("`spillway {}` takes one scenario", command.name))
             : check_any_path(command, arguments);
}

}  // namespace spillway::cli
