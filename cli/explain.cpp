#include "reports/explain/explain.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/control_plane.hpp"
#include "cli/envoy_input.hpp"
#include "cli/pasted_input.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "models/documents/diagnostic.hpp"
#include "models/envoy/proxy/options.hpp"
#include "reports/explain/formats.hpp"
#include "reports/explain/simulated.hpp"
#include "reports/explain/wording.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::cli {
namespace {

namespace explain = reports::explain;
constexpr std::size_t most_choices = 12;

// Returns the chosen name's position: the wanted one or, if there is no choice, the only one.
std::variant<std::size_t, UsageProblem> choose(const std::vector<std::string>& names,
                                               const std::optional<std::string>& wanted, const std::string& option,
                                               const std::string& what) {
  const std::string all = fmt::format("the {} are {}", what, reports::printable(explain::some_of(names, most_choices)));
  if (!wanted) {
    return names.size() == 1
               ? std::variant<std::size_t, UsageProblem>(std::size_t{0})
               : problem("SP903", fmt::format("`spillway explain` needs {} where there are several", option), all);
  }
  const auto found = std::find(names.begin(), names.end(), *wanted);
  if (found == names.end()) {
    return bad_value(option, *wanted, all, names);
  }
  return static_cast<std::size_t>(found - names.begin());
}

std::optional<UsageProblem> choose_client(const scenario::Scenario& scenario, const Arguments& arguments,
                                          explain::Question& question) {
  std::vector<std::string> names;
  std::vector<std::uint32_t> clients;
  for (std::uint32_t client = 0; client < scenario.clients.size(); ++client) {
    if (!scenario.clients[client].zone_proxy) {
      names.push_back(scenario.clients[client].name);
      clients.push_back(client);
    }
  }
  const auto chosen = choose(names, arguments.client, "--client", "clients");
  if (const auto* wrong = std::get_if<UsageProblem>(&chosen)) {
    return *wrong;
  }
  question.client = {clients[std::get<std::size_t>(chosen)]};
  return std::nullopt;
}

std::optional<UsageProblem> choose_service(const scenario::Scenario& scenario, const Arguments& arguments,
                                           explain::Question& question) {
  const std::vector<config::ServiceIndex> services = explain::asked_services(scenario, question.client);
  std::vector<std::string> names;
  names.reserve(services.size());
  for (const config::ServiceIndex service : services) {
    names.push_back(scenario.services[service.value].name);
  }
  std::optional<std::string> wanted = arguments.service;
  if (!wanted && names.size() > 1 && !assumed_now().empty()) {
    wanted = names.front();
    say(fmt::format("`{}` is explained; --service names another: {}\n", reports::printable(names.front()),
                    reports::printable(explain::some_of(names, most_choices))));
  }
  const auto chosen = choose(names, wanted, "--service", "services that the client asks for");
  if (const auto* wrong = std::get_if<UsageProblem>(&chosen)) {
    return *wrong;
  }
  question.service = services[std::get<std::size_t>(chosen)];
  return std::nullopt;
}

std::optional<UsageProblem> complete(const scenario::Scenario& scenario, const Arguments& arguments,
                                     explain::Question& question) {
  if (auto wrong = choose_client(scenario, arguments, question)) {
    return wrong;
  }
  if (auto wrong = choose_service(scenario, arguments, question)) {
    return wrong;
  }
  if (question.at >= scenario.duration) {
    const double end = std::chrono::duration<double>(scenario.duration).count();
    return problem("SP904", "--at is not within the scenario", fmt::format("it ends at {} s", end));
  }
  const scenario::ClientEntry& client = scenario.clients[question.client.value];
  if (arguments.instance && *arguments.instance >= client.count) {
    return bad_value("--instance", std::to_string(*arguments.instance),
                     fmt::format("`{}` has the proxies 0 to {}", reports::printable(client.name), client.count - 1));
  }
  if (const auto refused = explain::refusal(scenario, question)) {
    if (refused->about == explain::Refusal::About::request) {
      return problem("SP910", refused->message);
    }
    return bad_value("--why", *question.why,
                     "it takes one of " + reports::printable(explain::some_of(refused->choices, most_choices)),
                     refused->choices);
  }
  return std::nullopt;
}

// True if a run is needed: a proxy is selected, or the scenario sends requests and its proxies have detected something
// by themselves at that time.
bool simulates(const Arguments& arguments, const scenario::Scenario& scenario,
               const explain::SimulatedQuestion& proxy) {
  const bool asked = arguments.at && !arguments.at_rest && !arguments.key && arguments.headers.empty() &&
                     !arguments.why && scenario.mode != scenario::Mode::exact;
  return arguments.instance || (asked && explain::finds_out(scenario, proxy));
}

CommandResult explain_command(const Arguments& arguments) {
  const scenario::Reading reading = read_documents(arguments);
  if (!reading.scenario) {
    return {"", ExitCode::bad_input};
  }
  if (refuse_control_plane(reading, arguments)) {
    return {"", ExitCode::bad_input};
  }
  // The headers of a described request have chosen its route, and are in the scenario that was read for it.
  const bool described = envoy_options(arguments).request.has_value();
  explain::Question question{.at = arguments.at.value_or(std::chrono::nanoseconds{0}),
                             .key = arguments.key,
                             .headers = described ? decltype(arguments.headers){} : arguments.headers,
                             .why = arguments.why,
                             .at_rest = arguments.at_rest};
  if (const auto wrong = complete(*reading.scenario, arguments, question)) {
    return refuse(*wrong, arguments);
  }
  const explain::SimulatedQuestion proxy{.client = question.client,
                                         .instance = arguments.instance.value_or(0),
                                         .service = question.service,
                                         .at = question.at};
  if (simulates(arguments, *reading.scenario, proxy)) {
    const explain::SimulatedProxy simulated = explain::simulate_proxy(*reading.scenario, proxy);
    explain::Explanation explanation = explain::explain(simulated.scenario, reading.sources, question);
    explain::add_simulated(*reading.scenario, reading.diagnostics, reading.sources, simulated, proxy, explanation);
    if (!arguments.instance && reading.scenario->clients[proxy.client.value].count > 1) {
      explanation.notes.emplace_back("this is the first of the client's proxies; --instance N asks for another one");
    }
    return {explain::format_explanation(explanation, arguments.format, look_of_output(arguments)), ExitCode::well};
  }
  const explain::Explanation explanation = explain::explain(*reading.scenario, reading.sources, question);
  return {explain::format_explanation(explanation, arguments.format, look_of_output(arguments)), ExitCode::well};
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
      "What one of the client's proxies (numbered from 0, as in events) had detected by then in the simulation", "N");
  add("--key", raw.key, "One request whose hash policy finds this value", "VALUE");
  add("--header", raw.headers, "One request with this header, as the hash policies read it; may repeat", "NAME=VALUE");
  add("--why", raw.why,
      "Also: why does this zone, priority (P1) or endpoint get traffic, or none, and what would\nchange this", "WHAT");
  add_document_options(app, DocumentOptions::without_headers, raw);
  add_asked_cluster(app, raw);
  add_profile(app, raw);
  add_at_rest(app, raw);
  add_pasted_options(app, PastedOptions::usual, raw);
}

}  // namespace

const Command commands::explain{
    .name = "explain",
    .group = "Explain",
    .summary = "Why requests go where they go: rules, loads, hosts, with the arithmetic",
    .usage = "FILE...",
    .path_name = "FILE",
    .path_help = scenario_or_documents,
    .example =
        "  spillway explain failover.yaml --client frontend --service backend --at 25s\n"
        "  spillway explain failover.yaml --at 25s --why zone-3\n  spillway explain bootstrap.yaml --key user-17",
    .add_options = add_explain_options,
    .check = check_any_path,
    .execute = explain_command,
    .formats = reports::explain::explanation_format_names,
    .prints_text = true,
    .takes_pasted = true};

}  // namespace spillway::cli
