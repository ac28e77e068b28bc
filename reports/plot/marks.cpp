#include "reports/plot/marks.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>

#include "models/numeric/stable_sort.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/shares/change_words.hpp"
#include "sim/run/records/authored_events.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/last_of_moment.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::reports::plot {
namespace {

// Returns the number of nodes of one zone that the change turns off or on together with others at its time.
std::uint64_t nodes_of(const scenario::Scenario& scenario, const scenario::Change& change) {
  const auto* const outage = std::get_if<scenario::NodeOutage>(&change.effect);
  const auto zone = [&](const scenario::NodeOutage& of) { return scenario.nodes[of.node.value].zone; };
  std::uint64_t nodes = 0;
  for (const scenario::Change& other : scenario.changes) {
    const auto* const of = std::get_if<scenario::NodeOutage>(&other.effect);
    nodes += other.at == change.at && of != nullptr && outage != nullptr && of->on == outage->on &&
                     zone(*of) == zone(*outage)
                 ? 1
                 : 0;
  }
  return nodes;
}

}  // namespace

std::vector<Mark> marks_of(const scenario::Scenario& scenario) {
  std::vector<Mark> marks;
  std::vector<std::string> texts;  // of the last mark
  const std::map<std::size_t, scenario::Effect> left = scenario::last_of_moment(scenario);
  for (std::uint32_t change = 0; change < scenario.changes.size(); ++change) {
    const auto event = run::authored_event(scenario, change);
    if (!event || event->kind == run::EventKind::health_reported || scenario::is_replaced(left, change)) {
      continue;
    }
    const scenario::Change& of = scenario.changes[change];
    if (marks.empty() || marks.back().at != of.at) {
      marks.push_back({of.at, ""});
      texts.clear();
    }
    std::string text = change_text(scenario, of.effect, nodes_of(scenario, of));
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) {
      marks.back().text += (texts.empty() ? "" : ", ") + text;
      texts.push_back(std::move(text));
    }
  }
  return marks;
}

namespace {

// Rounds to the precision of a picture: 0.1 s in runs of 10 s and more, otherwise 1 ms.
scenario::Nanoseconds rounded_moment(scenario::Nanoseconds at, scenario::Nanoseconds duration) {
  using std::chrono::milliseconds;
  const milliseconds unit{duration >= std::chrono::seconds{10} ? 100 : 1};
  return (at + scenario::Nanoseconds{unit} / 2) / scenario::Nanoseconds{unit} * unit;
}

}  // namespace

std::vector<Mark> marks_of(const scenario::Scenario& scenario, const run::Events& logged_events, std::size_t most) {
  std::vector<const run::EventGroup*> groups;
  for (const run::EventGroup& group : logged_events.groups) {
    if (is_important(group.first.kind)) {
      groups.push_back(&group);
    }
  }
  numeric::stable_sort(groups, [](const auto* left, const auto* right) { return left->times > right->times; });
  groups.resize(std::min(groups.size(), most));
  std::vector<Mark> marks;
  for (const run::EventGroup* const group : groups) {
    marks.push_back({rounded_moment(group->first.at, scenario.duration), group_text(scenario, *group)});
  }
  numeric::stable_sort(marks, [](const Mark& left, const Mark& right) { return left.at < right.at; });
  return marks;
}

}  // namespace spillway::reports::plot
