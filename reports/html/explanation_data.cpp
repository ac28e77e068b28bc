#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "reports/explain/explain.hpp"
#include "reports/explain/formats.hpp"
#include "reports/html/report.hpp"
#include "reports/html/run_data.hpp"
#include "reports/shares/share_table.hpp"
#include "reports/text/json_text.hpp"
#include "reports/text/percent.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service.hpp"

namespace spillway::reports::html {
namespace {

constexpr std::size_t most_explanations = 120;
constexpr std::size_t most_hosts = 150'000;  // in total: limits the time
constexpr std::size_t most_facts = 60;       // per step
constexpr std::size_t most_sections = 24;
constexpr std::size_t most_places = 40;
constexpr std::size_t most_whys = 60;           // each computes many states
constexpr std::size_t most_hosts_of_why = 200;  // of the service

Data fact_data(const explain::Fact& fact) {
  Data data = {{"subject", fact.subject}};
  if (!fact.formula.empty()) {
    data.add("formula", fact.formula);
    data.add("value", fact.value);
  }
  if (!fact.note.empty()) {
    data.add("note", fact.note);
  }
  if (!fact.where.empty()) {
    data.add("where", fact.where);
  }
  return data;
}

Data step_data(const explain::Step& step) {
  Data facts = Data::array();
  for (std::size_t fact = 0; fact < std::min(step.facts.size(), most_facts); ++fact) {
    facts.push_back(fact_data(step.facts[fact]));
  }
  return {{"name", step.name},
          {"facts", std::move(facts)},
          {"left_out", step.facts.size() - std::min(step.facts.size(), most_facts)},
          {"sources", step.sources}};
}

Data explanation_data(const explain::Explanation& explanation) {
  Data sections = Data::array();
  for (std::size_t of = 0; of < std::min(explanation.sections.size(), most_sections); ++of) {
    const explain::Section& section = explanation.sections[of];
    Data steps = json_array(section.steps, step_data);
    sections.push_back(
        {{"title", explain::section_title(explanation, section)}, {"depth", section.depth}, {"steps", steps}});
  }
  const std::vector<explain::ShareLine> lines = explain::share_lines(explanation);
  Data places = Data::array();
  for (std::size_t line = 0; line < std::min(lines.size(), most_places); ++line) {
    places.push_back(
        {{"place", lines[line].place}, {"share", lines[line].share}, {"endpoints", lines[line].endpoints}});
  }
  std::vector<std::string> notes = explanation.bounds;
  notes.insert(notes.end(), explanation.notes.begin(), explanation.notes.end());
  return {{"title", explain::headline(explanation)},
          {"sections", std::move(sections)},
          {"sections_left_out", explanation.sections.size() - std::min(explanation.sections.size(), most_sections)},
          {"places", std::move(places)},
          {"places_left_out", lines.size() - std::min(lines.size(), most_places)},
          {"closed_form", explanation.why_joint.empty()},
          {"basis", explanation.why_joint.empty() ? explanation.basis : explanation.why_joint},
          {"notes", notes}};
}

Data why_data(const explain::Why& why) {
  Data because = json_array(why.because, fact_data);
  Data turns = json_array(why.turns, [&](const explain::Why::Turn& turn) {
    return Data({{"text", explain::turn_text(why, turn)}, {"where", turn.where}});
  });
  return {{"headline", explain::why_headline(why)}, {"because", std::move(because)}, {"turns", std::move(turns)}};
}

// Explains the share of each group of the table, by its zone or else its priority.
Data whys_data(const RunInput& input, const ShareTable& table, explain::Question question, std::size_t& made) {
  Data whys = Data::object();
  std::set<std::string> known;
  for (const ShareGroup& group : table.groups) {
    const std::string target =
        group.place.zone.empty() ? fmt::format("P{}", group.place.priority.value) : group.place.zone;
    if (!group.reached || known.contains(target) || made >= most_whys) {
      continue;
    }
    question.why = target;
    if (explain::refusal(input.report.scenario, question)) {
      continue;
    }
    const explain::Explanation explanation = explain::explain(input.report.scenario, input.sources, question);
    if (explanation.why) {
      known.insert(target);
      whys.add(target, why_data(*explanation.why));
      ++made;
    }
  }
  return whys;
}

}  // namespace

Data explanations_data(const RunInput& input, const std::vector<ShareTable>& tables, FlowParts& parts) {
  const scenario::Scenario& scenario = input.report.scenario;
  std::vector<std::tuple<std::size_t, std::size_t>> moments;  // (epoch, flow)
  for (std::size_t flow = 0; flow < tables.size(); ++flow) {
    parts.explanations.emplace_back(tables[flow].rows.size(), -1);
    for (std::size_t epoch = 0; epoch < tables[flow].rows.size(); ++epoch) {
      moments.emplace_back(epoch, flow);
    }
  }
  // The first flow, which the page shows initially, gets all of its times if enough remain for the others. Every flow
  // gets some.
  const bool opens_whole = !tables.empty() && tables.front().rows.size() <= most_explanations / 2;
  std::sort(moments.begin(), moments.end(), [&](const auto& one, const auto& other) {
    const auto [epoch, flow] = one;
    const auto [other_epoch, other_flow] = other;
    return std::tuple(opens_whole && flow != 0, epoch, flow) <
           std::tuple(opens_whole && other_flow != 0, other_epoch, other_flow);
  });
  std::vector<Data> list;
  std::size_t hosts = 0;
  std::size_t whys = 0;
  for (const auto& [epoch, flow] : moments) {
    const ShareTable& table = tables[flow];
    hosts += scenario.services[table.service.value].hosts.size();
    if (list.size() >= most_explanations || (hosts > most_hosts && !list.empty())) {
      break;
    }
    const explain::Question question{
        .client = table.client, .service = table.service, .at = table.rows[epoch].begin, .why = {}};
    if (explain::refusal(scenario, question)) {
      continue;
    }
    parts.explanations[flow][epoch] = static_cast<int>(list.size());
    Data data = explanation_data(explain::explain(scenario, input.sources, question));
    if (scenario.services[table.service.value].hosts.size() <= most_hosts_of_why) {
      data.add("whys", whys_data(input, table, question, whys));
    }
    list.push_back(std::move(data));
  }
  return {{"moments", moments.size()}, {"list", list}};
}

}  // namespace spillway::reports::html
