#include "cli/help_pages.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "cli/commands.hpp"
#include "reports/formats.hpp"
#include "reports/plot/picture.hpp"
#include "reports/shares/group_by.hpp"
#include "reports/text/text_table.hpp"

namespace spillway::cli {
namespace {

using reports::joined;

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

// Escapes text for troff: no request at the start of a line, no escapes, and hyphens that can be copied.
std::string roff(const std::string& text) {
  std::string out;
  bool starts = true;
  for (const char letter : text) {
    if (starts && (letter == '.' || letter == '\'')) {
      out += "\\&";
    }
    out += letter == '\\' ? "\\e" : letter == '-' ? "\\-" : std::string(1, letter);
    starts = letter == '\n';
  }
  return out;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_lnames().empty() || !option->get_snames().empty()) {
      options.push_back(option);
    }
  }
  return options;
}

// True if the option has a value, whose kind it names: "--output FORMAT". "--github" has none.
bool takes_value(const CLI::Option& option) {
  return !option.get_type_name().empty();
}

std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  return names;
}

// Returns the words that an option accepts; empty if it accepts a file or any text.
std::vector<std::string> choices(const CLI::App& command, const CLI::Option& option) {
  const std::vector<std::string>& names = option.get_lnames();
  const std::string name = names.empty() ? "" : names.front();
  if (name == "output" && option.get_type_name() == "FORMAT") {
    return command_named(command.get_name())->formats();
  }
  if (name == "mode") {
    return {"exact", "requests", "platform"};
  }
  if (name == "color") {
    return {"auto", "always", "never"};
  }
  if (name == "show") {
    return reports::show_names();
  }
  if (name == "by") {
    return reports::Dimensions::names();
  }
  return name == "kind" && option.get_type_name() == "LIST" ? reports::plot::kind_names() : std::vector<std::string>{};
}

void add_options(std::string& page, const CLI::App& app) {
  std::map<std::string, std::string> groups;
  std::vector<std::string> order;
  for (const CLI::Option* option : options_of(app)) {
    if (groups.find(option->get_group()) == groups.end()) {
      order.push_back(option->get_group());
    }
    std::vector<std::string> names = spellings(*option);
    std::string value;
    if (takes_value(*option)) {
      value = " \\fI" + roff(option->get_type_name()) + "\\fR";
    }
    for (std::string& name : names) {
      name = "\\fB" + roff(name) + "\\fR";
    }
    groups[option->get_group()] +=
        ".TP\n" + joined(names, ", ") + value + "\n" + roff(one_line(option->get_description())) + "\n";
  }
  for (const std::string& name : order) {
    page += ".SS " + roff(name) + "\n" + groups[name];
  }
}

const char* const shared_sections =
    ".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\nAn expectation or objective failed, or \\fBdiff\\fR found a change.\n"
    ".TP\n2\nBad usage or input, or a limit of memory or time was reached.\n.TP\n3\nInternal error.\n.TP\n130\n"
    "Interrupted.\n.SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nNo color, unless \\fB\\-\\-color always\\fR is set.\n"
    ".SH SEE ALSO\n\\fBspillway docs\\fR lists the pages of the documentation and prints them.\n";

std::string bash(const CLI::App& app) {
  std::vector<std::string> names;
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    names.push_back(command->get_name());
    std::vector<std::string> options;
    std::string values;
    for (const CLI::Option* option : options_of(*command)) {
      const auto own = spellings(*option);
      options.insert(options.end(), own.begin(), own.end());
      const std::vector<std::string> words = choices(*command, *option);
      if (!words.empty()) {
        values += fmt::format("        {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n",
                              joined(own, "|"), joined(words, " "));
      }
    }
    cases += fmt::format("    {})\n", command->get_name());
    if (!values.empty()) {
      cases += "      case \"$before\" in\n" + values + "      esac\n";
    }
    cases += fmt::format("      options=\"{}\" ;;\n", joined(options, " "));
  }
  return fmt::format(
      R"(# Completion of spillway for bash.
_spillway() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" options=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{0} help docs version completion --help --version" -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
    help) COMPREPLY=($(compgen -W "{0}" -- "$word")); return ;;
    completion) COMPREPLY=($(compgen -W "{2}" -- "$word")); return ;;
{1}  esac
  if [ "${{word#-}}" != "$word" ]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _spillway spillway
)",
      joined(names, " "), cases, joined(completed_shells(), " "));
}

// Puts the text in single quotes of zsh or fish.
std::string in_quotes(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    out += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return out;
}

// Escapes characters with a meaning for _arguments.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char letter : one_line(text)) {
    out += (letter == '[' || letter == ']' || letter == ':' || letter == '\\' ? "\\" : "") + std::string(1, letter);
  }
  return in_quotes(out);
}

std::string zsh(const CLI::App& app) {
  std::string described;
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    described += fmt::format("    '{}:{}'\n", command->get_name(), zsh_text(command->get_description()));
    cases += fmt::format("    {})\n      _arguments \\\n", command->get_name());
    for (const CLI::Option* option : options_of(*command)) {
      const std::vector<std::string> words = choices(*command, *option);
      std::string value;
      if (takes_value(*option)) {
        value = fmt::format(":{}:{}", zsh_text(option->get_type_name()),
                            words.empty() ? "_files" : "(" + joined(words, " ") + ")");
      }
      for (const std::string& name : spellings(*option)) {
        cases += fmt::format("        '*{}[{}]{}' \\\n", name, zsh_text(option->get_description()), value);
      }
    }
    cases += "        '*:file:_files' ;;\n";
  }
  return "#compdef spillway\n# Completion of spillway for zsh.\n_spillway() {\n  local -a commands\n  commands=(\n" +
         described +
         "    'help:Print the help of a command'\n    'docs:Print a page of the documentation'\n"
         "    'version:Print the version'\n    'completion:Print what a shell sources to complete commands'\n  )\n"
         "  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
         "  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n" +
         cases + "    help) _describe command commands ;;\n    completion) _values shell " +
         joined(completed_shells(), " ") + " ;;\n  esac\n}\n_spillway \"$@\"\n";
}

std::string fish(const CLI::App& app) {
  std::string text =
      "# Completion of spillway for fish.\ncomplete -c spillway -n __fish_use_subcommand -f -a help -d 'Print the help "
      "of a command'\ncomplete -c spillway -n __fish_use_subcommand -f -a docs -d 'Print a page of the "
      "documentation'\n";
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format("complete -c spillway -n __fish_use_subcommand -f -a {} -d '{}'\n", command->get_name(),
                        in_quotes(one_line(command->get_description())));
    for (const CLI::Option* option : options_of(*command)) {
      text += fmt::format("complete -c spillway -n '__fish_seen_subcommand_from {}'", command->get_name());
      for (const std::string& name : option->get_snames()) {
        text += " -s " + name;
      }
      for (const std::string& name : option->get_lnames()) {
        text += " -l " + name;
      }
      const std::vector<std::string> words = choices(*command, *option);
      text += words.empty() ? (takes_value(*option) ? " -r" : "") : fmt::format(" -x -a '{}'", joined(words, " "));
      text += fmt::format(" -d '{}'\n", in_quotes(one_line(option->get_description())));
    }
  }
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& app, const CLI::App* command, const std::string& usage) {
  const std::string name = command == nullptr ? "spillway" : "spillway-" + command->get_name();
  const CLI::App& of = command == nullptr ? app : *command;
  std::string page = fmt::format(".TH {} 1 \"\" \"spillway {}\" \"User Commands\"\n.ad l\n.nh\n.SH NAME\n{} \\- {}\n",
                                 roff(name), SPILLWAY_VERSION, roff(name), roff(one_line(of.get_description())));
  page += ".SH SYNOPSIS\n";
  page += roff(usage) + "\n";
  if (command != nullptr) {
    for (const CLI::Option* option : of.get_options()) {
      if (option->get_lnames().empty() && option->get_snames().empty() && !option->get_description().empty()) {
        page += ".SH ARGUMENTS\n" + roff(one_line(option->get_description())) + "\n";
      }
    }
  } else {
    page += ".SH COMMANDS\n";
    for (const CLI::App* each : commands_of(app)) {
      page += ".TP\n\\fB" + roff(each->get_name()) + "\\fR\n" + roff(one_line(each->get_description())) +
              fmt::format(" See \\fBspillway\\-{}\\fR(1).\n", roff(each->get_name()));
    }
    page +=
        ".TP\n\\fBhelp\\fR [\\fICOMMAND\\fR]\nPrint the help of a command.\n.TP\n\\fBdocs\\fR [\\fIPAGE\\fR]\nPrint a "
        "page of the documentation, or their names.\n.TP\n\\fBversion\\fR\nPrint the version.\n.TP\n\\fBcompletion\\fR "
        "\\fISHELL\\fR\nPrint what a shell sources to complete commands and options.\n";
  }
  page += ".SH OPTIONS\n";
  add_options(page, of);
  const std::string footer = of.get_footer();
  const std::size_t example = footer.find("Example");
  const std::size_t first = footer.find('\n', std::min(example, footer.size()));
  if (example != std::string::npos && first != std::string::npos) {
    const std::size_t end = std::min(footer.find("\n\n", first), footer.size());
    page += ".SH EXAMPLES\n.nf\n" + roff(footer.substr(first + 1, end - first - 1)) + "\n.fi\n";
  }
  return page + shared_sections;
}

std::optional<std::string> completion(const CLI::App& app, const std::string& shell) {
  if (shell == "bash") {
    return bash(app);
  }
  if (shell == "zsh") {
    return zsh(app);
  }
  return shell == "fish" ? std::optional(fish(app)) : std::nullopt;
}

const std::vector<std::string>& completed_shells() {
  static const std::vector<std::string> shells{"bash", "zsh", "fish"};
  return shells;
}

}  // namespace spillway::cli
