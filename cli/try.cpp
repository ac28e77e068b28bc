#include <algorithm>
#include <cmath>
#include <fmt/format.h>
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

// The share of a place, by "zone" or "subset zone".
using SharesByPlace = std::map<std::string, double>;

// By client and situation: 0 with nothing lost, then one zone after the other without ready pods.
using Situations = std::map<std::pair<std::string, std::size_t>, SharesByPlace>;

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

// Writes a timeline: in second n, the pods of the n-th zone are not ready.
std::string timeline_of(const std::vector<Lost>& zones) {
  std::string text = "timeline:\n";
  for (std::size_t zone = 0; zone < zones.size(); ++zone) {
    for (const std::string& service : zones[zone].services) {
      for (const auto& [at, healthy] : {std::pair{zone + 1, 0}, std::pair{zone + 2, 100}}) {
        text += fmt::format("  - {{ at: {}ms, service: {}, zone: {}, healthy: {}% }}\n", 100 * at,
                            pasted::quoted_text(service), pasted::quoted_text(zones[zone].zone), healthy);
      }
    }
  }
  const auto has_services = [](const Lost& zone) { return !zone.services.empty(); };
  return std::any_of(zones.begin(), zones.end(), has_services) ? text : std::string();
}

using EpochKey = std::tuple<config::ClientEntryIndex, config::ServiceIndex, std::uint32_t>;

// Adds up the shares of each epoch by place. Clients with several services get the service's name in front.
std::map<EpochKey, std::map<std::string, run::ExactSum>> sums_of(const scenario::Scenario& scenario,
                                                                 const run::Results& results) {
  std::map<config::ClientEntryIndex, std::set<config::ServiceIndex>> services;
  for (const run::ShareBlock& block : results.shares.blocks()) {
    services[block.client].insert(block.service);
  }
  std::map<EpochKey, std::map<std::string, run::ExactSum>> sums;
  for (const run::ShareBlock& block : results.shares.blocks()) {
    block.for_each([&](const run::ShareCell& cell) {
      const run::Share row = block.row(cell);
      // The cluster of a route to another one: "v1" of "reviews v1".
      const std::string& name = scenario.services[block.service.value].name;
      const bool several = services[block.client].size() > 1;
      const std::string cluster =
          !row.cluster.starts_with(name + " ") || several ? row.cluster : row.cluster.substr(name.size() + 1);
      const std::string part = row.cluster == name ? (several ? name + " " : "") : cluster + " ";
      sums[{block.client, block.service, block.epoch}][part + row.zone].add(row);
    });
  }
  return sums;
}

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
      SharesByPlace& shares = found[{scenario.clients[epoch.client.value].name, situation}];
      if (const auto of_epoch = sums.find({epoch.client, epoch.service, epoch.index}); of_epoch != sums.end()) {
        for (const auto& [place, sum] : of_epoch->second) {
          shares[place] += sum.value().value_or(sum.at_rest()) * rate / rates[epoch.client];
        }
      }
    }
  }
  return found;
}

std::string share_text(const SharesByPlace& shares, const std::string& place) {
  constexpr double hundred = 100.0;
  const auto found = shares.find(place);
  const double percent = found == shares.end() ? 0.0 : hundred * found->second;
  return percent < 1e-9 ? "-" : fmt::format("{:.4g} %", percent);
}

struct Tried {
  std::vector<Lost> zones = {};
  std::vector<std::string> clients = {};
  std::vector<std::string> places = {};
  Situations with = {};
  Situations without = {};
};

std::string situation_text(const Tried& tried, std::size_t situation) {
  return situation == 0 ? "all pods ready" : tried.zones[situation - 1].zone + " without ready pods";
}

// Returns the headline: the largest change.
std::string headline_of(const Tried& tried) {
  double most = 0.0;
  std::string text;
  std::size_t same = 0;
  for (const auto& [key, with] : tried.with) {
    const auto found = tried.without.find(key);
    const SharesByPlace without = found == tried.without.end() ? SharesByPlace{} : found->second;
    bool differs = false;
    for (const std::string& place : tried.places) {
      const auto value = [&](const SharesByPlace& shares) {
        const auto at = shares.find(place);
        return at == shares.end() ? 0.0 : at->second;
      };
      const double moved = std::abs(value(with) - value(without));
      constexpr double rounding = 1e-9;
      differs = differs || moved > rounding;
      if (moved > most + rounding) {
        most = moved;
        text =
            fmt::format("{}: with {}, {} gets {} ({} without the rule)", key.first, situation_text(tried, key.second),
                        place, share_text(with, place), share_text(without, place));
      }
    }
    same += differs ? 0U : 1U;
  }
  return text.empty() ? fmt::format("the rule moves no requests in the {} situations compared", same) : text;
}

reports::Sheet sheet_of(const Tried& tried) {
  reports::Sheet sheet{.subject = "shares", .fields = {{"client"}, {"situation"}, {"rule"}}};
  for (const std::string& place : tried.places) {
    sheet.fields.push_back({place, true});
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
        for (const std::string& place : tried.places) {
          row.push_back(share_text(found->second, place));
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
      for (const auto& [place, share] : shares) {
        of_places.add(place, share);
      }
      rows.push_back({{"client", key.first},
                      {"situation", situation_text(tried, key.second)},
                      {"rule", with},
                      {"shares", of_places}});
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
    return scenario::read_scenario_file(pasted::lay_out_without_rules(composed, timeline_of(lost)));
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
  const pasted::Composed composed = pasted::compose(arguments.paths, pasted_question(arguments));
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
  const auto world = read_side(composed.path, arguments, true);
  if (!world) {
    return {"", ExitCode::bad_input};
  }
  Tried tried{.zones = zones_to_lose(*world)};
  const auto with = read_side(pasted::lay_out_with(composed, timeline_of(tried.zones)), arguments, false);
  const auto without = read_without_rules(composed, tried.zones, arguments);
  if (!with || !without) {
    return {"", ExitCode::bad_input};
  }
  tried.with = shares_of(*with, tried.zones.size() + 1);
  tried.without = shares_of(*without, tried.zones.size() + 1);
  std::set<std::string> places;
  for (const Situations* const all : {&tried.with, &tried.without}) {
    for (const auto& [key, shares] : *all) {
      for (const auto& [place, share] : shares) {
        places.insert(place);
      }
    }
  }
  tried.places.assign(places.begin(), places.end());
  for (const scenario::ClientEntry& client : with->clients) {
    if (!client.zone_proxy) {
      tried.clients.push_back(client.name);
    }
  }
  const reports::Sheet sheet = sheet_of(tried);
  std::string text =
      reports::format({.page =
                           [&](reports::Page& page) {
                             page.headline(headline_of(tried));
                             page.sheet(sheet);
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
