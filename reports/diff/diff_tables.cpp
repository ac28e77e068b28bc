#include "reports/diff/diff_tables.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "models/numeric/stable_sort.hpp"
#include "reports/diff/diff_words.hpp"
#include "reports/diff/table_of_contexts.hpp"
#include "reports/plan/plan_words.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"

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

// Names that any of the parts have, in the order in which they come.
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

// "zone-1: 40 % -> 67 %": of the zones whose busiest endpoint changes, the one that is loaded most then.
std::string busiest_text(const Difference& difference, std::size_t context) {
  const diff::ZoneLoad* busiest = nullptr;
  for (const diff::ZoneLoad& load : difference.zone_loads) {
    if (load.context == context && (busiest == nullptr || load.after.value_or(0.0) > busiest->after.value_or(0.0))) {
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

// "zone-1 60 % -> 100 % (+40), zone-2 ...": the largest first, where there are too many zones for columns.
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

// By priority: as many columns as there are priorities.
DiffTable priorities_table(const Difference& difference) {
  const std::vector<std::string> names = names_in(difference, [](const Move& move) { return move.priorities; });
  TableOfContexts table(difference, "by priority");
  table.field("client");
  const bool services = services_of_moves(difference) > 1;
  if (services) {
    table.field("service");
  }
  const bool columns = names.size() <= most_zone_columns;
  for (const std::string& name : columns ? names : std::vector<std::string>{"priorities"}) {
    table.field(name, columns);
  }
  for (const Move& move : difference.moves) {
    if (move.priorities.empty()) {
      continue;
    }
    std::vector<std::string> cells = {move.client};
    if (services) {
      cells.push_back(move.service);
    }
    for (const std::string& name : columns ? names : std::vector<std::string>{}) {
      const Part* const part = find_part(move.priorities, name);
      cells.push_back(part != nullptr ? share_change_text(*part) : "");
    }
    if (!columns) {
      cells.push_back(parts_text(move.priorities));
    }
    table.row(move.context, std::move(cells));
  }
  return table.finish();
}

// "backend-1 and 5 more" for those that change alike.
std::string and_more(const std::string& first, std::size_t more) {
  return more > 0 ? fmt::format("{} and {} more", first, more) : first;
}

// Largest first.
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
                 overload.over() ? "comes over it" : "no longer over it"}};
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

// Where nothing moves, what is loaded otherwise all the same.
DiffTable loads_table(const Difference& difference) {
  std::set<std::size_t> told;
  for (const Move& move : difference.moves) {
    told.insert(move.context);
  }
  TableOfContexts table(difference, "busiest endpoint of each zone");
  table.field("zone");
  table.field("endpoint");
  table.field("utilisation", true);
  for (const diff::ZoneLoad& load : difference.zone_loads) {
    if (!told.contains(load.context)) {
      table.row(load.context, {load.zone, load.endpoint_after.empty() ? load.endpoint_before : load.endpoint_after,
                               utilisation_change_text(load.before, load.after)});
    }
  }
  return table.finish();
}

DiffTable keys_table(const Difference& difference) {
  TableOfContexts table(difference, "keys that move");
  table.field("client");
  table.field("service");
  table.field("keys", true);
  table.field("of the hashed requests", true);
  table.field("such as");
  for (const diff::KeyMove& move : difference.keys) {
    table.row(move.context, {move.client, move.service,
                             move.named ? fmt::format("{} of {}", with_thousands(move.moved), with_thousands(move.keys))
                                        : "all hashes",
                             exact_percent(move.share), joined(move.names, ", ")});
  }
  return table.finish();
}

DiffTable crossings_table(const Difference& difference) {
  const auto any = [&](const Part diff::Crossing::* of) {
    return std::any_of(difference.crossings.begin(), difference.crossings.end(), [&](const diff::Crossing& crossing) {
      return (crossing.*of).before > 0.0 || (crossing.*of).after > 0.0;
    });
  };
  const bool bytes = any(&diff::Crossing::bytes);
  const bool cost = any(&diff::Crossing::cost);
  TableOfContexts table(difference, "between zones, in a month of 730 hours");
  table.field("service");
  table.field("requests", true);
  if (bytes) {
    table.field("bytes", true);
  }
  if (cost) {
    table.field("cost", true);
  }
  // Shares alone say no more than the moves do.
  for (const diff::Crossing& crossing : bytes || cost ? difference.crossings : std::vector<diff::Crossing>{}) {
    std::vector<std::string> cells = {
        crossing.service, exact_percent(crossing.share.before) + " -> " + exact_percent(crossing.share.after)};
    if (bytes) {
      cells.push_back(bytes_text(crossing.bytes.before) + " -> " + bytes_text(crossing.bytes.after));
    }
    if (cost) {
      cells.push_back(fmt::format("{} -> {} ({}{})", money_text(crossing.cost.before), money_text(crossing.cost.after),
                                  crossing.cost.change() < 0.0 ? "-" : "+",
                                  money_text(std::abs(crossing.cost.change()))));
    }
    table.row(crossing.context, std::move(cells));
  }
  return table.finish();
}

DiffTable rates_table(const Difference& difference) {
  TableOfContexts table(difference, "requests sent");
  table.field("client");
  table.field("requests", true);
  for (const diff::RateChange& change : difference.rates) {
    if (difference.contexts[change.context].kind == diff::Context::Kind::moment) {
      table.row(change.context,
                {change.rate.name, rate_text(change.rate.before) + " -> " + rate_text(change.rate.after)});
    }
  }
  return table.finish();
}

}  // namespace

DiffTable moves_table(const Difference& difference) {
  const std::vector<std::string> zones = names_in(difference, [](const Move& move) { return move.zones; });
  const bool services = services_of_moves(difference) > 1;
  const bool columns = zones.size() <= most_zone_columns;
  const bool within = std::any_of(difference.moves.begin(), difference.moves.end(),
                                  [](const Move& move) { return move.zone_points <= 0.0; });
  const bool no_host = std::any_of(difference.moves.begin(), difference.moves.end(), has_no_host);
  const bool lost = std::any_of(difference.moves.begin(), difference.moves.end(), has_lost);
  TableOfContexts table(difference, "moves");
  const auto add_field = [&](bool wanted, const std::string& name) {
    if (wanted) {
      table.field(name);
    }
  };
  table.field("client");
  add_field(services, "service");
  for (const std::string& zone : zones) {
    add_field(columns, zone);
  }
  add_field(!columns, "zones");
  add_field(no_host, "no host");
  add_field(lost, "not answered (lost endpoint)");
  add_field(within, "shares shift within zones by");
  add_field(!difference.zone_loads.empty(), "busiest endpoint");
  for (const Move& move : difference.moves) {
    std::vector<std::string> cells = {move.client};
    const auto add_cell = [&](bool wanted, std::string cell) {
      if (wanted) {
        cells.push_back(std::move(cell));
      }
    };
    add_cell(services, move.service);
    for (const std::string& zone : zones) {
      const Part* const part = find_part(move.zones, zone);
      add_cell(columns, part != nullptr ? share_change_text(*part) : "");
    }
    add_cell(!columns, parts_text(move.zones));
    add_cell(no_host, has_no_host(move) ? share_change_text(move.no_host) : "");
    add_cell(lost, has_lost(move) ? share_change_text(move.lost) : "");
    add_cell(within, move.zone_points <= 0.0 ? natural_percentage(move.points * 100.0) + " points" : "");
    add_cell(!difference.zone_loads.empty(), busiest_text(difference, move.context));
    table.row(move.context, std::move(cells));
  }
  return table.finish();
}

std::vector<DiffTable> main_tables(const Difference& difference) {
  std::vector<DiffTable> tables = {played_table(difference), capacity_table(difference),  loads_table(difference),
                                   keys_table(difference),   crossings_table(difference), rates_table(difference)};
  std::erase_if(tables, [](const DiffTable& table) { return table.empty(); });
  return tables;
}

std::vector<DiffTable> detail_tables(const Difference& difference) {
  std::vector<DiffTable> tables = {priorities_table(difference), endpoints_table(difference)};
  std::erase_if(tables, [](const DiffTable& table) { return table.empty(); });
  return tables;
}

}  // namespace spillway::reports
