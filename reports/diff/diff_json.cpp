#include "reports/diff/diff_json.hpp"

#include <utility>

#include "models/documents/json_writer.hpp"
#include "reports/diff/context_words.hpp"
#include "reports/diff/diff_words.hpp"
#include "reports/diff/figure_words.hpp"
#include "reports/text/json_text.hpp"

namespace spillway::reports {
namespace {

using Object = documents::JsonText;

// Returns the change without the part's name, which is the key.
Object change_object(const diff::Part& part) {
  Object object = {{"old", part.before}, {"new", part.after}, {"change", part.change()}};
  if (part.half_width) {
    object.add("half_width", *part.half_width);
  }
  return object;
}

Object part_object(const char* key, const diff::Part& part) {
  Object object = {{key, part.name}};
  object.add_members_of(change_object(part));
  return object;
}

Object parts(const char* key, const std::vector<diff::Part>& list) {
  Object array = Object::array();
  for (const diff::Part& part : list) {
    array.push_back(part_object(key, part));
  }
  return array;
}

Object health_list(const std::vector<diff::ZoneHealth>& list) {
  Object array = Object::array();
  for (const diff::ZoneHealth& health : list) {
    array.push_back({{"service", health.service},
                     {"zone", health.zone},
                     {"endpoints", health.endpoints},
                     {"members", health.members},
                     {"healthy", health.healthy}});
  }
  return array;
}

Object contexts(const diff::Difference& difference) {
  const std::vector<std::string> labels = context_labels(difference);
  Object array = Object::array();
  for (std::size_t index = 0; index < difference.contexts.size(); ++index) {
    const diff::Context& context = difference.contexts[index];
    const bool moment = context.kind == diff::Context::Kind::moment;
    array.push_back({{"index", index},
                     {"kind", moment                                     ? "moment"
                              : context.kind == diff::Context::Kind::run ? "run"
                                                                         : "failure"},
                     {"label", labels[index]},
                     {"start_s", context.start},
                     {"end_s", context.end},
                     {"failure", context.failure},
                     {"ways", context.ways},
                     {"health_old", health_list(context.health_old)},
                     {"health_new", health_list(context.health)},
                     {"nodes_out", context.nodes_out}});
  }
  return array;
}

Object moves(const diff::Difference& difference) {
  Object array = Object::array();
  for (const diff::Move& move : difference.moves) {
    array.push_back({{"context", move.context},
                     {"client", move.client},
                     {"client_zone", move.client_zone},
                     {"service", move.service},
                     {"moved", move.points},
                     {"moved_between_zones", move.zone_points},
                     {"exact", move.exact},
                     {"zones", parts("zone", move.zones)},
                     {"priorities", parts("priority", move.priorities)},
                     {"endpoints", parts("endpoint", move.endpoints)},
                     {"no_host", change_object(move.no_host)},
                     {"lost", change_object(move.lost)}});
  }
  return array;
}

Object capacity(const diff::Difference& difference) {
  Object overloads = Object::array();
  for (const diff::Overload& overload : difference.overloads) {
    overloads.push_back({{"context", overload.context},
                         {"endpoint", overload.endpoint},
                         {"zone", overload.zone},
                         {"old", overload.before},
                         {"new", overload.after},
                         {"limit", overload.limit},
                         {"over", overload.over()}});
  }
  Object zones = Object::array();
  for (const diff::ZoneLoad& load : difference.zone_loads) {
    zones.push_back({{"context", load.context},
                     {"zone", load.zone},
                     {"endpoint_old", load.endpoint_before},
                     {"endpoint_new", load.endpoint_after},
                     {"old", load.before},
                     {"new", load.after}});
  }
  return {{"known", difference.utilisation_known}, {"over", std::move(overloads)}, {"busiest", std::move(zones)}};
}

Object keys(const diff::Difference& difference) {
  Object array = Object::array();
  for (const diff::KeyMove& move : difference.keys) {
    array.push_back({{"context", move.context},
                     {"client", move.client},
                     {"service", move.service},
                     {"named", move.named},
                     {"keys", move.named ? Object(move.keys) : Object(nullptr)},
                     {"moved_keys", move.named ? Object(move.moved) : Object(nullptr)},
                     {"moved", move.share},
                     {"names", move.names}});
  }
  return array;
}

Object crossings(const diff::Difference& difference) {
  Object array = Object::array();
  for (const diff::Crossing& crossing : difference.crossings) {
    array.push_back({{"context", crossing.context},
                     {"service", crossing.service},
                     {"share", change_object(crossing.share)},
                     {"bytes_per_month", change_object(crossing.bytes)},
                     {"cost_per_month", change_object(crossing.cost)}});
  }
  return array;
}

Object splits(const diff::Difference& difference) {
  Object array = Object::array();
  for (const diff::Split& split : difference.splits) {
    Object services = Object::array();
    for (const diff::Part& part : split.services) {
      services.push_back(part_object("service", part));
    }
    array.push_back({{"context", split.context}, {"client", split.client}, {"services", std::move(services)}});
  }
  return array;
}

Object rates(const diff::Difference& difference) {
  Object array = Object::array();
  for (const diff::RateChange& change : difference.rates) {
    Object object = {{"context", change.context}};
    object.add_members_of(part_object("client", change.rate));
    array.push_back(std::move(object));
  }
  return array;
}

Object onsets(const diff::Difference& difference) {
  const auto or_null = [](const std::optional<std::uint32_t>& lost) { return lost ? Object(*lost) : Object(nullptr); };
  Object array = Object::array();
  for (const diff::OnsetChange& onset : difference.onsets) {
    array.push_back({{"zone", onset.zone},
                     {"service", onset.service},
                     {"endpoints", {{"old", onset.endpoints_before}, {"new", onset.endpoints_after}}},
                     {"leaves_zone_at", {{"old", or_null(onset.leaves_before)}, {"new", or_null(onset.leaves_after)}}},
                     {"panic_at", {{"old", or_null(onset.panic_before)}, {"new", or_null(onset.panic_after)}}}});
  }
  return array;
}

Object lints(const diff::Difference& difference, bool gained) {
  Object array = Object::array();
  for (const diff::Lint& lint : difference.lints) {
    if (lint.gained == gained) {
      array.push_back(
          {{"code", lint.code}, {"place", lint.place}, {"message", lint.message}, {"line", lint.where.line}});
    }
  }
  return array;
}

Object presences(const diff::Difference& difference, bool added) {
  Object array = Object::array();
  for (const diff::Presence& presence : difference.presences) {
    if (presence.added == added) {
      array.push_back({{"kind", presence.kind}, {"name", presence.name}});
    }
  }
  return array;
}

Object simulated(const diff::Difference& difference) {
  const diff::Simulated& of = difference.simulated;
  if (of.replications == 0) {
    return nullptr;
  }
  Object figures = Object::array();
  for (const diff::SimulatedFigure& figure : of.figures) {
    figures.push_back({{"context", figure.context},
                       {"figure", figure_key(figure.figure)},
                       {"client", figure.client},
                       {"service", figure.service},
                       {"zone", figure.zone},
                       {"old", figure.before},
                       {"new", figure.after},
                       {"change", figure.change()},
                       {"half_width", figure.half_width},
                       {"identical", figure.identical},
                       {"differs", figure.differs()}});
  }
  Object same = Object::array();
  for (const diff::NoDifference& figure : of.no_difference) {
    same.push_back({{"figure", figure_key(figure.figure)}, {"compared", figure.compared}, {"within", figure.within}});
  }
  return {{"replications", of.replications}, {"seed", of.seed},
          {"requests", of.requests},         {"failures", of.failures},
          {"confidence", of.confidence},     {"differs", of.differs()},
          {"figures", std::move(figures)},   {"no_difference", std::move(same)}};
}

}  // namespace

std::string diff_json(const diff::Difference& difference) {
  Object edits = Object::array();
  for (const diff::Edit& edit : difference.edits) {
    edits.push_back({{"place", edit.place}, {"line", edit.where.line}});
  }
  const Object root = {{"schema_version", 1},
                       {"old", difference.name_before},
                       {"new", difference.name_after},
                       {"changed", difference.changed()},
                       {"verdict", verdict_sentence(difference)},
                       {"failures_at_s", difference.failures_at},
                       {"contexts", contexts(difference)},
                       {"moves", moves(difference)},
                       {"capacity", capacity(difference)},
                       {"keys", keys(difference)},
                       {"cross_zone", crossings(difference)},
                       {"splits", splits(difference)},
                       {"rates", rates(difference)},
                       {"onsets", onsets(difference)},
                       {"lints_gained", lints(difference, true)},
                       {"lints_lost", lints(difference, false)},
                       {"added", presences(difference, true)},
                       {"removed", presences(difference, false)},
                       {"simulated", simulated(difference)},
                       {"not_compared", difference.not_compared},
                       {"edits", std::move(edits)},
                       {"notes", difference.notes}};
  return json_lines(root.text());
}

}  // namespace spillway::reports
