#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

#include "cli/argument_values.hpp"
#include "reports/text_table.hpp"

namespace spillway::cli {
namespace {

using reports::joined;
using reports::printable;

struct CommandHelp {
  Command command;
  const char* name;
  const char* group;
  const char* summary;
  const char* usage;
  const char* path_name;
  const char* path_help;
  const char* example;
};

constexpr std::array<CommandHelp, 11> commands{
    {{Command::run, "run", "Play", "Play a scenario: share tables by epoch, and a summary", "SCENARIO", "SCENARIO",
      "Scenario file, JSON or YAML; - reads standard input",
      "  spillway run failover.yaml\n  spillway run failover.yaml --by zone -o markdown"},
     {Command::share, "share", "Play", "Exact shares only, of a scenario or of Envoy's own documents", "FILE...",
      "FILE",
      "A scenario file; or a Bootstrap, Clusters and ClusterLoadAssignments as Envoy reads them. - reads standard "
      "input",
      "  spillway share failover.yaml -o json\n  spillway share bootstrap.yaml --cluster backend\n"
      "  spillway share cluster.json endpoints.json"},
     {Command::check, "check", "Verify", "Replay expectations and say which hold", "[PATH...]", "PATH",
      "Scenario files, or folders that are searched for them; default: the folder scenarios",
      "  spillway check scenarios/documented --jobs 2\n  spillway check failover.yaml -o json"},
     {Command::tables, "tables", "Verify", "Reprint every documented table: documented | exact | simulated",
      "[PATH...]", "PATH", "Scenario files or folders; default: the documented scenarios that come with spillway",
      "  spillway tables\n  spillway tables scenarios/documented/panic-two-levels.yaml -o markdown"},
     {Command::plan, "plan", "Plan", "Capacity: what each failure does, headroom, fewest endpoints, what to buy next",
      "SCENARIO", "SCENARIO", "Scenario file, JSON or YAML; - reads standard input",
      "  spillway plan three-zones.yaml\n  spillway plan three-zones.yaml --growth 1.5x -o markdown"},
     {Command::subsets, "subsets", "Explain", "Print or draw the subsets of a cluster: keys, values, hosts, fallbacks",
      "FILE...", "FILE",
      "A scenario file; or a Bootstrap, Clusters and ClusterLoadAssignments as Envoy reads them. - reads standard "
      "input",
      "  spillway subsets canary.yaml\n  spillway subsets bootstrap.yaml --cluster backend -o dot | dot -Tsvg > "
      "subsets.svg"},
     {Command::explain, "explain", "Explain", "Why requests go where they go: rules, loads, hosts, with the arithmetic",
      "FILE...", "FILE",
      "A scenario file; or a Bootstrap, Clusters and ClusterLoadAssignments as Envoy reads them. - reads standard "
      "input",
      "  spillway explain failover.yaml --client frontend --service backend --at 25s\n"
      "  spillway explain failover.yaml --at 25s --why zone-3\n  spillway explain bootstrap.yaml --key user-17"},
     {Command::plot, "plot", "Explain", "Draw pictures, by gnuplot and Graphviz", "SCENARIO --kind LIST -o FILE",
      "SCENARIO", "Scenario file, JSON or YAML; - reads standard input",
      "  spillway plot failover.yaml --kind share -o failover.svg\n  spillway plot failover.yaml --kind topology --at "
      "20s -o failover.png"},
     {Command::export_documents, "export", "Write",
      "Write a scenario as documents of another program: an Envoy bootstrap", "KIND SCENARIO -o FOLDER",
      "KIND SCENARIO",
      "What to write: envoy, a bootstrap that a real Envoy runs, every endpoint on a loopback address of its own; and "
      "a "
      "scenario file, - reads standard input",
      "  spillway export envoy failover.yaml -o out\n  spillway export envoy failover.yaml --at 20s --client frontend "
      "--port 20000 -o out"},
     {Command::validate, "validate", "Write", "Find what is wrong in scenario files, with its place", "FILE...", "FILE",
      "Scenario files, JSON or YAML; - reads standard input",
      "  spillway validate failover.yaml\n  spillway validate --explain SP104"},
     {Command::schema, "schema", "Write", "Print the JSON Schema of scenario files", "", "", "",
      "  spillway schema > scenario.json"}}};

constexpr const char* exit_codes =
    "Exit codes:\n"
    "  0 well   1 an expectation or objective failed   2 bad usage or input   3 internal error   130 interrupted";

bool plays(Command command) {
  return command == Command::run || command == Command::share;
}
// Whether it reads a scenario or Envoy's own documents.
bool reads_documents(Command command) {
  return command == Command::share || command == Command::subsets || command == Command::explain;
}
bool verifies(Command command) {
  return command == Command::check || command == Command::tables;
}

void add_plot_options(CLI::App& app, RawArguments& raw) {
  const auto add = [&app](const char* name, std::optional<std::string>& value, const char* type,
                          const std::string& help) {
    app.add_option(name, value, help)->type_name(type)->group("Output");
  };
  add("--kind", raw.kind, "LIST",
      "What to draw, any of " + joined(reports::plot::kind_names(), ",") +
          ": shares\nover time, utilisation of endpoints, quantiles of latency, zones with who asks whom");
  add("-o,--output", raw.picture, "FILE",
      "An image, .svg or .png; or what the programs read, .gp or .dot, - for standard output. Of several pictures each "
      "gets its kind and number into its name");
  add("--by", raw.by, "LIST",
      "What is told apart: shares as in `spillway run`\n(default: client,priority,zone); a topology by zone, node or "
      "endpoint (default: the finest that is not too much)");
  add("--client", raw.client, "NAME", "This client alone");
  add("--at", raw.at, "TIME", "A topology at this moment alone (default: one picture an epoch)");
  add("--sample", raw.sample, "TIME", "Interval of load and latency (default: a hundredth of the duration)");
  add("--timeout", raw.timeout, "TIME", "The longest that a program may draw a picture (default: 1m)");
}

void add_explain_options(CLI::App& app, RawArguments& raw) {
  app.add_option("-o,--output", raw.format, "table, markdown or json (default: table)")
      ->type_name("FORMAT")
      ->group("Output");
  app.add_option("--width", raw.width, "Columns of the text (default: the terminal's, else 100)")
      ->type_name("COLUMNS")
      ->group("Output");
  const auto add = [&](const char* name, auto& value, const char* help, const char* type) {
    app.add_option(name, value, help)->type_name(type)->group("Explain")->allow_extra_args(false);
  };
  add("--client", raw.client, "Whose requests, needed where there are several clients", "NAME");
  add("--service", raw.service, "To which service, needed where the client asks for several", "NAME");
  add("--at", raw.at, "The moment: what has been told up to and including it (default: 0s)", "TIME");
  add("--key", raw.key, "One request whose hash policy finds this value", "VALUE");
  add("--header", raw.headers, "One request with this header, as the hash policies read it; may repeat", "NAME=VALUE");
  add("--why", raw.why,
      "Also: why does this zone, priority (P1) or endpoint get traffic, or none, and what would\nturn that", "WHAT");
}

void add_options(CLI::App& app, Command command, RawArguments& raw) {
  const std::string format_choice = "table, wide, markdown, csv or json (default: table)";
  if (plays(command) || verifies(command) || command == Command::plan) {
    app.add_option("-o,--output", raw.format, format_choice)->type_name("FORMAT")->group("Output");
    app.add_option("--width", raw.width, "Columns of a table (default: the terminal's, else 100)")
        ->type_name("COLUMNS")
        ->group("Output");
  }
  if (plays(command)) {
    app.add_option("--by", raw.by,
                   "What shares are told apart by, the rest is summed up: any of\n" +
                       joined(reports::Dimensions::names(), ",") +
                       "\n(default: client,priority,zone in table and markdown, else all)")
        ->type_name("LIST")
        ->group("Output");
  }
  if (command == Command::subsets) {
    app.add_option("-o,--output", raw.format, "table, json, dot (for Graphviz) or mermaid (default: table)")
        ->type_name("FORMAT")
        ->group("Output");
  }
  if (command == Command::explain) {
    add_explain_options(app, raw);
  }
  if (reads_documents(command)) {
    const char* const share_help = "Of Envoy documents: the cluster that the requests go to, where there are several";
    app.add_option(
           "--cluster", raw.cluster,
           command != Command::subsets ? share_help : "This cluster alone; of Envoy documents, where there are several")
        ->type_name("NAME")
        ->group("Play");
  }
  if (command == Command::run || command == Command::check || command == Command::plot) {
    app.add_option("--seed", raw.seed, "Instead of the scenario's own")->type_name("NUMBER")->group("Play");
    app.add_option("--mode", raw.mode, "exact, requests or platform, instead of the scenario's own")
        ->type_name("MODE")
        ->group("Play");
  }
  if (plays(command)) {
    app.add_option("--show", raw.show,
                   command == Command::run
                       ? "Instead of shares: endpoints (utilisation, queues, requests), samples (the same\nat even "
                         "intervals, with --sample) or cross_zone (requests and bytes); JSON holds all"
                       : "Instead of shares: cross_zone, requests and bytes from zone to zone; JSON holds both")
        ->type_name("WHAT")
        ->group("Output");
  }
  if (command == Command::run) {
    app.add_option("--sample", raw.sample, "Measure utilisation and queues of endpoints this often, such as 1s")
        ->type_name("TIME")
        ->group("Output");
    app.add_option("--trace", raw.trace, "Also write a line for each request, as CSV; mode requests, one replication")
        ->type_name("FILE")
        ->group("Output");
    app.add_option("--metrics", raw.metrics, "Also write the results as OpenMetrics, for Prometheus and its kin")
        ->type_name("FILE")
        ->group("Output");
    app.add_option("--replications", raw.replications,
                   "Play it so many times with independent draws, for confidence intervals (default: 1)")
        ->type_name("NUMBER")
        ->group("Play");
    app.add_option("-j,--jobs", raw.jobs, "Replications played at the same time (default: 1)")
        ->type_name("NUMBER")
        ->group("Play");
  }
  if (verifies(command)) {
    app.add_option("-j,--jobs", raw.jobs, "Scenarios played at the same time (default: 1)")
        ->type_name("NUMBER")
        ->group("Play");
  }
  if (command == Command::plan) {
    app.add_option("--at", raw.at, "The moment that it is about (default: when clients send most)")
        ->type_name("TIME")
        ->group("Play");
    app.add_option("--growth", raw.growth, "So many times the requests, such as 1.5x")
        ->type_name("FACTOR")
        ->group("Play");
    app.add_option("--rate", raw.rate, "So many requests of all clients together, such as 4000rps")
        ->type_name("RATE")
        ->group("Play");
    app.add_option("--replications", raw.replications,
                   "Latency and errors are measured so many times with independent draws (default: 5)")
        ->type_name("NUMBER")
        ->group("Play");
    app.add_option("-j,--jobs", raw.jobs, "So many of them at the same time (default: 1)")
        ->type_name("NUMBER")
        ->group("Play");
  }
  if (command == Command::check || command == Command::plan) {
    app.add_option("--junit", raw.junit, "Also write the outcome as JUnit XML, for a build server")
        ->type_name("FILE")
        ->group("Output");
  }
  if (command == Command::plot) {
    add_plot_options(app, raw);
  }
  if (command == Command::export_documents) {
    app.add_option("-o,--output", raw.folder, "Folder for the files; made if it is not there")
        ->type_name("FOLDER")
        ->group("Output");
    app.add_option("--at", raw.at, "The moment: what has happened up to and including it (default: 0s)")
        ->type_name("TIME")
        ->group("Play");
    app.add_option("--client", raw.client, "The client whose proxy it is, needed where there are several")
        ->type_name("NAME")
        ->group("Play");
    app.add_option("--port", raw.port,
                   "The first of four ports in a row: inbound, admin, endpoints, and one where nobody listens "
                   "(default: 15000)")
        ->type_name("PORT")
        ->group("Output");
  }
  if (command == Command::check || command == Command::validate) {
    app.add_flag("--github", raw.github, "Also print what is wrong as annotations of GitHub's, on standard error")
        ->group("Output");
  }
  if (command == Command::validate) {
    app.add_option("--explain", raw.explain, "Say what a diagnostic's code means, and read nothing")
        ->type_name("CODE")
        ->group("Output");
  }
  app.add_option("--color", raw.color, "auto, always or never; NO_COLOR in the environment means never")
      ->type_name("WHEN")
      ->group("Output");
}

void describe(CLI::App& app, const CommandHelp& help, RawArguments& raw) {
  app.group(help.group);
  app.allow_extras();
  app.footer(std::string("Example:\n") + help.example + "\n\n" + exit_codes);
  if (*help.path_name != '\0') {
    app.add_option(help.path_name, raw.paths, help.path_help)->type_name("")->expected(0, -1);
  }
  add_options(app, help.command, raw);
}

// CLI11's layout without its empty lines in pairs, and with one usage line for each command.
class HelpLayout : public CLI::Formatter {
 public:
  HelpLayout() { column_width(26); }

  std::string make_usage(const CLI::App* app, std::string) const override {
    const auto command = std::find_if(commands.begin(), commands.end(),
                                      [&](const CommandHelp& help) { return app->get_name() == help.name; });
    if (command == commands.end()) {
      return "\nUsage: spillway COMMAND [OPTIONS] [ARGUMENTS]\n";
    }
    return fmt::format("\nUsage: spillway {} [OPTIONS] {}\n", command->name, command->usage);
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at = help.find("\n\n\n"); at != std::string::npos; at = help.find("\n\n\n")) {
      help.erase(at, 1);
    }
    return help;
  }
};

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CommandHelp& help : commands) {
    names.emplace_back(help.name);
  }
  return names;
}

UsageProblem unknown_option(const std::string& option, const CLI::App& app) {
  const std::string name = option.substr(0, option.find('='));
  const std::string meant = did_you_mean(name, option_names(app));
  return problem("SP902", fmt::format("unknown option `{}` of `{}`", printable(name), app.get_name()),
                 meant.empty() ? fmt::format("`spillway {} --help` lists the options", app.get_name()) : meant);
}

UsageProblem missing(const CommandHelp& help, const char* what) {
  const std::string example = help.example;
  return problem("SP903", fmt::format("`spillway {}` needs a {}", help.name, what),
                 fmt::format("for example:{}", example.substr(1, example.find('\n') - 1)));
}

std::optional<UsageProblem> check_export(const CommandHelp& help, const Arguments& arguments) {
  if (arguments.paths.empty()) {
    return missing(help, "KIND");
  }
  if (arguments.paths.front() != "envoy") {
    return bad_value("KIND", arguments.paths.front(), "it is envoy", {"envoy"});
  }
  if (arguments.paths.size() < 2) {
    return missing(help, "SCENARIO");
  }
  if (arguments.paths.size() > 2) {
    return problem("SP905", fmt::format("unexpected argument `{}`", printable(arguments.paths[2])),
                   "`spillway export` takes one scenario");
  }
  return arguments.folder ? std::nullopt : std::optional(missing(help, "folder, -o"));
}

std::optional<UsageProblem> check_plot(const CommandHelp& help, const Arguments& arguments) {
  if (arguments.kinds.empty()) {
    return missing(help, "kind, --kind");
  }
  return arguments.picture ? std::nullopt : std::optional(missing(help, "file, -o"));
}

// What is left over or missing, which CLI11 would refuse in its own words.
std::optional<UsageProblem> check_paths(const CommandHelp& help, const Arguments& arguments, const CLI::App& app) {
  for (const std::string& extra : app.remaining()) {
    return extra.size() > 1 && extra.front() == '-'
               ? unknown_option(extra, app)
               : problem("SP905", fmt::format("unexpected argument `{}`", printable(extra)));
  }
  if ((help.command == Command::run || help.command == Command::plan || help.command == Command::plot) &&
      arguments.paths.size() > 1) {
    return problem("SP905", fmt::format("unexpected argument `{}`", printable(arguments.paths[1])),
                   fmt::format("`spillway {}` takes one scenario", help.name));
  }
  if (help.command == Command::export_documents) {
    return check_export(help, arguments);
  }
  const bool needs_path = plays(help.command) || reads_documents(help.command) || help.command == Command::plan ||
                          help.command == Command::plot || (help.command == Command::validate && !arguments.explain);
  if (needs_path && arguments.paths.empty()) {
    return missing(help, help.path_name);
  }
  return help.command == Command::plot ? check_plot(help, arguments) : std::nullopt;
}

// Words of the command line before the first that is no option: none of them may be unknown to the program itself.
std::optional<UsageProblem> check_first_words(const std::vector<std::string>& arguments, const CLI::App& app) {
  for (const std::string& word : arguments) {
    if (word == "-h" || word == "--help" || word == "--version") {
      return std::nullopt;
    }
    if (!word.empty() && word.front() == '-') {
      const std::string meant = did_you_mean(word, {"--help", "--version"});
      return problem("SP902", fmt::format("unknown option `{}`", printable(word)),
                     meant.empty() ? "options of a command stand after its name" : meant);
    }
    const std::vector<std::string> names = command_names();
    if (std::find(names.begin(), names.end(), word) != names.end()) {
      return std::nullopt;
    }
    const std::string meant = did_you_mean(word, names);
    return problem("SP901", fmt::format("unknown command `{}`", printable(word)),
                   meant.empty() ? "the commands are " + joined(names, ", ") : meant);
  }
  return problem("SP903", fmt::format("`{}` needs a command", app.get_name()),
                 "the commands are " + joined(command_names(), ", ") + "; `spillway --help` says more");
}

}  // namespace

Parsed parse_arguments(const std::vector<std::string>& arguments) {
  CLI::App app{"Spillway says where every share of a service mesh's traffic goes, why, and what that does to capacity.",
               "spillway"};
  app.set_help_flag("-h,--help", "Print this help");
  bool show_version = false;
  app.add_flag("--version", show_version, "Print the version");
  app.formatter(std::make_shared<HelpLayout>());
  app.footer(std::string("Example:\n  spillway run failover.yaml\n\n`spillway COMMAND --help` says more.\n\n") +
             exit_codes);
  std::array<RawArguments, commands.size()> raw;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    describe(*app.add_subcommand(commands[i].name, commands[i].summary), commands[i], raw[i]);
  }
  if (auto wrong = check_first_words(arguments, app)) {
    return *wrong;
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return HelpText{app.help() + "\n"};
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string words = error.what();  // "--seed: 1 required NUMBER missing"
    const std::string option = printable(words.substr(0, words.find(':')));
    const bool missing = words.find("missing") != std::string::npos;
    return missing ? problem("SP903", fmt::format("`{}` needs a value", option))
                   : problem("SP905", fmt::format("`{}` is given more than once", option));
  } catch (const CLI::ParseError& error) {
    return problem("SP904", printable(error.what()));
  }
  if (show_version) {
    return ShowVersion{};
  }
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const CLI::App* chosen = app.get_subcommand(commands[i].name);
    if (!chosen->parsed()) {
      continue;
    }
    Arguments checked;
    checked.command = commands[i].command;
    const std::optional<UsageProblem> bad = check_values(raw[i], checked);
    const std::optional<UsageProblem> misplaced = check_paths(commands[i], checked, *chosen);
    if (misplaced || bad) {
      return misplaced ? *misplaced : *bad;
    }
    return checked;
  }
  return problem("SP903", "`spillway` needs a command");
}

}  // namespace spillway::cli
