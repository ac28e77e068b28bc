#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <memory>

#include "cli/command_help.hpp"
#include "reports/text_table.hpp"
#include "sim/scenario/grammar/suggestion.hpp"

namespace spillway::cli {
namespace {

using reports::joined;
using reports::printable;

// What CLI11 fills in; every value is text and is checked below, so that all refusals speak with one voice.
struct Raw {
  std::vector<std::string> paths;
  std::optional<std::string> format;
  std::optional<std::string> by;
  std::optional<std::string> seed;
  std::optional<std::string> mode;
  std::optional<std::string> width;
  std::optional<std::string> color;
  std::optional<std::string> jobs;
  std::optional<std::string> junit;
  std::optional<std::string> explain;
  std::optional<std::string> cluster;
};

bool plays(Command command) {
  return command == Command::run || command == Command::share;
}
// Whether it reads a scenario or Envoy's own documents.
bool reads_documents(Command command) {
  return command == Command::share || command == Command::subsets;
}
bool verifies(Command command) {
  return command == Command::check || command == Command::tables;
}

void add_options(CLI::App& app, Command command, Raw& raw) {
  const std::string format_choice = "table, wide, markdown, csv or json (default: table)";
  if (plays(command) || verifies(command)) {
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
  if (reads_documents(command)) {
    const char* const share_help = "Of Envoy documents: the cluster that the requests go to, where there are several";
    app.add_option(
           "--cluster", raw.cluster,
           command == Command::share ? share_help : "This cluster alone; of Envoy documents, where there are several")
        ->type_name("NAME")
        ->group("Play");
  }
  if (command == Command::run || command == Command::check) {
    app.add_option("--seed", raw.seed, "Instead of the scenario's own")->type_name("NUMBER")->group("Play");
    app.add_option("--mode", raw.mode, "exact or requests, instead of the scenario's own")
        ->type_name("MODE")
        ->group("Play");
  }
  if (verifies(command)) {
    app.add_option("-j,--jobs", raw.jobs, "Scenarios played at the same time (default: 1)")
        ->type_name("NUMBER")
        ->group("Play");
  }
  if (command == Command::check) {
    app.add_option("--junit", raw.junit, "Also write the outcome as JUnit XML, for a build server")
        ->type_name("FILE")
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

void describe(CLI::App& app, const CommandHelp& help, Raw& raw) {
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

UsageProblem problem(std::string code, std::string message, std::string help = "") {
  return {std::move(code), std::move(message), std::move(help)};
}

std::string did_you_mean(const std::string& written, const std::vector<std::string>& candidates) {
  const std::string nearest = scenario::grammar::nearest(written, candidates);
  return nearest.empty() ? "" : fmt::format("did you mean `{}`?", nearest);
}

template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

UsageProblem bad_value(const std::string& option, const std::string& value, const std::string& wanted,
                       const std::vector<std::string>& candidates = {}) {
  const std::string meant = did_you_mean(value, candidates);
  return problem("SP904", fmt::format("`{}` is no value of {}", printable(value), option),
                 meant.empty() ? wanted : meant);
}

// Turns the texts into values; the first that makes no sense ends it.
class Checker {
 public:
  explicit Checker(const Raw& raw) : raw_(raw) {}

  std::optional<UsageProblem> check(Arguments& into) {
    into.paths = raw_.paths;
    into.cluster = raw_.cluster;
    if (into.command == Command::subsets) {
      check_format(reports::subset_format_of, reports::subset_format_names(), into.subset_format);
    } else {
      check_format(reports::format_of, reports::format_names(), into.format);
    }
    check_by(into);
    check_choices(into);
    into.seed = number<std::uint64_t>("--seed", raw_.seed, 0, "a whole number from 0 to 18446744073709551615");
    into.width = number<int>("--width", raw_.width, 20, "a whole number from 20 on");
    into.jobs = number<std::size_t>("--jobs", raw_.jobs, 1, "a whole number from 1 on").value_or(1);
    into.junit = raw_.junit;
    into.explain = raw_.explain;
    return problem_;
  }

 private:
  void refuse(UsageProblem problem) {
    if (!problem_) {
      problem_ = std::move(problem);
    }
  }

  template <class Number>
  std::optional<Number> number(const std::string& option, const std::optional<std::string>& text, Number least,
                               const std::string& wanted) {
    if (!text) {
      return std::nullopt;
    }
    const std::optional<Number> number = number_of<Number>(*text);
    if (!number || *number < least) {
      refuse(bad_value(option, *text, "it takes " + wanted));
    }
    return number;
  }

  template <class FormatOf, class Format>
  void check_format(FormatOf format_of, const std::vector<std::string>& names, Format& into) {
    if (!raw_.format) {
      return;
    }
    if (const auto format = format_of(*raw_.format)) {
      into = *format;
    } else {
      refuse(bad_value("--output", *raw_.format, "it takes one of " + joined(names, ", "), names));
    }
  }

  void check_by(Arguments& into) {
    if (!raw_.by) {
      return;
    }
    reports::Dimensions by;
    for (const std::string& name : CLI::detail::split(*raw_.by, ',')) {
      if (!by.add(name)) {
        refuse(bad_value("--by", name, "it takes " + joined(reports::Dimensions::names(), ", "),
                         reports::Dimensions::names()));
      }
    }
    into.by = by;
  }

  void check_choices(Arguments& into) {
    if (raw_.mode == "exact" || raw_.mode == "requests") {
      into.mode = raw_.mode == "exact" ? scenario::Mode::exact : scenario::Mode::requests;
    } else if (raw_.mode) {
      refuse(bad_value("--mode", *raw_.mode, "it takes exact or requests", {"exact", "requests"}));
    }
    if (raw_.color == "always" || raw_.color == "never") {
      into.color = raw_.color == "always" ? ColorChoice::always : ColorChoice::never;
    } else if (raw_.color && raw_.color != "auto") {
      refuse(bad_value("--color", *raw_.color, "it takes auto, always or never", {"auto", "always", "never"}));
    }
  }

  const Raw& raw_;
  std::optional<UsageProblem> problem_;
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

// What is left over or missing, which CLI11 would refuse in its own words.
std::optional<UsageProblem> check_paths(const CommandHelp& help, const Arguments& arguments, const CLI::App& app) {
  for (const std::string& extra : app.remaining()) {
    return extra.size() > 1 && extra.front() == '-'
               ? unknown_option(extra, app)
               : problem("SP905", fmt::format("unexpected argument `{}`", printable(extra)));
  }
  if (help.command == Command::run && arguments.paths.size() > 1) {
    return problem("SP905", fmt::format("unexpected argument `{}`", printable(arguments.paths[1])),
                   fmt::format("`spillway {}` takes one scenario", help.name));
  }
  const bool needs_path = plays(help.command) || help.command == Command::subsets ||
                          (help.command == Command::validate && !arguments.explain);
  if (needs_path && arguments.paths.empty()) {
    return problem(
        "SP903", fmt::format("`spillway {}` needs a {}", help.name, help.path_name),
        fmt::format("for example:{}", std::string(help.example).substr(1, std::string(help.example).find('\n') - 1)));
  }
  return std::nullopt;
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
  std::array<Raw, commands.size()> raw;
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
    const std::optional<UsageProblem> bad = Checker(raw[i]).check(checked);
    const std::optional<UsageProblem> misplaced = check_paths(commands[i], checked, *chosen);
    if (misplaced || bad) {
      return misplaced ? *misplaced : *bad;
    }
    return checked;
  }
  return problem("SP903", "`spillway` needs a command");
}

}  // namespace spillway::cli
