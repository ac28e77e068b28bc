#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/output_file.hpp"
#include "cli/pasted_input.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/pasted/pasted_files.hpp"
#include "sim/scenario/pasted/world.hpp"

namespace spillway::cli {
namespace {

namespace fs = std::filesystem;
namespace pasted = scenario::pasted;

// Names the files of `resources` from the folder of the scenario.
void name_from_folder(std::string& text, const std::vector<std::string>& files, const std::string& scenario) {
  std::error_code failure;
  const fs::path folder = fs::absolute(fs::path(scenario), failure).parent_path();
  for (const std::string& file : files) {
    const std::string line = "  - " + pasted::quoted_text(file) + "\n";
    const std::size_t at = text.find(line);
    const fs::path relative = fs::relative(fs::absolute(fs::path(file), failure), folder, failure);
    if (at != std::string::npos && !failure && !relative.empty()) {
      text.replace(at, line.size(), "  - " + pasted::quoted_text(relative.string()) + "\n");
    }
  }
}

// Returns comments for values that only the scenario's author knows.
std::string places_to_fill_in(const pasted::Composed& composed) {
  std::string text =
      "\n# To fill in: the `rate` of each client above (requests per second of each of its proxies), and";
  text += "\n# what a pod can serve, which `spillway plan` needs:\n";
  const bool serves = composed.written.find("\nserving:\n") != std::string::npos;
  if (composed.written.find("\nresources:\n") == std::string::npos) {
    return text + "# the `capacity` of the endpoints, for example capacity: 100rps\n";
  }
  text += serves ? "# more entries of `serving`:\n" : "# serving:\n";
  for (const std::string& service : composed.services) {
    const bool known = composed.written.find(fmt::format("  - {{ service: \"{}", service)) != std::string::npos;
    text += known ? "" : fmt::format("#   - {{ service: {}, capacity: 100rps }}\n", pasted::quoted_text(service));
  }
  return text;
}

std::string commented(const std::vector<std::string>& lines, const char* word) {
  std::string text;
  for (const std::string& line : lines) {
    text += fmt::format("#   {}: {}\n", word, reports::printable(line));
  }
  return text;
}

// Returns the files that the scenario may name, including those in folders.
std::vector<std::string> named_files(const pasted::Composed& composed) {
  std::vector<std::string> files;
  for (const SourceFile& source : composed.sources) {
    files.push_back(source.name);
  }
  return files;
}

CommandResult init_command(const Arguments& arguments) {
  const pasted::Composed composed = pasted::compose(arguments.paths, pasted_question(arguments));
  if (!composed.is_pasted) {
    Arguments own = arguments;
    own.command = &commands::import_documents;
    return with_pasted_documents(own, [](const Arguments& next) { return next.command->execute(next); });
  }
  if (auto refused = refuse_composed(composed, arguments)) {
    return *refused;
  }
  std::string text = composed.written;
  const std::string target = arguments.output.value_or("-");
  name_from_folder(text, named_files(composed), target == "-" ? "scenario.yaml" : target);
  std::string head = "# Written by `spillway init`. Assumed, since the documents do not say it:\n";
  head += commented(composed.assumed, "assumed") + commented(composed.ignored, "ignored");
  text = head + text + places_to_fill_in(composed);
  if (target == "-") {
    return {text, ExitCode::well};
  }
  if (const auto failure = write_file(target, text)) {
    return refuse(*failure, arguments);
  }
  return {fmt::format("{}: written, {} assumption{}; `spillway run {}` simulates it\n", reports::printable(target),
                      composed.assumed.size(), composed.assumed.size() == 1 ? "" : "s", reports::printable(target)),
          ExitCode::well};
}

void add_init_options(CLI::App& app, RawArguments& raw) {
  add_pasted_options(app, PastedOptions::usual, raw);
  option(app, "Output", "FILE", "-o,--output", raw.output, "The scenario file to write (default: standard output)");
}

}  // namespace

const Command commands::init{
    .name = "init",
    .group = "Write",
    .summary = "Write a scenario around documents of Kubernetes, Istio or Kuma, to be edited",
    .usage = "FILE... [-o SCENARIO]",
    .path_name = "FILE",
    .path_help = "Documents of Kubernetes, Istio or Kuma: files, folders, - for standard input",
    .example =
        "  spillway init mesh.yaml rules.yaml -o shop.yaml\n  kubectl get svc,deploy,destinationrule -A -o yaml | "
        "spillway "
        "init - -o shop.yaml",
    .add_options = add_init_options,
    .check = check_any_path,
    .execute = init_command,
    .takes_pasted = true};

}  // namespace spillway::cli
