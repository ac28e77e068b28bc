#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cli/argument_values.hpp"
#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/pasted_input.hpp"
#include "cli/shared_options.hpp"
#include "cli/terminal.hpp"
#include "models/documents/json_writer.hpp"
#include "models/documents/problem.hpp"
#include "reports/document/document.hpp"
#include "reports/text/json_text.hpp"
#include "sim/run/exact/exact_sum.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/endpoint.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::cli {
namespace {

namespace pasted = scenario::pasted;

// The part of the requests that a route gives to a cluster ("v1"; empty if it has only one), and a zone.
using Place = std::pair<std::string, std::string>;

struct Shares {
  std::map<Place, double> places = {};
  double no_pod = 0.0;  // requests that reach none: there is none to pick, or a fault ends them

  [[nodiscard]] std::map<std::string, double> by(std::string Place::* name) const {
    std::map<std::string, double> sums;
    for (const auto& [place, share] : places) {
      sums[place.*name] += share;
    }
    return sums;
  }
};

// By client and situation: 0 with nothing lost, then one zone after the other without ready pods.
using Situations = std::map<std::pair<std::string, std::size_t>, Shares>;

struct Lost {
  std::string zone = {};
  std::vector<std::string> services = {};

  friend bool operator==(const Lost&, const Lost&) = default;
};

// Returns the zones that have endpoints, with the services that run there.
std::vector<Lost> zones_to_lose(const scenario::Scenario& scenario) {
  std::map<std::string, std::set<std::string>> services;
  for (const scenario::Service& service : scenario.services) {
    for (const scenario::Host& host : service.hosts) {
      const bool calls = scenario.local_cluster && &service == &scenario.services[scenario.local_cluster->value];
      if (!service.as_view && !host.forwards_to && !calls) {
        const auto node = scenario.endpoints[host.endpoint.value].node;
        services[scenario.zones[scenario.nodes[node.value].zone.value].name].insert(service.name);
      }
    }
  }
  std::vector<Lost> lost;
  for (const scenario::Zone& zone : scenario.zones) {
    if (const auto found = services.find(zone.name); found != services.end()) {
      lost.push_back({zone.name, {found->second.begin(), found->second.end()}});
    }
  }
  return lost;
}

// Returns the zones of another scenario, which may have other services, in the order of these.
std::vector<Lost> in_order_of(const std::vector<Lost>& zones, const std::vector<Lost>& others) {
  std::vector<Lost> same;
  for (const Lost& zone : zones) {
    const auto found =
        std::find_if(others.begin(), others.end(), [&](const Lost& one) { return one.zone == zone.zone; });
    same.push_back(found == others.end() ? Lost{zone.zone} : *found);
  }
  return same;
}

// Writes a timeline: in the n-th tenth of a second, the pods of the n-th zone are not ready. Kuma removes these from
// load assignments, istiod decides by its settings.
std::string timeline_of(const std::vector<Lost>& zones, bool is_kuma) {
  const std::string_view lost = is_kuma ? "remove: 100%" : "healthy: 0%";
  const std::string_view back = is_kuma ? "add: 100%" : "healthy: 100%";
  std::string text = "timeline:\n";
  for (std::size_t zone = 0; zone < zones.size(); ++zone) {
    for (const std::string& service : zones[zone].services) {
      for (const auto& [at, event] : {std::pair{zone + 1, lost}, std::pair{zone + 2, back}}) {
        text += fmt::format("  - {{ at: {}ms, service: {}, zone: {}, {} }}\n", 100 * at, pasted::quoted_text(service),
                            pasted::quoted_text(zones[zone].zone), event);
      }
    }
  }
  const auto has_services = [](const Lost& zone) { return !zone.services.empty(); };
  return std::any_of(zones.begin(), zones.end(), has_services) ? text : std::string();
}

using EpochKey = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>;

// Adds up the shares of each epoch by place. Clients with several services get the service's name in front.
std::map<EpochKey, std::map<Place, run::ExactSum>> sums_of(const scenario::Scenario& scenario,
                                                           const run::Results& results) {
  std::map<config::ClientEntryIndex, std::set<config::ServiceIndex>> services;
  for (const run::ShareBlock& block : results.shares.blocks()) {
    services[block.client].insert(block.service);
  }
  std::map<EpochKey, std::map<Place, run::ExactSum>> sums;
  for (const run::ShareBlock& block : results.shares.blocks()) {
    block.for_each([&](const run::ShareCell& cell) {
      const run::Share row = block.row(cell);
      // The cluster of a route to another one: "v1" of "reviews v1".
      const std::string& name = scenario.services[block.service.value].name;
      const bool several = services[block.client].size() > 1;
      const std::string cluster =
          !row.cluster.starts_with(name + " ") || several ? row.cluster : row.cluster.substr(name.size() + 1);
      const std::string part = row.cluster == name ? (several ? name : "") : cluster;
      sums[{block.client, block.service, block.epoch}][{part, row.zone}].add(row);
    });
  }
  return sums;
}

constexpr double rounding = 1e-9;

Situations shares_of(const scenario::Scenario& scenario, std::size_t situations) {
  const run::Results results = run::run(scenario, {scenario::Mode::exact, std::nullopt, {}});
  const auto sums = sums_of(scenario, results);
  Situations found;
  for (std::size_t situation = 0; situation < situations; ++situation) {
    const auto moment = std::chrono::milliseconds(100 * situation);
    const auto rate_of = [&](const run::Epoch& epoch) {
      return moment < epoch.start || moment >= epoch.end
                 ? 0.0
                 : epoch.expected_requests / std::chrono::duration<double>(epoch.end - epoch.start).count();
    };
    std::map<config::ClientEntryIndex, double> rates;  // of a client to all its services
    for (const run::Epoch& epoch : results.epochs) {
      rates[epoch.client] += rate_of(epoch);
    }
    for (const run::Epoch& epoch : results.epochs) {
      const double rate = rate_of(epoch);
      if (rate <= 0.0) {
        continue;
      }
      Shares& shares = found[{scenario.clients[epoch.client.value].name, situation}];
      double rest = 1.0;
      if (const auto of_epoch = sums.find({epoch.client, epoch.service, epoch.index}); of_epoch != sums.end()) {
        for (const auto& [place, sum] : of_epoch->second) {
          const double share = sum.value().value_or(sum.at_rest());
          rest = sum.value() ? rest - share : 0.0;  // of shares that are not known, neither is the rest
          shares.places[place] += share * rate / rates[epoch.client];
        }
      }
      shares.no_pod += rest > rounding ? rest * rate / rates[epoch.client] : 0.0;
    }
  }
  return found;
}

std::string share_text(double share) {
  constexpr double hundred = 100.0;
  return share < rounding ? "-" : fmt::format("{:.4g} %", hundred * share);
}

struct Tried {
  std::vector<Lost> zones = {};
  std::vector<std::string> clients = {};
  Situations with = {};
  Situations without = {};

  // Names of parts or of zones that get requests.
  [[nodiscard]] std::set<std::string> names_of(std::string Place::* name) const {
    std::set<std::string> names;
    for (const Situations* const all : {&with, &without}) {
      for (const auto& [key, shares] : *all) {
        for (const auto& [place, share] : shares.places) {
          names.insert(place.*name);
        }
      }
    }
    return names;
  }
};

std::string situation_text(const Tried& tried, std::size_t situation) {
  return situation == 0 ? "all pods ready" : tried.zones[situation - 1].zone + " without ready pods";
}

// A change of a situation by the rule, to compare and to say.
struct Change {
  double moved = 0.0;
  std::string text = {};

  void take(double with, double without, const std::function<std::string()>& say) {
    if (std::abs(with - without) > moved + rounding) {
      moved = std::abs(with - without);
      text = say();
    }
  }
};

// Returns the headline: the largest change of requests that reach no pod; if there is none, of a zone's share; if there
// is none, of a part's.
std::string headline_of(const Tried& tried) {
  Change lost;
  Change of_zone;
  Change of_part;
  for (const auto& [key, with] : tried.with) {
    const auto found = tried.without.find(key);
    const Shares without = found == tried.without.end() ? Shares{} : found->second;
    const auto or_nothing = [](double share) { return share < rounding ? "0 %" : share_text(share); };
    lost.take(with.no_pod, without.no_pod, [&] {
      const std::string begin = fmt::format("{}: with {}, ", key.first, situation_text(tried, key.second));
      return begin + fmt::format("{} of the requests reach no pod ({} without the rule)", or_nothing(with.no_pod),
                                 or_nothing(without.no_pod));
    });
    for (const auto& [name, change] : {std::pair{&Place::second, &of_zone}, std::pair{&Place::first, &of_part}}) {
      const auto after = with.by(name);
      const auto before = without.by(name);
      for (const std::string& one : tried.names_of(name)) {
        if (one.empty()) {
          continue;  // what is not divided has no name
        }
        const auto value = [&](const std::map<std::string, double>& shares) {
          const auto at = shares.find(one);
          return at == shares.end() ? 0.0 : at->second;
        };
        change->take(value(after), value(before), [&] {
          return fmt::format("{}: with {}, {} gets {} ({} without the rule)", key.first,
                             situation_text(tried, key.second), one, or_nothing(value(after)),
                             or_nothing(value(before)));
        });
      }
    }
  }
  for (const Change* const change : {&lost, &of_zone, &of_part}) {
    if (!change->text.empty()) {
      return change->text;
    }
  }
  return fmt::format(
      "the rule moves no requests in the {} situations compared (of limits and retries `spillway run` tells more)",
      tried.with.size());
}

// Returns a table by zone or by part, with the requests that reach no pod if there are any.
reports::Sheet sheet_of(const Tried& tried, std::string Place::* name) {
  reports::Sheet sheet{.subject = "shares", .fields = {{"client"}, {"situation"}, {"rule"}}};
  const std::set<std::string> names = tried.names_of(name);
  for (const std::string& one : names) {
    sheet.fields.push_back({one.empty() ? "undivided" : one, true});
  }
  const auto loses = [](const auto& one) { return one.second.no_pod > rounding; };
  const bool lost = std::any_of(tried.with.begin(), tried.with.end(), loses) ||
                    std::any_of(tried.without.begin(), tried.without.end(), loses);
  if (lost) {
    sheet.fields.push_back({"no pod", true});
  }
  sheet.is_grouped = true;
  for (const std::string& client : tried.clients) {
    for (std::size_t situation = 0; situation <= tried.zones.size(); ++situation) {
      for (const bool with : {false, true}) {
        const Situations& all = with ? tried.with : tried.without;
        const auto found = all.find({client, situation});
        if (found == all.end()) {
          continue;
        }
        reports::SheetRow row{client, situation_text(tried, situation), with ? "with" : "without"};
        auto shares = found->second.by(name);
        for (const std::string& one : names) {
          row.push_back(share_text(shares[one]));
        }
        if (lost) {
          row.push_back(share_text(found->second.no_pod));
        }
        sheet.rows.push_back(std::move(row));
      }
    }
  }
  return sheet;
}

std::string json_of(const Tried& tried, const std::vector<std::string>& assumed) {
  documents::JsonText rows = documents::JsonText::array();
  for (const bool with : {false, true}) {
    for (const auto& [key, shares] : with ? tried.with : tried.without) {
      documents::JsonText of_places = documents::JsonText::object();
      for (const auto& [place, share] : shares.places) {
        of_places.add(place.first.empty() ? place.second : place.first + " " + place.second, share);
      }
      documents::JsonText of_zones = documents::JsonText::object();
      for (const auto& [zone, share] : shares.by(&Place::second)) {
        of_zones.add(zone, share);
      }
      rows.push_back({{"client", key.first},
                      {"situation", situation_text(tried, key.second)},
                      {"rule", with},
                      {"shares", of_places},
                      {"zones", of_zones},
                      {"no_pod", shares.no_pod}});
    }
  }
  const documents::JsonText document{
      {"schema_version", 1}, {"headline", headline_of(tried)}, {"rows", rows}, {"assumed", assumed}};
  return reports::json_lines(document.text());
}

std::optional<scenario::Scenario> read_side(const std::string& path, const Arguments& arguments, bool warnings) {
  scenario::Reading reading = scenario::read_scenario_file(path);
  say_diagnostics(reading, arguments, warnings);
  return std::move(reading.scenario);
}

// Reads the world without rules, in which zones are lost in the same order. Only if it has other services, which is
// rare, it is read three times.
std::optional<scenario::Scenario> read_without_rules(const pasted::Composed& composed, const std::vector<Lost>& zones,
                                                     const Arguments& arguments) {
  const auto read = [&](const std::vector<Lost>& lost) {
    return scenario::read_scenario_file(pasted::lay_out_without_rules(composed, timeline_of(lost, composed.is_kuma)));
  };
  scenario::Reading same = read(zones);
  if (same.scenario && in_order_of(zones, zones_to_lose(*same.scenario)) == zones) {
    return std::move(same.scenario);
  }
  scenario::Reading other = read({});
  if (other.scenario) {
    other = read(in_order_of(zones, zones_to_lose(*other.scenario)));
  }
  say_diagnostics(other, arguments, false);
  return std::move(other.scenario);
}

CommandResult try_command(const Arguments& arguments) {
  pasted::Composed composed = pasted::compose(arguments.paths, pasted_question(arguments));
  if (!composed.is_pasted) {
    if (auto refused = refuse_unread(composed, arguments)) {
      return *refused;
    }
    const scenario::Reading other = scenario::read_scenario_file(arguments.paths.front());
    if (has_errors(other.diagnostics) && other.diagnostics.front().code == "SP149") {
      say_diagnostics(other, arguments);
      return {"", ExitCode::bad_input};
    }
    return refuse({"SP149", "these files are not documents of Kubernetes, Istio or Kuma",
                   "give a DestinationRule, a VirtualService or a policy of Kuma; `spillway diff` compares scenarios "
                   "and reports of proxies"},
                  arguments);
  }
  if (auto refused = refuse_composed(composed, arguments)) {
    return *refused;
  }
  const bool checked = std::any_of(composed.sources.begin(), composed.sources.end(), [](const SourceFile& source) {
    return source.text.find("MeshHealthCheck") != std::string::npos;
  });
  if (checked) {
    // Envoy keeps a removed host that passes its checks, unless ignore_health_on_host_removal is set: Kuma does not.
    composed.assumed.emplace_back(
        "pods that are no longer ready stay until their health checks fail: these are the shares before that");
  }
  const bool only_gateways = !pasted::has_rules(composed) && !composed.gateway_clients.empty();
  if (!composed.gateway_clients.empty()) {
    composed.assumed.emplace_back(only_gateways
                                      ? "without its routes, a gateway answers its requests with 404"
                                      : "routes of gateways stay on both sides: without them they answer 404");
  }
  if (!only_gateways && !pasted::has_rules(composed)) {
    return refuse(
        {"SP904", "no rule of these documents is simulated",
         !composed.without_rules.empty() ? "routes of gateways stay on both sides; a BackendTrafficPolicy is tried"
         : composed.ignored.empty()      ? "give a DestinationRule, a VirtualService, a route or a policy"
                                         : composed.ignored.back()},
        arguments);
  }
  const auto world = read_side(composed.path, arguments, true);
  if (!world) {
    return {"", ExitCode::bad_input};
  }
  Tried tried{.zones = zones_to_lose(*world)};
  const auto with =
      read_side(pasted::lay_out_with(composed, timeline_of(tried.zones, composed.is_kuma)), arguments, false);
  const auto without = only_gateways ? with : read_without_rules(composed, tried.zones, arguments);
  if (!with || !without) {
    return {"", ExitCode::bad_input};
  }
  tried.with = shares_of(*with, tried.zones.size() + 1);
  tried.without = only_gateways ? tried.with : shares_of(*without, tried.zones.size() + 1);
  for (auto& [key, shares] : tried.without) {
    if (only_gateways && composed.gateway_clients.contains(key.first)) {
      shares = {.places = {}, .no_pod = 1.0};
    }
  }
  for (const scenario::ClientEntry& client : with->clients) {
    if (!client.zone_proxy) {
      tried.clients.push_back(client.name);
    }
  }
  const reports::Sheet sheet = sheet_of(tried, &Place::second);
  const bool in_parts = tried.names_of(&Place::first).size() > 1;
  std::string text =
      reports::format({.page =
                           [&](reports::Page& page) {
                             page.headline(headline_of(tried));
                             page.sheet(sheet);
                             if (in_parts) {
                               page.sheet(sheet_of(tried, &Place::first));
                             }
                           },
                       .records = [&] { return sheet; },
                       .json = [&](const reports::Sink& sink) { sink(json_of(tried, composed.assumed)); }},
                      arguments.format, look_of_output(arguments));
  if (arguments.format != reports::Format::json) {
    text += assumed_text(composed);
  }
  return {std::move(text), ExitCode::well};
}

void add_try_options(CLI::App& app, RawArguments& raw) {
  add_pasted_options(app, PastedOptions::usual, raw);
  add_profile(app, raw);
  add_formats(app, {"table", "markdown", "json"}, raw);
  add_width(app, raw);
}

}  // namespace

const Command commands::try_rule{
    .name = "try",
    .group = "Explain",
    .summary = "What a rule does, against the same world without it",
    .usage = "RULE...",
    .path_name = "RULE",
    .path_help = "A DestinationRule, a VirtualService, a policy of Kuma, or a part of one; - reads standard input",
    .example = "  spillway try rule.yaml\n  spillway try rule.yaml --zones a:4,b:2",
    .add_options = add_try_options,
    .check = check_any_path,
    .execute = try_command,
    .takes_pasted = true};

}  // namespace spillway::cli
