#include "reports/diff/diff_tables.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "models/numeric/stable_sort.hpp"
#include "reports/diff/diff_words.hpp"
#include "reports/diff/table_of_contexts.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports {
namespace {

using diff::Difference;
using diff::Move;
using diff::Part;

constexpr std::size_t most_zone_columns = 8;

const Part* find_part(const std::vector<Part>& parts, const std::string& name) {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.name == name; });
  return found == parts.end() ? nullptr : &*found;
}

// Returns names that any of the parts have, in order of appearance.
template <class PartsOf>
std::vector<std::string> names_in(const Difference& difference, PartsOf parts_of) {
  std::set<std::string> seen;
  std::vector<std::string> names;
  for (const Move& move : difference.moves) {
    for (const Part& part : parts_of(move)) {
      if (seen.insert(part.name).second) {
        names.push_back(part.name);
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool has_no_host(const Move& move) {
  return move.no_host.before != move.no_host.after;
}

bool has_lost(const Move& move) {
  return move.lost.before != move.lost.after;
}

// Returns "zone-1: 40 % -> 67 %" for the zone whose busiest endpoint changes. If there are several, it is the most
// loaded one afterwards, then the least loaded one before.
std::string busiest_text(const Difference& difference, std::size_t context) {
  const auto rank = [](const diff::ZoneLoad& load) {
    return std::pair(load.after.value_or(0.0), -load.before.value_or(0.0));
  };
  const diff::ZoneLoad* busiest = nullptr;
  for (const diff::ZoneLoad& load : difference.zone_loads) {
    if (load.context == context && (busiest == nullptr || rank(load) > rank(*busiest))) {
      busiest = &load;
    }
  }
  return busiest == nullptr
             ? ""
             : fmt::format("{}: {}", busiest->zone, utilisation_change_text(busiest->before, busiest->after));
}

std::size_t services_of_moves(const Difference& difference) {
  std::set<std::string> services;
  for (const Move& move : difference.moves) {
    services.insert(move.service);
  }
  return services.size();
}

// Returns "zone-1 60 % -> 100 % (+40), zone-2 ...", largest change first, if there are too many zones for columns.
std::string parts_text(std::vector<Part> parts) {
  constexpr std::size_t most = 4;
  std::sort(parts.begin(), parts.end(), [](const Part& left, const Part& right) {
    return std::pair(-std::abs(left.change()), left.name) < std::pair(-std::abs(right.change()), right.name);
  });
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(parts.size(), most); ++i) {
    texts.push_back(parts[i].name + " " + share_change_text(parts[i]));
  }
  if (parts.size() > most) {
    texts.push_back(fmt::format("{} more", parts.size() - most));
  }
  return joined(texts, ", ");
}

// Returns a function that formats this part of a move: "60 % -> 100 % (+40)".
auto share_change_of(std::vector<Part> Move::* parts, const std::string& name) {
  return [=](const Move& move) {
    const Part* const part = find_part(move.*parts, name);
    return part != nullptr ? share_change_text(*part) : "";
  };
}

// Builds the table by priority, one column per priority.
DiffTable priorities_table(const Difference& difference) {
  const std::vector<std::string> names = names_in(difference, [](const Move& move) { return move.priorities; });
  Columns<Move> columns;
  columns.text("client", [](const Move& move) { return move.client; });
  columns.text("service", [](const Move& move) { return move.service; }, services_of_moves(difference) > 1);
  if (names.size() > most_zone_columns) {
    columns.text("priorities", [](const Move& move) { return parts_text(move.priorities); });
  } else {
    for (const std::string& name : names) {
      columns.number(name, share_change_of(&Move::priorities, name));
    }
  }
  return table_of_contexts(difference, "by priority", columns, difference.moves,
                           [](const Move& move) { return !move.priorities.empty(); });
}

// Returns "backend-1 and 5 more" for endpoints with equal changes.
std::string and_more(const std::string& first, std::size_t more) {
  return more > 0 ? fmt::format("{} and {} more", first, more) : first;
}

// Builds the table by endpoint, largest change first.
DiffTable endpoints_table(const Difference& difference) {
  TableOfContexts table(difference, "by endpoint");
  table.field("client");
  table.field("endpoint");
  table.field("share", true);
  struct Alike {
    std::size_t context = 0;
    std::string client;
    std::string first;
    std::string text;
    std::size_t more = 0;
    double change = 0.0;
  };
  std::vector<Alike> rows;
  for (const Move& move : difference.moves) {
    std::map<std::string, std::size_t> places;
    for (const Part& part : move.endpoints) {
      const std::string text = share_change_text(part);
      const auto [place, is_new] = places.try_emplace(text, rows.size());
      if (is_new) {
        rows.push_back({move.context, move.client, part.name, text, 0, std::abs(part.change())});
      } else {
        ++rows[place->second].more;
      }
    }
  }
  numeric::stable_sort(rows, [](const Alike& left, const Alike& right) { return left.change > right.change; });
  for (const Alike& row : rows) {
    table.row(row.context, {row.client, and_more(row.first, row.more), row.text});
  }
  return table.finish();
}

DiffTable capacity_table(const Difference& difference) {
  TableOfContexts table(difference, "endpoints over capacity");
  table.field("zone");
  table.field("endpoint");
  table.field("utilisation", true);
  table.field("at most", true);
  table.field("verdict");
  using Alike = std::pair<std::size_t, std::vector<std::string>>;  // context and cells without the endpoint
  std::vector<Alike> order;
  std::map<Alike, std::pair<std::string, std::size_t>> endpoints;  // the first, and how many more
  for (const diff::Overload& overload : difference.overloads) {
    Alike alike{overload.context,
                {overload.zone, utilisation_change_text(overload.before, overload.after), exact_percent(overload.limit),
                 overload.over() ? "exceeds capacity" : "back under capacity"}};
    const auto [place, is_new] = endpoints.try_emplace(alike, overload.endpoint, 0);
    if (is_new) {
      order.push_back(std::move(alike));
    } else {
      ++place->second.second;
    }
  }
  for (const Alike& alike : order) {
    const auto& [first, more] = endpoints[alike];
    std::vector<std::string> cells = alike.second;
    cells.insert(cells.begin() + 1, and_more(first, more));
    table.row(alike.first, std::move(cells));
  }
  return table.finish();
}

// Builds the table of loads that change in contexts without moves.
DiffTable loads_table(const Difference& difference) {
  std::set<std::size_t> reported;
  for (const Move& move : difference.moves) {
    reported.insert(move.context);
  }
  using diff::ZoneLoad;
  Columns<ZoneLoad> columns;
  columns.text("zone", [](const ZoneLoad& load) { return load.zone; });
  columns.text("endpoint", [](const ZoneLoad& load) {
    return load.endpoint_after.empty() ? load.endpoint_before : load.endpoint_after;
  });
  columns.number("utilisation", [](const ZoneLoad& load) { return utilisation_change_text(load.before, load.after); });
  return table_of_contexts(difference, "busiest endpoint of each zone", columns, difference.zone_loads,
                           [&](const ZoneLoad& load) { return !reported.contains(load.context); });
}

DiffTable keys_table(const Difference& difference) {
  using diff::KeyMove;
  Columns<KeyMove> columns;
  columns.text("client", [](const KeyMove& move) { return move.client; });
  columns.text("service", [](const KeyMove& move) { return move.service; });
  columns.number("keys", [](const KeyMove& move) {
    return move.named ? fmt::format("{} of {}", with_thousands(move.moved), with_thousands(move.keys)) : "all hashes";
  });
  columns.number("of the hashed requests", [](const KeyMove& move) { return exact_percent(move.share); });
  columns.text("such as", [](const KeyMove& move) { return joined(move.names, ", "); });
  return table_of_contexts(difference, "keys that move", columns, difference.keys);
}

DiffTable crossings_table(const Difference& difference) {
  const auto any = [&](const Part diff::Crossing::* of) {
    return std::any_of(difference.crossings.begin(), difference.crossings.end(), [&](const diff::Crossing& crossing) {
      return (crossing.*of).before > 0.0 || (crossing.*of).after > 0.0;
    });
  };
  const bool bytes = any(&diff::Crossing::bytes);
  const bool cost = any(&diff::Crossing::cost);
  using diff::Crossing;
  Columns<Crossing> columns;
  columns.text("service", [](const Crossing& crossing) { return crossing.service; });
  columns.number("requests", [](const Crossing& crossing) {
    return exact_percent(crossing.share.before) + " -> " + exact_percent(crossing.share.after);
  });
  columns.number(
      "bytes",
      [](const Crossing& crossing) {
        return bytes_text(crossing.bytes.before) + " -> " + bytes_text(crossing.bytes.after);
      },
      bytes);
  columns.number(
      "cost",
      [](const Crossing& crossing) {
        const Part& of = crossing.cost;
        return fmt::format("{} -> {} ({}{})", money_text(of.before), money_text(of.after),
                           of.change() < 0.0 ? "-" : "+", money_text(std::abs(of.change())));
      },
      cost);
  // If requests of only one client move, crossings add nothing to its moves; showing only some times would mislead.
  const auto moves_say_it = [&](const Crossing& crossing) {
    std::set<std::string> clients;
    for (const Move& move : difference.moves) {
      if (move.context == crossing.context && move.service == crossing.service) {
        clients.insert(move.client);
      }
    }
    return clients.size() == 1;
  };
  const bool reported = std::all_of(difference.crossings.begin(), difference.crossings.end(), moves_say_it);
  return table_of_contexts(difference,
                           bytes || cost ? "between zones, in a month of 730 hours" : "answered by another zone",
                           columns, difference.crossings, [&](const Crossing&) { return bytes || cost || !reported; });
}

DiffTable splits_table(const Difference& difference) {
  using diff::Split;
  Columns<Split> columns;
  columns.text("client", [](const Split& split) { return split.client; });
  columns.text("parts of its requests", [](const Split& split) { return parts_text(split.services); });
  return table_of_contexts(
      difference, "services that clients ask for", columns, difference.splits,
      [&](const Split& split) { return difference.contexts[split.context].kind == diff::Context::Kind::moment; });
}

DiffTable rates_table(const Difference& difference) {
  using diff::RateChange;
  Columns<RateChange> columns;
  columns.text("client", [](const RateChange& change) { return change.rate.name; });
  columns.number("requests", [](const RateChange& change) {
    return rate_text(change.rate.before) + " -> " + rate_text(change.rate.after);
  });
  return table_of_contexts(difference, "requests sent", columns, difference.rates, [&](const RateChange& change) {
    return difference.contexts[change.context].kind == diff::Context::Kind::moment;
  });
}

}  // namespace

DiffTable moves_table(const Difference& difference) {
  const std::vector<std::string> zones = names_in(difference, [](const Move& move) { return move.zones; });
  const auto any = [&](auto of) { return std::any_of(difference.moves.begin(), difference.moves.end(), of); };
  const auto is_within = [](const Move& move) { return move.zone_points <= 0.0 && !move.endpoints.empty(); };
  const auto is_renumbered = [](const Move& move) { return move.zone_points <= 0.0 && move.endpoints.empty(); };
  Columns<Move> columns;
  columns.text("client", [](const Move& move) { return move.client; });
  columns.text("service", [](const Move& move) { return move.service; }, services_of_moves(difference) > 1);
  if (zones.size() > most_zone_columns) {
    columns.text("zones", [](const Move& move) { return parts_text(move.zones); });
  } else {
    for (const std::string& zone : zones) {
      columns.text(zone, share_change_of(&Move::zones, zone));
    }
  }
  columns.text(
      "no host", [](const Move& move) { return has_no_host(move) ? share_change_text(move.no_host) : ""; },
      any(has_no_host));
  columns.text(
      "not answered (lost endpoint)",
      [](const Move& move) { return has_lost(move) ? share_change_text(move.lost) : ""; }, any(has_lost));
  columns.text(
      "shares shift within zones by",
      [&](const Move& move) { return is_within(move) ? natural_percentage(move.points * 100.0) + " points" : ""; },
      any(is_within));
  columns.text(
      "same endpoints at another priority",
      [&](const Move& move) { return is_renumbered(move) ? natural_percentage(move.points * 100.0) + " points" : ""; },
      any(is_renumbered));
  columns.text(
      "busiest endpoint", [&](const Move& move) { return busiest_text(difference, move.context); },
      !difference.zone_loads.empty());
  return table_of_contexts(difference, "moves", columns, difference.moves);
}

std::vector<DiffTable> main_tables(const Difference& difference) {
  std::vector<DiffTable> tables = {simulated_table(difference), capacity_table(difference),  loads_table(difference),
                                   keys_table(difference),      crossings_table(difference), splits_table(difference),
                                   rates_table(difference)};
  std::erase_if(tables, [](const DiffTable& table) { return table.empty(); });
  return tables;
}

std::vector<DiffTable> detail_tables(const Difference& difference) {
  std::vector<DiffTable> tables = {priorities_table(difference), endpoints_table(difference)};
  std::erase_if(tables, [](const DiffTable& table) { return table.empty(); });
  return tables;
}

}  // namespace spillway::reports
