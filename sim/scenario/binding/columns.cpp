#include <algorithm>
#include <array>
#include <charconv>

#include "models/documents/grammar/suggestion.hpp"
#include "models/documents/problem.hpp"
#include "models/envoy/api/refused.hpp"
#include "sim/scenario/binding/stages.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::scenario::binding {
namespace {

using grammar::Field;

enum class Kind : std::uint8_t { priority, zone, sub_zone, node, endpoint, cluster };

struct Part {
  Kind kind;
  std::string_view name;
};

constexpr std::array<std::pair<std::string_view, Kind>, 6> kind_words = {{{"priority", Kind::priority},
                                                                          {"zone", Kind::zone},
                                                                          {"sub_zone", Kind::sub_zone},
                                                                          {"node", Kind::node},
                                                                          {"endpoint", Kind::endpoint},
                                                                          {"cluster", Kind::cluster}}};

constexpr std::array<std::pair<std::string_view, Quantity>, 8> quantity_words = {
    {{"attempts", Quantity::attempts},
     {"healthy", Quantity::healthy},
     {"degraded", Quantity::degraded},
     {"unhealthy", Quantity::unhealthy},
     {"load", Quantity::load},
     {"healthy_load", Quantity::healthy_load},
     {"degraded_load", Quantity::degraded_load},
     {"panic", Quantity::panic}}};

bool is_of_a_priority(Quantity quantity) {
  return quantity == Quantity::load || quantity == Quantity::healthy_load || quantity == Quantity::degraded_load ||
         quantity == Quantity::panic;
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find(' '));
}

void skip(std::string_view& text, std::size_t length) {
  text.remove_prefix(length);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

class ColumnReader {
 public:
  ColumnReader(const MeshClients& so_far, const Field<std::string>& title, config::ServiceIndex service)
      : so_far_(so_far),
        title_(title),
        asked_(service),
        service_(so_far.scenario.services[service.value]),
        members_(members_of(so_far.scenario, service)) {}

  std::optional<Column> read() {
    column_.title = *title_;
    std::string_view rest = column_.title;
    skip(rest, 0);
    if (rest == "total" && longest_name(rest).empty()) {
      column_.quantity = Quantity::total_availability;
      return column_;
    }
    take_quantity(rest);
    while (!rest.empty()) {
      if (!take_part(rest)) {
        return std::nullopt;
      }
    }
    if (is_of_a_priority(column_.quantity) && !column_.selector.priority) {
      refuse("is of a priority", "write P0, P1 and so on before it");
      return std::nullopt;
    }
    return column_;
  }

 private:
  using Found = std::vector<Part>;

  // Takes the last word if it is a quantity and not the end of a name.
  void take_quantity(std::string_view& rest) {
    const std::size_t space = rest.find_last_of(' ');
    if (space == std::string_view::npos || longest_name(rest).size() == rest.size()) {
      return;
    }
    for (const auto& [word, quantity] : quantity_words) {
      if (rest.substr(space + 1) == word) {
        column_.quantity = quantity;
        rest = rest.substr(0, rest.find_last_not_of(' ', space) + 1);
        return;
      }
    }
  }

  bool take_part(std::string_view& rest) {
    Found found;
    for (const auto& [word, kind] : kind_words) {
      if (first_word(rest) == word && rest.size() > word.size() && longest_name(rest).size() <= word.size()) {
        std::string_view named = rest;
        skip(named, word.size());
        std::string_view name = name_of_kind(kind, named);
        if (kind == Kind::priority && priority_of(first_word(named))) {
          name = first_word(named);
        }
        if (!name.empty()) {
          skip(rest, static_cast<std::size_t>(name.data() - rest.data()) + name.size());
          return narrow({kind, name});
        }
        return unknown(named, kind);
      }
    }
    const std::string_view longest = longest_name(rest);
    if (longest.empty()) {
      return unknown(rest, std::nullopt);
    }
    for (const auto& [word, kind] : kind_words) {
      if (name_of_kind(kind, rest) == longest) {
        found.push_back({kind, longest});
      }
    }
    drop_synonyms(found);
    if (found.size() > 1) {
      return ambiguous(found);
    }
    skip(rest, longest.size());
    return narrow(found.front());
  }

  // Drops synonyms: a zone's only node may have its name, and a cluster its service's. The first match means the same.
  void drop_synonyms(Found& found) const {
    if (found.size() < 2 || found[0].kind != Kind::zone) {
      return;
    }
    const auto zone = so_far_.zones.find(std::string(found[0].name));
    const auto node = so_far_.nodes.find(std::string(found[0].name));
    if (zone && node && so_far_.nodes_of_zone[*zone] == std::vector{*node}) {
      std::erase_if(found, [](const Part& part) { return part.kind == Kind::node; });
    }
  }

  std::string_view longest_name(std::string_view text) const {
    std::string_view longest;
    for (const auto& [word, kind] : kind_words) {
      const std::string_view name = name_of_kind(kind, text);
      longest = name.size() > longest.size() ? name : longest;
    }
    return longest;
  }

  // Returns the longest name of this kind that the text starts with.
  std::string_view name_of_kind(Kind kind, std::string_view text) const {
    switch (kind) {
      case Kind::priority:
        return priority_at_start(text);
      case Kind::zone:
        return so_far_.zones.longest_at_start(text);
      case Kind::sub_zone:
        return sub_zone_at_start(text);
      case Kind::node:
        return so_far_.nodes.longest_at_start(text);
      case Kind::endpoint:
        return endpoint_at_start(text);
      case Kind::cluster:
        return so_far_.services.longest_at_start(text);
    }
    return {};
  }

  std::string_view priority_at_start(std::string_view text) const {
    const std::string_view word = first_word(text);
    return word.starts_with('P') && priority_of(word) ? word : std::string_view();
  }

  std::optional<std::uint32_t> priority_of(std::string_view word) const {
    word.remove_prefix(word.starts_with('P') ? 1 : 0);
    std::uint32_t priority = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), priority);
    if (problem != std::errc{} || end != word.data() + word.size() || (word.size() > 1 && word.front() == '0')) {
      return std::nullopt;
    }
    const bool exists = reaches_priority(so_far_.scenario, asked_, config::Priority{priority});
    return exists ? std::optional(priority) : std::nullopt;
  }

  std::string_view sub_zone_at_start(std::string_view text) const {
    std::string_view longest;
    for (const Node& node : so_far_.scenario.nodes) {
      const std::string& name = node.sub_zone;
      const bool starts =
          !name.empty() && text.starts_with(name) && (text.size() == name.size() || text[name.size()] == ' ');
      longest = starts && name.size() > longest.size() ? text.substr(0, name.size()) : longest;
    }
    return longest;
  }

  std::string_view endpoint_at_start(std::string_view text) const {
    const std::string_view name = so_far_.endpoints.longest_at_start(text);
    if (name.empty()) {
      return name;
    }
    const auto endpoint = so_far_.endpoints.find(std::string(name));
    const config::ServiceIndex of{so_far_.host_of_endpoint[*endpoint].first};
    return std::find(members_.begin(), members_.end(), of) != members_.end() ? name : std::string_view();
  }

  bool narrow(const Part& part) {
    Selector& selector = column_.selector;
    std::string name(part.name);
    std::string* text = nullptr;
    switch (part.kind) {
      case Kind::priority:
        if (selector.priority) {
          return twice(name);
        }
        selector.priority = config::Priority{*priority_of(part.name)};
        return true;
      case Kind::zone: {
        const auto zone = so_far_.zones.resolve({name, title_.where, title_.where, true, true}, so_far_.problems);
        if (!zone) {
          return false;
        }
        name = so_far_.zones.all()[*zone];
        text = &selector.zone;
        break;
      }
      case Kind::sub_zone:
        text = &selector.sub_zone;
        break;
      case Kind::node:
        text = &selector.node;
        break;
      case Kind::endpoint:
        text = &selector.endpoint;
        break;
      case Kind::cluster:
        text = &selector.cluster;
        break;
    }
    if (!text->empty()) {
      return twice(name);
    }
    *text = name;
    return true;
  }

  bool twice(const std::string& name) {
    refuse(in_ticks(name) + " is the second of its kind", "one name of each kind narrows a column");
    return false;
  }

  bool ambiguous(const Found& found) {
    std::vector<std::string> ways;
    for (const Part& part : found) {
      const auto word = std::find_if(kind_words.begin(), kind_words.end(),
                                     [&](const auto& entry) { return entry.second == part.kind; });
      ways.push_back(std::string(word->first) + " " + std::string(part.name));
    }
    so_far_.problems
        .error("SP120", title_.where, "ambiguous column `{}`", "`{}` names several things",
               {*title_, found.front().name})
        .help("write {}", {grammar::listed(ways)});
    return false;
  }

  bool incomplete() const {
    return so_far_.zones.incomplete() || so_far_.nodes.incomplete() || so_far_.endpoints.incomplete() ||
           so_far_.services.incomplete();
  }

  bool unknown(std::string_view rest, std::optional<Kind> kind) {
    if (incomplete()) {
      return false;
    }
    std::vector<std::string> candidates;
    const auto add = [&](Kind of, const std::vector<std::string>& names) {
      if (!kind || *kind == of) {
        candidates.insert(candidates.end(), names.begin(), names.end());
      }
    };
    add(Kind::zone, so_far_.zones.all());
    add(Kind::node, so_far_.nodes.all());
    add(Kind::cluster, so_far_.services.all());
    if (so_far_.endpoints.count() < 5'000) {
      add(Kind::endpoint, so_far_.endpoints.all());
    }
    if (!kind) {
      for (const auto& [word, quantity] : quantity_words) {
        candidates.emplace_back(word);
      }
      candidates.emplace_back("total");
    }
    refuse(in_ticks(kind ? rest : first_word(rest)) + " is no priority, zone, node, endpoint or cluster of " +
               in_ticks(service_.name),
           begins_with_quantity(rest, kind) ? place_of_quantity(rest) : did_you_mean(rest, candidates));
    return false;
  }

  static bool begins_with_quantity(std::string_view rest, std::optional<Kind> kind) {
    const std::string_view first = first_word(rest);
    return !kind && (first == "total" || std::any_of(quantity_words.begin(), quantity_words.end(),
                                                     [&](const auto& word) { return word.first == first; }));
  }

  static std::string did_you_mean(std::string_view rest, const std::vector<std::string>& candidates) {
    std::string meant = grammar::nearest(rest, candidates);
    meant = meant.empty() ? grammar::nearest(first_word(rest), candidates) : meant;
    return meant.empty() ? "" : "did you mean " + in_ticks(meant) + "?";
  }

  // Describes where a quantity belongs that is written first.
  static std::string place_of_quantity(std::string_view rest) {
    const std::string_view quantity = first_word(rest);
    skip(rest, quantity.size());
    return quantity == "total" ? "`total` stands alone"
           : rest.empty()      ? "write before it what it is of, such as a zone"
                               : "did you mean " + in_ticks(std::string(rest) + " " + std::string(quantity)) + "?";
  }

  void refuse(const std::string& label, std::string help) {
    Diagnostic& problem = so_far_.problems.error("SP119", title_.where, "unknown column `{}`", "{}", {*title_, label});
    if (!help.empty()) {
      problem.helps.push_back(std::move(help));
    }
  }

  const MeshClients& so_far_;
  const Field<std::string>& title_;
  config::ServiceIndex asked_;
  const Service& service_;
  std::vector<config::ServiceIndex> members_;  // with endpoints that its requests can reach
  Column column_;
};

}  // namespace

std::optional<Column> read_column(const MeshClients& so_far, const grammar::Field<std::string>& title,
                                  config::ServiceIndex service) {
  return title ? ColumnReader(so_far, title, service).read() : std::nullopt;
}

}  // namespace spillway::scenario::binding
