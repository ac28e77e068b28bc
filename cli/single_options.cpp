#include "cli/single_options.hpp"

#include "cli/argument_values.hpp"
#include "reports/explain/formats.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {

using reports::joined;

namespace {

// Adds options of a command that simulates one scenario several times.
void add_replications(CLI::App& app, RawArguments& raw, const std::string& help) {
  option(app, "Simulation", "NUMBER", "--replications", raw.replications, help);
  option(app, "Simulation", "NUMBER", "-j,--jobs", raw.jobs, "Replications simulated at the same time (default: 1)");
}

}  // namespace

void add_formats(CLI::App& app, const std::vector<std::string>& formats, RawArguments& raw) {
  std::string choice = formats.front();
  for (std::size_t i = 1; i < formats.size(); ++i) {
    choice += (i + 1 < formats.size() ? ", " : " or ") + formats[i];
  }
  option(app, "Output", "FORMAT", "-o,--output", raw.format, choice + " (default: " + formats.front() + ")");
}

void add_plot_options(CLI::App& app, RawArguments& raw) {
  option(app, "Output", "LIST", "--kind", raw.kind,
         "What to draw, any of " + joined(reports::plot::kind_names(), ",") +
             ": shares\nover time, utilisation of endpoints, quantiles of latency, zones and who calls whom, each "
             "failure of a plan");
  option(app, "Output", "FILE", "-o,--output", raw.picture,
         "An image, .svg or .png; or the input of gnuplot or Graphviz, .gp or .dot; - for standard output. Several "
         "pictures get their kind and number added to the name");
  option(app, "Output", "LIST", "--by", raw.by,
         "What it is grouped by: shares as in `spillway run`\n(default: client,priority,zone); a topology by zone, "
         "node or "
         "endpoint (default: the finest that fits)");
  option(app, "Output", "NAME", "--client", raw.client, "Only this client");
  option(app, "Output", "TIME", "--at", raw.at,
         "A topology at this moment only (default: one picture an epoch); the moment of a plan");
  option(app, "Output", "TIME", "--sample", raw.sample,
         "Interval of load and latency (default: a hundredth of the duration)");
  option(app, "Output", "TIME", "--timeout", raw.timeout, "Time limit for drawing a picture (default: 1m)");
}

void add_explain_options(CLI::App& app, RawArguments& raw) {
  add_formats(app, reports::explain::explanation_format_names(), raw);
  option(app, "Output", "COLUMNS", "--width", raw.width, "Columns of the text (default: the terminal's, else 100)");
  const auto add = [&](const char* name, auto& value, const char* help, const char* type) {
    option(app, "Explain", type, name, value, help)->allow_extra_args(false);
  };
  add("--client", raw.client, "Whose requests, needed where there are several clients", "NAME");
  add("--service", raw.service, "To which service, needed where the client asks for several", "NAME");
  add("--at", raw.at, "The moment, with updates sent up to and including it (default: 0s)", "TIME");
  add("--instance", raw.instance,
      "What one of the client's proxies (numbered from 0, as in happenings) had detected by then in the simulation",
      "N");
  add("--key", raw.key, "One request whose hash policy finds this value", "VALUE");
  add("--header", raw.headers, "One request with this header, as the hash policies read it; may repeat", "NAME=VALUE");
  add("--why", raw.why,
      "Also: why does this zone, priority (P1) or endpoint get traffic, or none, and what would\nchange this", "WHAT");
}

void add_observed_options(CLI::App& app, RawArguments& raw) {
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
}

void add_event_options(CLI::App& app, RawArguments& raw) {
  option(app, "Happenings", "FILE", "--events", raw.events,
         "Also write each happening as it happens, a line of JSON each; one replication");
  app.add_flag("--each", raw.each, "One by one, instead of similar ones together")->group("Happenings");
  option(app, "Happenings", "NAME", "--client", raw.client, "Only those of this client");
  option(app, "Happenings", "ID", "--endpoint", raw.endpoint, "Only those about this endpoint");
  option(app, "Happenings", "KIND", "--happening", raw.logged_event,
         "Only those of this kind: " + joined(reports::event_kind_names(), ", "));
  option(app, "Happenings", "TIME", "--from", raw.from,
         "Not before this moment; of documents without a scenario: a pod, a Deployment, a Service or a zone that asks");
  option(app, "Happenings", "TIME", "--to", raw.to,
         "Not after this moment; of documents without a scenario: the host that it asks for");
}

void add_document_options(CLI::App& app, Command command, RawArguments& raw) {
  const char* const group = "Envoy's documents";
  if (command != Command::validate) {
    option(app, group, "NAME", "--listener", raw.listener,
           "A request that comes in by this listener: its name, ADDRESS:PORT or :PORT, instead of --cluster");
    option(app, group, "HOST", "--host", raw.host, "Its host; the routes of the documents choose the cluster");
    option(app, group, "PATH", "--path", raw.path, "Its path (default: /)");
    option(app, group, "ADDRESS", "--source", raw.source,
           "The IP address that it comes from, as hash policies read it (default: not known)");
    if (command != Command::explain) {
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

void add_sweep_options(CLI::App& app, RawArguments& raw) {
  SweepArguments& sweep = raw.sweep;
  option(
      app, "Sweep", "KEY=VALUES", "--over", sweep.over,
      "A key by its path and its values: a list 10,50,100, a range 50..90, 100..2000/20 (20 values) or\n1ms..1s/7log; "
      "may repeat, for all combinations")
      ->allow_extra_args(false);
  option(app, "Sweep", "FILE", "--from-csv", sweep.csv,
         "A table: keys in its first line, a combination in each other line");
  option(app, "Sweep", "DESIGN", "--design", sweep.design,
         "grid, latin or sobol (points spread over many keys), morris or saltelli (for sensitivity); default: grid");
  option(app, "Sweep", "NUMBER", "--samples", sweep.samples, "Points of a design other than grid");
  option(app, "Sweep", "FILE", "--variant", sweep.variants, "A further scenario, another side of the sweep; may repeat")
      ->allow_extra_args(false);
  option(app, "Sweep", "I/N", "--shard", sweep.shard,
         "Only every N-th point, from the I-th, counted from 1: for many machines, a file each");
  option(app, "Simulation", "NUMBER", "--seed", raw.seed, "Seed of all draws (default: the scenario's)");
  option(app, "Simulation", "MODE", "--mode", raw.mode, "exact, requests or platform (default: the scenario's)");
  option(app, "Simulation", "NUMBER", "--replications", raw.replications,
         "Replications of each point with draws of their own, the same for all points (default: 1)");
  option(app, "Simulation", "NUMBER", "-j,--jobs", raw.jobs, "Points simulated at the same time (default: 1)");
  option(
      app, "Output", "WHAT", "-o,--output", raw.output,
      "The sweep's file, created or continued. Of show: table, markdown, csv or json; of plot: FILE.svg, .png or .gp; "
      "of sensitivity: either");
  option(app, "Show", "KEY", "--x", sweep.x, "The key of rows, or of the axis (default: the first)");
  option(app, "Show", "FIGURE", "--y", sweep.y,
         "failed, p50, p90, p99, p999, longest, utilisation, cross_zone, sent, ok, retries, a kind of failure such as "
         "timeout, a happening such as ejected, share:ZONE or share:P1 (default: failed)");
  option(app, "Show", "KEY", "--by", sweep.by, "The key of columns, or of curves; side: the scenario");
  option(app, "Show", "KEY=VALUE", "--where", sweep.where, "Only points with this value; may repeat")
      ->allow_extra_args(false);
  app.add_flag("--points", sweep.points, "Every point, with the command that simulates it again")->group("Show");
  option(app, "Show", "NUMBER", "--point", sweep.point, "Only this point: its inputs, figures and that command");
}

void add_settings(CLI::App& app, RawArguments& raw) {
  option(app, "Simulation", "KEY=VALUE", "--set", raw.settings,
         "Set a key of the scenario, by its path: 'clients[shop].workload.rate=500rps'; may repeat")
      ->allow_extra_args(false);
}

void add_find_options(CLI::App& app, RawArguments& raw) {
  SweepArguments& sweep = raw.sweep;
  option(app, "Search", "KEY=LOW..HIGH", "--maximise", sweep.maximise,
         "Find the highest value of this key that meets the conditions; or, with --over, the figure to maximise");
  option(app, "Search", "KEY=LOW..HIGH", "--minimise", sweep.minimise,
         "Find the lowest value of this key that meets the conditions (endpoints=1..20: the count of every "
         "group);\nor, with --over, the figure to minimise: failed, p99, utilisation, ...");
  option(app, "Search", "KEY=LOW..HIGH", "--over", sweep.over, "The key to vary for --maximise or --minimise FIGURE")
      ->allow_extra_args(false);
  option(app, "Search", "CONDITION", "--such-that", sweep.such_that,
         "A condition that a value must meet, such as 'failed < 0.1 %' or 'p99 < 200ms'; may repeat")
      ->allow_extra_args(false);
  option(app, "Search", "WHAT", "--under", sweep.under,
         "failures: conditions must also be met during each of the scenario's failures");
  option(app, "Simulation", "NUMBER", "--seed", raw.seed, "Seed of all draws (default: the scenario's)");
  add_replications(app, raw, "Replications of each trial (default: 10)");
  option(app, "Output", "FORMAT", "-o,--output", raw.format, "table or json (default: table)");
}

void add_simulated_document_options(CLI::App& app, Command command, RawArguments& raw) {
  if (command == Command::run) {
    option(app, "Envoy's documents", "RATE", "--rate", raw.rates,
           "Requests to each cluster, such as 500rps: simulates the documents of a proxy as `spillway import` reads "
           "them");
  }
  option(app, "Envoy's documents", "NAME", "--cluster", raw.cluster, "Only this cluster");
  add_document_options(app, Command::validate, raw);
}

void add_pasted_options(CLI::App& app, Command command, RawArguments& raw) {
  const char* const group = "Documents without a scenario";
  if (command != Command::run) {
    option(app, group, "NAME", "--from", raw.from,
           "Who asks: a pod, a Deployment, a Service or a zone (default: each zone)");
    option(app, group, "HOST", "--to", raw.to, "Whom (default: each service that rules name)");
  }
  if (command != Command::run && command != Command::plan && command != Command::import_documents) {
    option(app, group, "RATE", "--rate", raw.rates,
           "Requests of all clients together, such as 600rps; of a service with its name, cart=200rps; may repeat")
        ->allow_extra_args(false);
  }
  option(app, group, "ZONES", "--zones", raw.zones,
         "Zones, with the pods of a service in each: a:2,b:2 (default: those of the Nodes, else three)");
  if (command == Command::plan) {
    app.add_flag("--replicas", raw.replicas, "Only which services may lose a pod in each zone, by exact shares")
        ->group(group);
  }
  option(app, group, "SERVICE=RATE", "--capacity", raw.capacities,
         "Requests a second that a pod of a service can serve; may repeat")
      ->allow_extra_args(false);
}

void add_run_options(CLI::App& app, RawArguments& raw) {
  option(app, "Output", "TIME", "--every", raw.every,
         "Rows of this length, such as 5s, instead of a row from event to event");
  app.add_flag("--every-event", raw.every_event,
               "A row from each event to the next, even if nothing that is printed changes")
      ->group("Output");
  option(app, "Output", "TIME", "--sample", raw.sample,
         "Measure utilisation and queues of endpoints this often, such as 1s");
  option(app, "Output", "FILE", "--trace", raw.trace,
         "Also write a line for each request, as CSV; mode requests, one replication");
  add_event_options(app, raw);
  option(app, "Output", "FILE", "--metrics", raw.metrics,
         "Also write the results as OpenMetrics, for Prometheus and compatible tools");
  option(app, "Simulation", "NUMBER", "--replications", raw.replications,
         "Number of replications with draws of their own, for confidence intervals (default: 1)");
  option(app, "Simulation", "PERCENT", "--until-precise", raw.until_precise,
         "Only as many replications (at most --replications, by default 1000) as needed to make every 95 %\n"
         "interval of a share this narrow, such as 0.5% for +-0.5 % of the requests");
  option(app, "Simulation", "NUMBER", "-j,--jobs", raw.jobs,
         "Parts of the scenario, or replications, simulated at the same time (default: as many as there\n"
         "are cores, fewer where memory is short)");
}

void add_plan_options(CLI::App& app, RawArguments& raw) {
  option(app, "Simulation", "TIME", "--at", raw.at, "The moment to plan for (default: when clients send most)");
  option(app, "Simulation", "FACTOR", "--growth", raw.growth,
         "Requests times this factor, such as 1.5x; several make a table: 1.2,1.5,2");
  option(app, "Simulation", "RATE", "--rate", raw.rates,
         "Requests of all clients together, such as 4000rps; of documents without a scenario also SERVICE=RATE, may "
         "repeat")
      ->allow_extra_args(false);
  add_replications(app, raw, "Number of replications in which latency and errors are measured (default: 5)");
}

void add_diff_options(CLI::App& app, RawArguments& raw) {
  option(app, "Simulation", "SCENARIO", "--scenario", raw.world,
         "The scenario in which two files of Kuma's or Istio's documents are compared: they replace its documents of "
         "the same kind, mesh or namespace, and name");
  option(app, "Simulation", "TIME", "--at", raw.at, "When failures happen (default: when clients of NEW send most)");
  add_replications(app, raw,
                   "Number of replications of each side with the same draws, for intervals; at least 2 (default: 10)");
  option(app, "Simulation", "NAME", "--cluster", raw.cluster,
         "Of Envoy documents: the cluster that the requests go to, where there are several");
}

void add_compare_options(CLI::App& app, RawArguments& raw) {
  add_observed_options(app, raw);
  option(
      app, "Observed", "FILE", "--dump", raw.dump,
      "A proxy's configuration: istioctl proxy-config all POD -o json, or /config_dump?include_eds; FILE... are then "
      "Istio's and Kubernetes' documents, or a scenario with them or with Kuma's");
  option(app, "Simulation", "NAME", "--cluster", raw.cluster, "Only this cluster");
  option(app, "Simulation", "NAME", "--client", raw.client,
         "With --dump: the scenario's client whose proxy it is (default: the one that the dump names)");
}

void add_import_options(CLI::App& app, RawArguments& raw) {
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
}

void add_export_options(CLI::App& app, RawArguments& raw) {
  option(app, "Output", "FOLDER", "-o,--output", raw.folder, "Folder for the files; created if missing");
  option(app, "Simulation", "TIME", "--at", raw.at, "The moment, with events up to and including it (default: 0s)");
  option(app, "Simulation", "NAME", "--client", raw.client,
         "The client whose proxy it is, needed where there are several");
  option(app, "Output", "PORT", "--port", raw.port,
         "The first of four ports in a row: inbound, admin, endpoints, and one where nothing listens "
         "(default: 15000)");
}

}  // namespace spillway::cli
