#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <memory>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/common_mistakes.hpp"
#include "cli/help_pages.hpp"
#include "cli/shared_options.hpp"
#include "models/documents/diagnostic_pages.hpp"
#include "models/documents/grammar/suggestion.hpp"
#include "models/envoy/policies/registry.hpp"
#include "reports/text/escapes.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {
namespace {

using reports::joined;
using reports::printable;

constexpr const char* exit_codes =
    "Exit codes:\n"
    "  0 success   1 an expectation or objective failed, or `diff` found a change   2 bad usage or input\n"
    "  3 internal error   130 interrupted";

void describe(CLI::App& app, const Command& command, RawArguments& raw) {
  app.group(command.group);
  app.allow_extras();
  app.footer(std::string("Example:\n") + command.example + "\n\n" + exit_codes);
  if (*command.path_name != '\0') {
    app.add_option(command.path_name, raw.paths, command.path_help)->type_name("")->expected(0, -1);
  }
  if (command.add_options != nullptr) {
    command.add_options(app, raw);
  }
  add_common_options(app, command.has_limits, raw);
}

std::string usage_of(const Command* command) {
  return command == nullptr ? "spillway COMMAND [OPTIONS] [ARGUMENTS]"
                            : fmt::format("spillway {} [OPTIONS] {}", command->name, command->usage);
}

// CLI11's help layout without double blank lines, and with one usage line per command.
class HelpLayout : public CLI::Formatter {
 public:
  HelpLayout() { column_width(26); }

  std::string make_usage(const CLI::App* app, std::string) const override {
    return "\nUsage: " + usage_of(command_named(app->get_name())) + "\n";
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at = help.find("\n\n\n"); at != std::string::npos; at = help.find("\n\n\n")) {
      help.erase(at, 1);
    }
    return help;
  }
};

// Replaces `--replicas NAME=NUMBER` by the setting that it stands for; without a number it is a flag of `plan`.
std::vector<std::string> with_settings_of_replicas(std::vector<std::string> words) {
  for (std::size_t word = 0; word + 1 < words.size(); ++word) {
    const std::size_t equals = words[word + 1].rfind('=');
    const bool has_number = equals != std::string::npos && equals > 0 && equals + 1 < words[word + 1].size() &&
                            words[word + 1].find_first_not_of("0123456789", equals + 1) == std::string::npos;
    if (words[word] == "--replicas" && has_number) {
      words[word] = "--set";
      words[word + 1] = "replicas[\"" + words[word + 1].substr(0, equals) + "\"]" + words[word + 1].substr(equals);
    }
  }
  return words;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

UsageProblem unknown_option(const std::string& option, const CLI::App& app) {
  const std::string name = option.substr(0, option.find('='));
  const std::vector<std::string> names = option_names(app);
  std::string meant = instead_of_option(name, app.get_name(), names);
  if (meant.empty()) {
    // Strips the dashes, which all options share, before comparing names.
    std::vector<std::string> bare;
    bare.reserve(names.size());
    for (const std::string& one : names) {
      bare.push_back(one.substr(2));
    }
    const std::string nearest = grammar::nearest(name.substr(std::min(name.find_first_not_of('-'), name.size())), bare);
    meant = nearest.empty() ? "" : fmt::format("did you mean `--{}`?", nearest);
  }
  return problem("SP902", fmt::format("unknown option `{}` of `{}`", printable(name), app.get_name()),
                 meant.empty() ? fmt::format("`spillway {} --help` lists the options", app.get_name()) : meant);
}

// Checks for excess or missing paths, which CLI11 would report in its own words.
std::optional<UsageProblem> check_paths(const Command& command, const Arguments& arguments, const CLI::App& app) {
  for (const std::string& extra : app.remaining()) {
    return extra.size() > 1 && extra.front() == '-'
               ? unknown_option(extra, app)
               : problem("SP905", fmt::format("unexpected argument `{}`", printable(extra)));
  }
  return command.check != nullptr ? command.check(command, arguments) : std::nullopt;
}

// Returns the command line without the report, which prints the same results again.
std::string command_line_of(const std::vector<std::string>& words) {
  std::string line = "spillway";
  for (std::size_t word = 0; word < words.size(); ++word) {
    if (words[word] == "--report") {
      ++word;
    } else if (!words[word].starts_with("--report=")) {
      line += ' ' + reports::shell_word(words[word]);
    }
  }
  return line;
}

// Handles `help`, `version`, `docs` and `completion`, which accept only words. Returns nullopt for other commands.
std::optional<Parsed> about_the_program(const std::vector<std::string>& words, const CLI::App& app) {
  const std::string first = words.empty() ? "" : words.front();
  const std::size_t most = first == "help" && words.size() > 1 && words[1] == "--man" ? 3 : first == "version" ? 1 : 2;
  if (first != "help" && first != "version" && first != "docs" && first != "completion") {
    return std::nullopt;
  }
  for (std::size_t word = 1; word < words.size(); ++word) {
    if (words[word] == "-h" || words[word] == "--help") {
      return HelpText{"spillway help [COMMAND]\nspillway docs [PAGE]\nspillway version\nspillway completion " +
                      joined(completed_shells(), "|") + "\n"};
    }
  }
  if (words.size() > most) {
    return problem("SP905", fmt::format("unexpected argument `{}`", printable(words[most])));
  }
  if (first == "version") {
    return ShowVersion{};
  }
  if (first == "docs") {
    return ShowDocs{words.size() > 1 ? std::optional(words[1]) : std::nullopt};
  }
  if (first == "completion") {
    const auto script = words.size() > 1 ? completion(app, words[1]) : std::nullopt;
    return script ? Parsed(HelpText{*script})
                  : Parsed(problem(words.size() > 1 ? "SP904" : "SP903", "`spillway completion` needs a shell",
                                   "it takes " + joined(completed_shells(), ", ")));
  }
  if (words.size() == 2 && words[1] == "--names") {
    return HelpText{joined(command_names(), "\n") + "\n"};  // used by the build to write one manual page each
  }
  const bool manual = most == 3;
  const std::string named = words.size() == most ? words.back() : "";
  if (named.empty() || (named == "--man" && manual)) {
    return HelpText{manual ? manual_page(app, nullptr, usage_of(nullptr)) : app.help() + "\n"};
  }
  if (std::string code = manual ? "" : documents::explain_diagnostic_code(named); !code.empty()) {
    return HelpText{std::move(code)};
  }
  const Command* const described = command_named(named);
  if (described == nullptr) {
    std::string meant = did_you_mean(named, command_names());
    meant = meant.empty() ? instead_of_command({named}, command_names()) : meant;
    return problem("SP901", fmt::format("unknown command `{}`", printable(named)),
                   meant.empty() ? "the commands are " + joined(command_names(), ", ") : meant);
  }
  const CLI::App* const command = app.get_subcommand(named);
  return HelpText{manual ? manual_page(app, command, usage_of(described)) : command->help("spillway") + "\n"};
}

// Checks the first word: it must be a command or an option of the program itself.
std::optional<UsageProblem> check_first_words(const std::vector<std::string>& arguments, const CLI::App& app) {
  for (const std::string& word : arguments) {
    if (word == "-h" || word == "--help" || word == "--version") {
      return std::nullopt;
    }
    if (!word.empty() && word.front() == '-') {
      const bool version = word == "-v" || word == "-V" || word == "-version";
      const std::string meant = version ? "did you mean `--version`?" : did_you_mean(word, {"--help", "--version"});
      return problem("SP902", fmt::format("unknown option `{}`", printable(word)),
                     meant.empty() ? "write a command's options after its name" : meant);
    }
    const std::vector<std::string> names = command_names();
    if (std::find(names.begin(), names.end(), word) != names.end()) {
      return std::nullopt;
    }
    std::string meant = instead_of_command(arguments, names);
    meant = meant.empty() ? did_you_mean(word, names) : meant;
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
  app.footer(std::string("Example:\n  spillway run failover.yaml\n\n`spillway COMMAND --help` or `spillway help "
                         "COMMAND` says more; `spillway docs` lists the pages of the documentation.\n\n") +
             exit_codes);
  std::array<RawArguments, commands::all.size()> raw;
  for (std::size_t i = 0; i < commands::all.size(); ++i) {
    const Command& command = *commands::all[i];
    describe(*app.add_subcommand(command.name, command.summary), command, raw[i]);
  }
  if (auto about = about_the_program(arguments, app)) {
    return *about;
  }
  if (auto wrong = check_first_words(arguments, app)) {
    return *wrong;
  }
  try {
    std::vector<std::string> words = with_settings_of_replicas(arguments);
    std::reverse(words.begin(), words.end());
    // CLI11 would parse it as the command of that name.
    const bool draws_sweep = arguments.size() > 1 && arguments[0] == "sweep" && arguments[1] == "plot";
    // Removes `--`, which CLI11 does not handle here: the files after it do not begin with a dash.
    std::erase(words, "--");
    if (draws_sweep) {
      words[words.size() - 2] = "draw";
    }
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    return HelpText{app.help() + "\n"};
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string words = error.what();  // "--seed: 1 required NUMBER missing"
    const std::string option = printable(words.substr(0, words.find(':')));
    const bool missing = words.find("missing") != std::string::npos;
    return missing ? problem("SP903", fmt::format("`{}` needs a value", option), example_of_option(option))
                   : problem("SP905", fmt::format("`{}` is given more than once", option));
  } catch (const CLI::ParseError& error) {
    return problem("SP904", printable(error.what()));
  }
  if (show_version) {
    return ShowVersion{};
  }
  for (std::size_t i = 0; i < commands::all.size(); ++i) {
    const CLI::App* chosen = app.get_subcommand(commands::all[i]->name);
    if (!chosen->parsed()) {
      continue;
    }
    Arguments checked;
    checked.command = commands::all[i];
    checked.command_line = command_line_of(arguments);
    const std::optional<UsageProblem> bad = check_values(raw[i], checked);
    const std::optional<UsageProblem> misplaced = check_paths(*commands::all[i], checked, *chosen);
    // A file may be missing only because the value that makes it needless is wrong.
    const bool value_first = misplaced && bad && misplaced->code == "SP903" && bad->code == "SP904";
    if (misplaced || bad) {
      return misplaced && !value_first ? *misplaced : *bad;
    }
    return checked;
  }
  return problem("SP903", "`spillway` needs a command");
}

}  // namespace spillway::cli
