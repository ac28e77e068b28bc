#include "reports/diff/diff_words.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

#include "reports/diff/context_words.hpp"
#include "reports/diff/figure_words.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/diff/places.hpp"

namespace spillway::reports {
namespace {

using diff::Context;
using diff::Difference;
using diff::Move;
using diff::Part;

std::string points_text(double points) {
  const std::string number = natural_percentage(points * 100.0);
  return number + (number == "1" ? " point" : " points");
}

const Part* largest(const std::vector<Part>& parts, double sign) {
  const Part* found = nullptr;
  for (const Part& part : parts) {
    if (part.change() * sign > 0.0 && (found == nullptr || part.change() * sign > found->change() * sign)) {
      found = &part;
    }
  }
  return found;
}

std::size_t count(const std::vector<Part>& parts, double sign) {
  return static_cast<std::size_t>(
      std::count_if(parts.begin(), parts.end(), [&](const Part& part) { return part.change() * sign > 0.0; }));
}

// Returns the zone's name. Documents of Envoy may leave it empty.
std::string zone_text(const std::string& name) {
  return name.empty() ? "the unnamed zone" : name;
}

// Returns "zone-1", or "other zones, most to zone-1" if several zones gain; without the last words if two gain most.
std::string zones_that_gain(const Move& move, const char* several, const char* most) {
  const Part& gains = *largest(move.zones, 1.0);
  if (count(move.zones, 1.0) == 1) {
    return zone_text(gains.name);
  }
  constexpr double rounding = 1e-9;
  const auto as_much = std::count_if(move.zones.begin(), move.zones.end(), [&](const Part& part) {
    return part.change() > gains.change() - part.half_width.value_or(rounding);
  });
  return several + (as_much > 1 ? std::string() : most + zone_text(gains.name));
}

// Returns "come back to zone-1" for requests that now go to another zone.
std::string where_to(const Move& move, bool plural) {
  const auto verb = [&](const char* many, const char* one) { return std::string(plural ? many : one); };
  const Part* const gains = largest(move.zones, 1.0);
  const Part* const loses = largest(move.zones, -1.0);
  if (move.lost.change() > 0.0 && (gains == nullptr || move.lost.change() >= gains->change()) &&
      move.lost.change() >= move.no_host.change()) {
    return verb("go", "goes") + " to lost endpoints, which do not answer";
  }
  if (move.no_host.change() > 0.0 && (gains == nullptr || move.no_host.change() >= gains->change())) {
    return verb("find", "finds") + " no host";
  }
  if (gains == nullptr) {
    return verb("find", "finds") + " no host";
  }
  if (move.lost.change() < 0.0 && (loses == nullptr || move.lost.change() < loses->change())) {
    return verb("leave", "leaves") + " lost endpoints for " + zones_that_gain(move, "several zones", ", most for ");
  }
  if (loses == nullptr || move.no_host.change() < loses->change()) {
    return verb("find", "finds") + " a host again, in " + zones_that_gain(move, "several zones", ", most in ");
  }
  if (gains->name == move.client_zone) {
    return verb("come", "comes") + " back to " + zone_text(gains->name);
  }
  const std::string to = zones_that_gain(move, "other zones", ", most to ");
  if (loses->name == move.client_zone) {
    return fmt::format("{} {} for {}", verb("leave", "leaves"), zone_text(loses->name), to);
  }
  return fmt::format("{} from {} to {}", verb("go", "goes"), zone_text(loses->name), to);
}

// Returns " (25 % is the least that must move)". The gain of some endpoints has to come from others, whatever the hash.
std::string least_text(const diff::KeyMove& move) {
  return move.least > 0.0 ? fmt::format(" ({} is the least that must move)", exact_percent(move.least)) : "";
}

// Describes the keys that move: shares give net gains and losses, keys give the requests that change endpoints.
std::string key_clause(const Difference& difference, const Move& move) {
  const auto found = std::find_if(difference.keys.begin(), difference.keys.end(), [&](const diff::KeyMove& keys) {
    return keys.context == move.context && keys.client == move.client && keys.service == move.service;
  });
  return found == difference.keys.end() ? ""
                                        : fmt::format("; {} of its keys move to another endpoint{}",
                                                      exact_percent(found->share), least_text(*found));
}

// Returns the points between zones, or between endpoints of a zone if none leaves it.
double points_of(const Move& move) {
  return move.zone_points > 0.0 ? move.zone_points : move.points;
}

// Returns the subset or cluster of several that gains most, named "cart v2 P0"; nullptr if there is one, or if the
// priorities of one change.
const Part* largest_subset(const Move& move) {
  const bool named = std::all_of(move.priorities.begin(), move.priorities.end(),
                                 [](const Part& part) { return part.name.ends_with(" P0"); });
  return named ? largest(move.priorities, 1.0) : nullptr;
}

std::string move_sentence(const Difference& difference, const Move& move) {
  std::set<std::string> services;
  for (const Move& other : difference.moves) {
    if (other.client == move.client) {
      services.insert(other.service);
    }
  }
  const std::string amount = points_text(points_of(move));
  const bool plural = amount != "1 point";
  const std::string whose =
      fmt::format("{} of {}'s traffic{}", amount, move.client, services.size() > 1 ? " to " + move.service : "");
  const auto moments = std::count_if(difference.contexts.begin(), difference.contexts.end(),
                                     [](const Context& context) { return context.kind == Context::Kind::moment; });
  const std::string when = circumstance(difference.contexts[move.context], moments == 1);
  const std::string keys = key_clause(difference, move);
  if (move.zone_points > 0.0) {
    return fmt::format("{} {}{}{}", whose, where_to(move, plural), when, keys);
  }
  if (const Part* const gains = largest_subset(move); gains != nullptr) {
    return fmt::format("{} gets {} of {}'s requests{} instead of {}{}{}",
                       gains->name.substr(0, gains->name.rfind(" P0")), exact_percent(gains->after), move.client,
                       services.size() > 1 ? " to " + move.service : "", exact_percent(gains->before), when, keys);
  }
  if (!move.endpoints.empty()) {
    return fmt::format("{} {} between endpoints of the same zones{}{}", whose, plural ? "shift" : "shifts", when, keys);
  }
  return fmt::format("{} {} to the same endpoints at another priority{}", whose, plural ? "go" : "goes", when);
}

// Counts each endpoint once, whatever the number of contexts.
std::size_t endpoints_that(const Difference& difference, bool over) {
  std::set<std::string> names;
  for (const diff::Overload& overload : difference.overloads) {
    if (overload.over() == over) {
      names.insert(overload.endpoint);
    }
  }
  return names.size();
}

std::string capacity_clause(const Difference& difference) {
  const auto text = [](std::size_t number, const char* one, const char* many) {
    return number == 1 ? fmt::format("1 endpoint {}", one)
                       : fmt::format("{} endpoints {}", with_thousands(number), many);
  };
  std::vector<std::string> parts;
  if (const std::size_t over = endpoints_that(difference, true); over > 0) {
    parts.push_back(text(over, "exceeds capacity", "exceed capacity"));
  }
  if (const std::size_t under = endpoints_that(difference, false); under > 0) {
    parts.push_back(text(under, "is back under capacity", "are back under capacity"));
  }
  return joined(parts, ", ");
}

// Describes the change of traffic between zones: its cost, otherwise its bytes, otherwise the requests of the service
// with the largest change.
std::string crossing_change(const Difference& difference) {
  using diff::Crossing;
  const auto changes = [&](const Part Crossing::* of) {
    return std::any_of(difference.crossings.begin(), difference.crossings.end(),
                       [&](const Crossing& crossing) { return (crossing.*of).change() != 0.0; });
  };
  if (changes(&Crossing::cost)) {
    return "the cost of traffic between zones changes";
  }
  if (changes(&Crossing::bytes)) {
    return "the bytes between zones change";
  }
  const Crossing& most = *std::max_element(
      difference.crossings.begin(), difference.crossings.end(),
      [](const auto& one, const auto& other) { return std::abs(one.share.change()) < std::abs(other.share.change()); });
  return fmt::format("another zone answers {} {} of {}'s requests{}", points_text(std::abs(most.share.change())),
                     most.share.change() > 0.0 ? "more" : "less", most.service,
                     circumstance(difference.contexts[most.context], true));
}

// Returns nullptr if each client requests the same services as before.
const diff::Split* largest_split(const Difference& difference) {
  const auto found = std::max_element(difference.splits.begin(), difference.splits.end(),
                                      [](const auto& one, const auto& other) { return one.points() < other.points(); });
  return found == difference.splits.end() ? nullptr : &*found;
}

// Returns "40 points of web's requests go from be to c1"; empty if each client requests the same services as before.
std::string split_clause(const Difference& difference) {
  const diff::Split* const largest_of_all = largest_split(difference);
  if (largest_of_all == nullptr) {
    return "";
  }
  const diff::Split& split = *largest_of_all;
  const Part* const gains = largest(split.services, 1.0);
  const Part* const loses = largest(split.services, -1.0);
  const std::string amount = points_text(split.points());
  return fmt::format("{} of {}'s requests {}{}{}", amount, split.client, amount == "1 point" ? "goes" : "go",
                     loses != nullptr ? " from " + loses->name : "", gains != nullptr ? " to " + gains->name : "");
}

// Returns "4 of 6", "never".
std::string onset_number(const std::optional<std::uint32_t>& lost, std::uint32_t endpoints) {
  return lost ? fmt::format("{} of {}", *lost, endpoints) : "never";
}

// Describes the first changed onset of spill, or of panic; empty if there is none.
std::string onset_clause(const Difference& difference) {
  if (difference.onsets.empty()) {
    return "";
  }
  const auto spill = std::find_if(difference.onsets.begin(), difference.onsets.end(),
                                  [](const diff::OnsetChange& onset) { return onset.spill_changes(); });
  return onset_sentence(spill == difference.onsets.end() ? difference.onsets.front() : *spill);
}

// Describes the first other change if no traffic moves.
std::string other_change(const Difference& difference) {
  const auto is_client = [](const diff::Presence& presence) {
    return presence.kind == "client" || presence.kind == "request";
  };
  if (std::any_of(difference.presences.begin(), difference.presences.end(), is_client)) {
    return "clients or the services that they call change";
  }
  if (!difference.overloads.empty()) {
    return capacity_clause(difference);
  }
  if (!difference.keys.empty()) {
    const diff::KeyMove& move = difference.keys.front();
    return fmt::format("{} of {}'s keys move to another endpoint", exact_percent(move.share), move.client);
  }
  if (!difference.rates.empty()) {
    const Part& rate = difference.rates.front().rate;
    return fmt::format("{} sends {} the requests", rate.name,
                       rate.before > 0.0 ? exact_percent(rate.after / rate.before) + " of" : "more of");
  }
  if (!difference.zone_loads.empty()) {
    return "loads of endpoints change";
  }
  if (!difference.crossings.empty()) {
    return crossing_change(difference);
  }
  if (!difference.lints.empty()) {
    return std::string("a warning is ") + (difference.lints.front().gained ? "new" : "resolved");
  }
  const diff::Presence& presence = difference.presences.front();
  return fmt::format("{} {} is {}", presence.kind, presence.name, presence.added ? "new" : "removed");
}

// Returns " in the 7 situations compared"; empty if nothing was compared.
std::string in_situations(const Difference& difference) {
  const std::size_t situations = difference.contexts.size();
  return situations == 0   ? ""
         : situations == 1 ? " in the situation compared"
                           : fmt::format(" in the {} situations compared", situations);
}

// Returns "no traffic moves in the 7 situations compared". Where shares are counted, says how small a move would have
// been found: "no move of traffic above 2 points found in ...".
std::string no_traffic_moves(const Difference& difference) {
  const diff::NoDifference& none = difference.no_moves;
  const std::string what =
      none.compared == 0   ? "no traffic moves"
      : none.within >= 1.0 ? "no move of traffic found, among few requests,"
                           : fmt::format("no move of traffic above {} points found", three_digits(100.0 * none.within));
  return what + in_situations(difference);
}

// Returns the sentence for no difference. For equal files, states only that they are equal.
std::string unchanged_sentence(const Difference& difference) {
  const std::string compared = in_situations(difference);
  const bool same_files =
      difference.not_compared.empty() && std::all_of(difference.edits.begin(), difference.edits.end(), diff::is_words);
  if (difference.simulated.replications > 0) {
    const std::string latency = difference.simulated.instant             ? " of requests that take no time"
                                : compares_latency(difference.simulated) ? ", of latency up to p99"
                                                                         : "";
    return compared.empty() ? fmt::format("no difference found in {} replications of each{}",
                                          difference.simulated.replications, latency)
                            : fmt::format("{}, and {} replications of each show no difference{}",
                                          no_traffic_moves(difference), difference.simulated.replications, latency);
  }
  if (same_files) {
    return "nothing changes" + compared;
  }
  return compared.empty() ? "nothing changes of what was compared" : no_traffic_moves(difference);
}

}  // namespace

std::string verdict_sentence(const Difference& difference) {
  if (!difference.changed()) {
    return unchanged_sentence(difference);
  }
  std::vector<std::string> clauses;
  if (!difference.moves.empty()) {
    clauses.push_back(move_sentence(difference, difference.moves.front()));
  }
  if (std::string clause = split_clause(difference); !clause.empty()) {
    // The larger change comes first.
    const bool first =
        !difference.moves.empty() && largest_split(difference)->points() > points_of(difference.moves.front());
    clauses.insert(first ? clauses.begin() : clauses.end(), std::move(clause));
  }
  if (std::string clause = simulated_clause(difference); !clause.empty()) {
    clauses.push_back(std::move(clause));
  }
  if (std::string clause = onset_clause(difference); !clause.empty()) {
    clauses.push_back(std::move(clause));
  }
  if (clauses.empty()) {
    return fmt::format("{}, but {}", no_traffic_moves(difference), other_change(difference));
  }
  if (std::string clause = capacity_clause(difference); !clause.empty()) {
    clauses.push_back(std::move(clause));
  }
  return joined(clauses, "; ");
}

std::string onset_sentence(const diff::OnsetChange& onset) {
  const bool spill = onset.spill_changes();
  const auto& before = spill ? onset.leaves_before : onset.panic_before;
  const auto& after = spill ? onset.leaves_after : onset.panic_after;
  const std::string whose =
      fmt::format("traffic of {} to {} {}", zone_text(onset.zone), onset.service, spill ? "leaves the zone" : "panics");
  const auto lost = [](const std::optional<std::uint32_t>& number, std::uint32_t endpoints) {
    return fmt::format("{} endpoints {} lost", onset_number(number, endpoints), number == 1U ? "is" : "are");
  };
  if (!after) {
    return fmt::format("{} never, instead of when {}", whose, lost(before, onset.endpoints_before));
  }
  return fmt::format("{} when {}, instead of {}", whose, lost(after, onset.endpoints_after),
                     onset_number(before, onset.endpoints_before));
}

std::string share_change_text(const Part& part) {
  const std::string points = natural_percentage(std::abs(part.change()) * 100.0);
  const std::string interval = part.half_width ? " +- " + three_digits(*part.half_width * 100.0) : "";
  return fmt::format("{} -> {} ({}{}{})", exact_percent(part.before), exact_percent(part.after),
                     part.change() < 0.0 ? "-" : "+", points, interval);
}

std::string utilisation_change_text(const std::optional<double>& before, const std::optional<double>& after) {
  const auto text = [](const std::optional<double>& utilisation) {
    return utilisation ? exact_percent(*utilisation) : std::string("none");
  };
  return text(before) + " -> " + text(after);
}

std::string file_name(const std::string& path) {
  return path == "-" ? "<stdin>" : path.substr(path.find_last_of('/') + 1);
}

}  // namespace spillway::reports
