#include "cli/pasted_input.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include "cli/commands.hpp"
#include "cli/imported.hpp"
#include "cli/input.hpp"
#include "cli/replicas.hpp"
#include "cli/terminal.hpp"
#include "models/documents/json_writer.hpp"
#include "models/documents/overlay.hpp"
#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/proxy/foreign.hpp"
#include "models/envoy/proxy/plain_texts.hpp"
#include "reports/import/reported_assignments.hpp"
#include "reports/import/reported_choice.hpp"
#include "reports/import/reported_clusters.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/pasted/surrounding_text.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::cli {
namespace {

namespace pasted = scenario::pasted;

// Default for a plan of pasted documents, which has many services: fewer replications than for a scenario.
constexpr std::uint32_t replications_of_plan = 2;

std::vector<std::string>& assumptions() {
  static std::vector<std::string> lines;
  return lines;
}

bool asks_of_other_inputs(const Arguments& arguments) {
  const bool upgrade = arguments.to_release || arguments.all_clusters || arguments.world;
  return arguments.explain || upgrade || arguments.mesh || arguments.command == &commands::init ||
         arguments.command == &commands::try_rule || arguments.paths.empty();
}

std::optional<UsageProblem> misplaced(const Arguments& arguments) {
  if (arguments.pasted.given()) {
    return problem(
        "SP905",
        "`--from`, `--to`, `--zones`, `--capacity`, `--rate SERVICE=RATE` and `--profile istio=...` do not apply here",
        names_documents(arguments) && arguments.rate
            ? "they are for documents of Kubernetes, Istio or Kuma; `spillway import` makes a scenario of Envoy's, "
              "whose endpoints may have a `capacity`"
            : "they are for documents of Kubernetes, Istio or Kuma without a scenario");
  }
  const bool one = arguments.command == &commands::run || arguments.command == &commands::plan;
  if (one && arguments.paths.size() > 1 && !arguments.rate) {
    return problem("SP905", fmt::format("unexpected argument `{}`", reports::printable(arguments.paths[1])),
                   fmt::format("`spillway {}` takes one scenario", arguments.command->name));
  }
  return std::nullopt;
}

CommandResult with_assumed(CommandResult result, const pasted::Composed& composed, const Arguments& arguments) {
  if (result.code == ExitCode::bad_input || result.code == ExitCode::internal_error) {
    return result;
  }
  if (arguments.format == reports::Format::json) {
    insert_assumed(result.output);
  } else if (reports::is_for_people(arguments.format)) {
    result.output += assumed_text(composed);
  } else if (!arguments.quiet) {
    say(assumed_text(composed));
  }
  return result;
}

// Adds which services may lose a pod in each zone to a plan.
void add_replicas(CommandResult& result, const pasted::Composed& composed, const Arguments& arguments) {
  if (result.code == ExitCode::bad_input || result.output.empty()) {
    return;
  }
  const std::vector<ReplicaRow> rows = replica_rows(composed);
  if (arguments.format == reports::Format::json) {
    const std::size_t begin = result.output.find('{');
    result.output.insert(begin + 1, "\"replicas\":" + replicas_json(rows) + ",");
  } else if (reports::is_for_people(arguments.format)) {
    result.output += replicas_text(rows, arguments);
  }
}

// Returns the option that the short answer of `plan --replicas` does not have; empty if there is none.
std::string not_of_replicas(const Arguments& arguments) {
  const std::pair<bool, const char*> given[] = {
      {arguments.growth.has_value() || !arguments.growths.empty(), "--growth"},
      {!arguments.settings.empty(), "--set"},
      {arguments.report.has_value(), "--report"},
      {arguments.junit.has_value(), "--junit"},
      {arguments.profile.has_value(), "--profile"},
      {arguments.at.has_value(), "--at"},
      {arguments.replications.has_value(), "--replications"},
      {!arguments.without.empty(), "--without"},
  };
  const auto first = std::find_if(std::begin(given), std::end(given), [](const auto& of) { return of.first; });
  return first == std::end(given) ? "" : first->second;
}

CommandResult only_replicas(const pasted::Composed& composed, const Arguments& arguments) {
  if (const std::string option = not_of_replicas(arguments); !option.empty()) {
    return refuse(problem("SP905", fmt::format("`{}` does not apply to `--replicas`", option),
                          "leave `--replicas` out: a whole plan takes it"),
                  arguments);
  }
  const std::vector<ReplicaRow> rows = replica_rows(composed);
  if (rows.empty()) {
    return refuse({"SP904", "no service has two pods in a zone, so none can lose one there",
                   "give the pods, the replicas of Deployments, or --zones a:4,b:4"},
                  arguments);
  }
  if (arguments.format == reports::Format::json) {
    return {"{\"schema_version\":1,\"replicas\":" + replicas_json(rows) + "}\n", ExitCode::well};
  }
  std::string text = replicas_text(rows, arguments);
  text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
  return {std::move(text), ExitCode::well};
}

// Replaces the names of the composed scenario by those of the files, which do not have its lines.
void name_files(std::string& text, const std::string& path, const std::vector<std::string>& files) {
  std::string names;
  for (const std::string& file : files) {
    names += (names.empty() ? "" : ", ") + (file == "-" ? "<stdin>" : reports::printable(file));
  }
  for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at + names.size())) {
    std::size_t end = at + path.size();
    while (end + 1 < text.size() && text[end] == ':' && std::isdigit(static_cast<unsigned char>(text[end + 1])) != 0) {
      end = std::min(text.find_first_not_of("0123456789", end + 1), text.size());
    }
    text.replace(at, end - at, names);
  }
}

// Lays documents of Envoy over files that only report endpoints (/clusters, tables of istioctl): commands read these.
// Returns what was assumed; nullopt if the files are something else, or a refusal.
std::variant<std::monostate, std::vector<std::string>, CommandResult> lay_over_reports(Sources sources,
                                                                                       const Arguments& arguments) {
  auto reported = reports::documents_of_report(sources, arguments.cluster.value_or(""));
  if (!reported) {
    reported = reports::documents_of_assignments(sources, arguments.cluster.value_or(""));
  }
  if (!reported) {
    return std::monostate();
  }
  const bool chooses = arguments.command == &commands::share || arguments.command == &commands::explain ||
                       arguments.command == &commands::run;
  if (chooses && !arguments.cluster && !has_errors(reported->problems)) {
    reports::require_choice(*reported, sources);
  }
  say_diagnostics({std::nullopt, reported->problems, sources}, arguments);
  if (reported->text.empty()) {
    return CommandResult{"", ExitCode::bad_input};
  }
  for (const SourceFile& source : sources) {
    const bool first = &source == &sources.front();
    documents::lay_over(source.name == "<stdin>" ? "-" : source.name, first ? reported->text : "{}");
  }
  return std::move(reported->assumed);
}

// Returns the program that a text is for, if it is neither a document nor a report; only short texts are.
std::optional<proxy::Foreign> foreign_text(Sources& sources, std::uint32_t file) {
  constexpr std::size_t longest = 1'000'000;
  const std::string& text = sources[file].text;
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (text.size() > longest || begin == std::string::npos || text[begin] == '{' || text[begin] == '[') {
    return std::nullopt;
  }
  auto foreign = proxy::recognise_foreign_text(text);
  Diagnostics ignored;
  const auto root = foreign ? documents::parse(sources, file, ignored) : std::nullopt;
  const bool is_document = root && root->kind == documents::Kind::object && !root->members.empty() &&
                           !pasted::is_odd_key(root->members.front().key) && !proxy::is_plain_text(sources[file]);
  return is_document ? std::nullopt : std::move(foreign);
}

// Returns the problems of the first text that cannot be parsed.
Diagnostics problems_of_reading(Sources& sources) {
  for (std::uint32_t file = 0; file < sources.size(); ++file) {
    Diagnostics problems;
    if (!proxy::is_plain_text(sources[file]) && !documents::parse_documents(sources, file, problems)) {
      return problems;
    }
  }
  return {};
}

// Runs a command on such files; nullopt if they are something else. `left_out` of their texts is named.
std::optional<CommandResult> of_reports(const std::vector<Sources>& sides, const std::vector<std::string>& left_out,
                                        const Arguments& arguments,
                                        const std::function<CommandResult(const Arguments&)>& next) {
  pasted::Composed named{.assumed = left_out};
  for (const Sources& sources : sides) {
    auto laid = lay_over_reports(sources, arguments);
    if (auto* const refused = std::get_if<CommandResult>(&laid)) {
      return *refused;
    }
    if (std::holds_alternative<std::monostate>(laid)) {
      return std::nullopt;
    }
    for (std::string& line : std::get<std::vector<std::string>>(laid)) {
      if (std::find(named.assumed.begin(), named.assumed.end(), line) == named.assumed.end()) {
        named.assumed.push_back(std::move(line));
      }
    }
  }
  Arguments own = arguments;
  if (arguments.command != &commands::diff) {
    own.paths = {sides.front().front().name == "<stdin>" ? "-" : sides.front().front().name};
  }
  assumptions() = named.assumed;
  return with_assumed(next(own), named, arguments);
}

CommandResult diff_pasted(const Arguments& arguments, const std::function<CommandResult(const Arguments&)>& next) {
  if (arguments.paths.size() != 2) {
    return next(arguments);
  }
  const pasted::ComposedSides sides =
      pasted::compose_sides(arguments.paths[0], arguments.paths[1], pasted_question(arguments));
  if (!sides.before.is_pasted) {
    if (auto result = of_reports({sides.before.sources, sides.after.sources}, sides.after.left_out, arguments, next)) {
      return *std::move(result);
    }
    for (const std::string& path : arguments.paths) {
      const pasted::Composed alone = pasted::compose({path}, pasted_question(arguments));
      if (auto refused = alone.is_pasted && has_errors(alone.diagnostics) ? refuse_composed(alone, arguments)
                                                                          : refuse_unread(alone, arguments)) {
        return *refused;
      }
    }
    const auto wrong = misplaced(arguments);
    return wrong ? refuse(*wrong, arguments) : next(arguments);
  }
  for (const pasted::Composed* const side : {&sides.before, &sides.after}) {
    if (auto refused = refuse_composed(*side, arguments)) {
      return *refused;
    }
  }
  assumptions() = sides.after.assumed;
  Arguments own = arguments;
  own.paths = {sides.before.path, sides.after.path};
  own.pasted = {.short_diagnostics = arguments.pasted.short_diagnostics};
  own.rate.reset();
  CommandResult result = next(own);
  name_files(result.output, sides.before.path, {arguments.paths[0]});
  name_files(result.output, sides.after.path, {arguments.paths[1]});
  return with_assumed(std::move(result), sides.after, arguments);
}

// Validates scenarios and documents without one that are named together, as before a commit: each such file by itself.
// Returns nullopt if there are none.
std::optional<CommandResult> validate_each(const Arguments& arguments,
                                           const std::function<CommandResult(const Arguments&)>& next) {
  CommandResult all{"", ExitCode::well};
  std::vector<std::string> others;
  const auto add = [&](const CommandResult& one) {
    all.output += one.output;
    all.code = std::max(all.code, one.code);
  };
  for (const std::string& path : arguments.paths) {
    Arguments own = arguments;
    own.paths = {path};
    if (pasted::compose(own.paths, pasted_question(own)).is_pasted) {
      add(with_pasted_documents(own, next));
    } else {
      others.push_back(path);
    }
  }
  if (others.size() == arguments.paths.size()) {
    return std::nullopt;
  }
  if (!others.empty()) {
    Arguments own = arguments;
    own.paths = others;
    add(next(own));
  }
  return all;
}

}  // namespace

pasted::Question pasted_question(const Arguments& arguments) {
  pasted::Question question{.from = arguments.pasted.from.value_or(""),
                            .to = arguments.pasted.to.value_or(""),
                            .rate = arguments.rate,
                            .rates = arguments.pasted.rates,
                            .capacities = arguments.pasted.capacities,
                            .zones = arguments.pasted.zones};
  question.profile = arguments.pasted.profile.value_or("");
  question.names_release = !arguments.to_mesh;
  question.one_client = arguments.command == &commands::explain && !arguments.client;
  question.counts_requests = arguments.command->measures;
  question.only_checks = arguments.command == &commands::validate;
  question.only_pods = arguments.command == &commands::plan;
  question.plans = arguments.command == &commands::plan && !arguments.pasted.replicas;
  return question;
}

std::optional<CommandResult> refuse_composed(const pasted::Composed& composed, const Arguments& arguments) {
  if (!composed.diagnostics.empty()) {
    say_diagnostics({std::nullopt, composed.diagnostics, composed.sources}, arguments);
  }
  if (has_errors(composed.diagnostics)) {
    return CommandResult{"", ExitCode::bad_input};
  }
  if (!composed.problem.empty()) {
    return refuse({"SP904", reports::printable(composed.problem), reports::printable(composed.help)}, arguments);
  }
  return std::nullopt;
}

std::optional<CommandResult> refuse_unread(const pasted::Composed& composed, const Arguments& arguments) {
  if (composed.is_pasted || composed.sources.empty()) {
    return std::nullopt;
  }
  scenario::Reading unread{std::nullopt, {}, composed.sources};
  if (const auto reported = reports::documents_of_report(unread.sources); reported && reported->text.empty()) {
    unread.diagnostics = reported->problems;
  }
  for (std::uint32_t file = 0; file < composed.sources.size(); ++file) {
    if (composed.sources.size() > 1 && proxy::is_plain_text(composed.sources[file])) {
      continue;  // /stats beside a config_dump
    }
    if (auto foreign = foreign_text(unread.sources, file)) {
      unread.diagnostics.push_back(proxy::foreign_document(*foreign, {file, 1, 1, 1}));
    }
  }
  if (!composed.ignored.empty()) {
    const std::string& name = composed.sources.front().name;
    unread = scenario::read_scenario_file(name == "<stdin>" ? "-" : name);
  }
  if (unread.diagnostics.empty() && arguments.pasted.given()) {
    unread.diagnostics = problems_of_reading(unread.sources);  // the reason why the options do not apply
  }
  if (!has_errors(unread.diagnostics)) {
    return std::nullopt;
  }
  say_diagnostics(unread, arguments);
  return CommandResult{"", ExitCode::bad_input};
}

std::string assumed_text(const pasted::Composed& composed) {
  std::string text;
  for (const std::string& line : composed.assumed) {
    text += "assumed: " + reports::printable(line) + "\n";
  }
  for (const std::string& line : composed.ignored) {
    text += "ignored: " + reports::printable(line) + "\n";
  }
  return text.empty() ? text : "\n" + text;
}

const std::vector<std::string>& assumed_now() {
  return assumptions();
}

void insert_assumed(std::string& json) {
  const std::size_t begin = json.find_first_not_of(" \n");
  if (assumptions().empty() || begin == std::string::npos || json[begin] != '{') {
    return;
  }
  json.insert(begin + 1, "\"assumed\":" + documents::JsonText(assumptions()).text() + ",");
}

CommandResult with_pasted_documents(const Arguments& arguments,
                                    const std::function<CommandResult(const Arguments&)>& next) {
  if (!arguments.command->takes_pasted || asks_of_other_inputs(arguments)) {
    return next(arguments);
  }
  if (arguments.command == &commands::diff && !arguments.to_mesh) {
    return diff_pasted(arguments, next);
  }
  const pasted::Composed composed = pasted::compose(arguments.paths, pasted_question(arguments));
  if (!composed.is_pasted) {
    if (arguments.command == &commands::validate && arguments.paths.size() > 1) {
      if (auto result = validate_each(arguments, next)) {
        return *std::move(result);
      }
    }
    if (auto result = of_reports({composed.sources}, composed.left_out, arguments, next)) {
      return *std::move(result);
    }
    if (auto refused = refuse_unread(composed, arguments)) {
      return *refused;
    }
    const auto wrong = misplaced(arguments);
    return wrong ? refuse(*wrong, arguments) : next(arguments);
  }
  if (auto refused = refuse_composed(composed, arguments)) {
    return *refused;
  }
  if (arguments.command == &commands::import_documents) {
    Arguments own = arguments;
    own.command = &commands::init;
    return commands::init.execute(own);
  }
  assumptions() = composed.assumed;
  Arguments own = arguments;
  own.paths = {composed.path};
  own.pasted = {.short_diagnostics = arguments.pasted.short_diagnostics};
  own.rate.reset();
  const bool shows_shares = arguments.command == &commands::share || arguments.command == &commands::run;
  if (shows_shares && composed.splits && !own.by && reports::is_for_people(arguments.format)) {
    own.by = reports::Dimensions{reports::Dimension::client, reports::Dimension::cluster, reports::Dimension::priority,
                                 reports::Dimension::zone};
  }
  if (arguments.pasted.replicas) {
    return with_assumed(only_replicas(composed, arguments), composed, arguments);
  }
  if (arguments.command == &commands::plan && !own.replications) {
    own.replications = replications_of_plan;
  }
  CommandResult result = next(own);
  if (arguments.command == &commands::plan) {
    add_replicas(result, composed, arguments);
  }
  name_files(result.output, composed.path, arguments.paths);
  return with_assumed(std::move(result), composed, arguments);
}

}  // namespace spillway::cli
