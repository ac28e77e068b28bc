
#include "models/documents/json_writer.hpp"
#include "reports/explain/formats.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/names.hpp"

namespace spillway::reports::explain {

namespace {

using Json = documents::JsonText;

Json as_json(const Fact& fact) {
  return {{"subject", fact.subject},
          {"formula", fact.formula},
          {"value", fact.value},
          {"note", fact.note},
          {"where", fact.where}};
}

template <class Item>
Json list_of(const std::vector<Item>& items) {
  Json array = Json::array();
  for (const Item& item : items) {
    array.push_back(as_json(item));
  }
  return array;
}

Json as_json(const Step& step) {
  return {{"name", step.name}, {"facts", list_of(step.facts)}, {"sources", step.sources}};
}

Json as_json(const Section& section) {
  Json steps = Json::array();
  for (const Step& step : section.steps) {
    steps.push_back(as_json(step));
  }
  return {{"title", section.title}, {"depth", section.depth}, {"requests", section.requests}, {"steps", steps}};
}

Json as_json(const EndpointShare& row, bool at_rest) {
  return {{"cluster", row.cluster},
          {"priority", row.priority.value},
          {"availability", name_of(row.availability)},
          {"region", row.region},
          {"zone", row.zone},
          {"sub_zone", row.sub_zone},
          {"node", row.node},
          {"via", row.via},
          {"endpoint", row.endpoint},
          {at_rest ? "at_rest" : "exact", row.joint == 0 ? Json(row.share) : Json(nullptr)}};
}

Json as_json(const Why::Turn& turn) {
  return {{"input", turn.input},
          {"now", turn.now},
          {"turns_at", turn.turns_at.empty() ? Json(nullptr) : Json(turn.turns_at)},
          {"share_there", turn.share_there},
          {"just_before", turn.just_before.empty() ? Json(nullptr) : Json(turn.just_before)},
          {"share_before", turn.share_before},
          {"note", turn.note},
          {"where", turn.where}};
}

Json as_json(const Why& why) {
  Json turns = Json::array();
  for (const Why::Turn& turn : why.turns) {
    turns.push_back(as_json(turn));
  }
  return {{"target", why.target},
          {"kind", why.kind},
          {"share", why.share ? Json(*why.share) : Json(nullptr)},
          {"because", list_of(why.because)},
          {"turns", turns}};
}

}  // namespace

std::string explanation_as_json(const Explanation& explanation) {
  Json sections = Json::array();
  for (const Section& section : explanation.sections) {
    sections.push_back(as_json(section));
  }
  Json shares = Json::array();
  for (const EndpointShare& row : explanation.endpoints) {
    shares.push_back(as_json(row, explanation.at_rest));
  }
  const Json document = {{"schema_version", 1},
                         {"scenario", explanation.scenario},
                         {"profile", profile_json(explanation.profile)},
                         {"client", explanation.client},
                         {"client_zone", explanation.client_zone},
                         {"service", explanation.service},
                         {"at_s", std::chrono::duration<double>(explanation.at).count()},
                         {"request", explanation.request},
                         {"sections", sections},
                         {"shares", shares},
                         {"closed_form", explanation.why_joint.empty()},
                         {"exact_basis", explanation.why_joint.empty() ? explanation.basis : explanation.why_joint},
                         {"bounds", explanation.bounds},
                         {"notes", explanation.notes},
                         {"why", explanation.why ? as_json(*explanation.why) : Json(nullptr)}};
  return json_lines(document.text());
}

}  // namespace spillway::reports::explain
