#include "reports/diff/diff_json.hpp"

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
  return json_array(list, [key](const diff::Part& part) { return part_object(key, part); });
}

Object health_list(const std::vector<diff::ZoneHealth>& list) {
  return json_array(list, [](const diff::ZoneHealth& health) -> Object {
    return {{"service", health.service},
            {"zone", health.zone},
            {"endpoints", health.endpoints},
            {"members", health.members},
            {"healthy", health.healthy}};
  });
}

Object contexts(const diff::Difference& difference) {
  const std::vector<std::string> labels = context_labels(difference);
  return json_array(difference.contexts, [&](const diff::Context& context) -> Object {
    const auto index = static_cast<std::size_t>(&context - difference.contexts.data());
    const bool moment = context.kind == diff::Context::Kind::moment;
    return {{"index", index},
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
            {"nodes_out", context.nodes_out}};
  });
}

Object move_object(const diff::Move& move) {
  return {{"context", move.context},
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
          {"lost", change_object(move.lost)}};
}

Object overload_object(const diff::Overload& overload) {
  return {{"context", overload.context}, {"endpoint", overload.endpoint}, {"zone", overload.zone},
          {"old", overload.before},      {"new", overload.after},         {"limit", overload.limit},
          {"over", overload.over()}};
}

Object load_object(const diff::ZoneLoad& load) {
  return {{"context", load.context},
          {"zone", load.zone},
          {"endpoint_old", load.endpoint_before},
          {"endpoint_new", load.endpoint_after},
          {"old", load.before},
          {"new", load.after}};
}

Object key_object(const diff::KeyMove& move) {
  return {{"context", move.context},
          {"client", move.client},
          {"service", move.service},
          {"named", move.named},
          {"keys", move.named ? Object(move.keys) : Object(nullptr)},
          {"moved_keys", move.named ? Object(move.moved) : Object(nullptr)},
          {"moved", move.share},
          {"names", move.names}};
}

Object crossing_object(const diff::Crossing& crossing) {
  return {{"context", crossing.context},
          {"service", crossing.service},
          {"share", change_object(crossing.share)},
          {"bytes_per_month", change_object(crossing.bytes)},
          {"cost_per_month", change_object(crossing.cost)}};
}

Object split_object(const diff::Split& split) {
  return {{"context", split.context}, {"client", split.client}, {"services", parts("service", split.services)}};
}

Object rate_object(const diff::RateChange& change) {
  Object object = {{"context", change.context}};
  object.add_members_of(part_object("client", change.rate));
  return object;
}

Object onset_object(const diff::OnsetChange& onset) {
  return {{"zone", onset.zone},
          {"service", onset.service},
          {"endpoints", {{"old", onset.endpoints_before}, {"new", onset.endpoints_after}}},
          {"leaves_zone_at", {{"old", onset.leaves_before}, {"new", onset.leaves_after}}},
          {"panic_at", {{"old", onset.panic_before}, {"new", onset.panic_after}}}};
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

Object no_difference(const diff::NoDifference& of) {
  return {{"figure", figure_key(of.figure)}, {"compared", of.compared}, {"within", of.within}};
}

Object figure_object(const diff::SimulatedFigure& figure) {
  return {{"context", figure.context},
          {"figure", figure_key(figure.figure)},
          {"client", figure.client},
          {"service", figure.service},
          {"zone", figure.zone},
          {"old", figure.before},
          {"new", figure.after},
          {"change", figure.change()},
          {"half_width", figure.half_width},
          {"identical", figure.identical},
          {"differs", figure.differs()}};
}

Object simulated(const diff::Simulated& of) {
  if (of.replications == 0) {
    return nullptr;
  }
  return {{"replications", of.replications},
          {"seed", of.seed},
          {"requests", of.requests},
          {"failures", of.failures},
          {"confidence", of.confidence},
          {"differs", of.differs()},
          {"figures", json_array(of.figures, figure_object)},
          {"no_difference", json_array(of.no_difference, no_difference)}};
}

}  // namespace

std::string diff_json(const diff::Difference& difference) {
  const Object capacity = {{"known", difference.utilisation_known},
                           {"over", json_array(difference.overloads, overload_object)},
                           {"busiest", json_array(difference.zone_loads, load_object)}};
  const auto edit_object = [](const diff::Edit& edit) -> Object {
    return {{"place", edit.place}, {"line", edit.where.line}};
  };
  const Object root = {{"schema_version", 1},
                       {"old", difference.name_before},
                       {"new", difference.name_after},
                       {"changed", difference.changed()},
                       {"verdict", verdict_sentence(difference)},
                       {"failures_at_s", difference.failures_at},
                       {"contexts", contexts(difference)},
                       {"moves", json_array(difference.moves, move_object)},
                       {"capacity", capacity},
                       {"keys", json_array(difference.keys, key_object)},
                       {"cross_zone", json_array(difference.crossings, crossing_object)},
                       {"splits", json_array(difference.splits, split_object)},
                       {"rates", json_array(difference.rates, rate_object)},
                       {"onsets", json_array(difference.onsets, onset_object)},
                       {"lints_gained", lints(difference, true)},
                       {"lints_lost", lints(difference, false)},
                       {"added", presences(difference, true)},
                       {"removed", presences(difference, false)},
                       {"simulated", simulated(difference.simulated)},
                       {"no_moves", difference.no_moves.compared > 0 ? no_difference(difference.no_moves) : Object()},
                       {"not_compared", difference.not_compared},
                       {"edits", json_array(difference.edits, edit_object)},
                       {"notes", difference.notes}};
  return json_lines(root.text());
}

}  // namespace spillway::reports
