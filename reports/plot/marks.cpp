#include "reports/plot/marks.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <variant>

#include "models/numeric/stable_sort.hpp"
#include "reports/requests/event_log.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/records/event_log.hpp"
#include "sim/scenario/change.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/last_of_moment.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::reports::plot {
namespace {

std::string check_answer_text(const scenario::AnswersChecks& effect) {
  switch (effect.answer) {
    case scenario::CheckAnswer::healthy:
      return "healthy";
    case scenario::CheckAnswer::degraded:
      return "degraded";
    case scenario::CheckAnswer::unhealthy:
      return "unhealthy";
    case scenario::CheckAnswer::immediate_health_check_fail:
      return "immediate-health-check-fail";
    case scenario::CheckAnswer::reset:
      return "reset";
    case scenario::CheckAnswer::connect_failure:
      return "connect failure";
    case scenario::CheckAnswer::no_answer:
      return "none";
    case scenario::CheckAnswer::status:
      return std::to_string(effect.status);
  }
  return "";
}

// Returns "1st", "2nd", "3rd", "4th", "11th".
std::string ordinal(std::uint32_t number) {
  const std::uint32_t tens = number % 100;
  const std::uint32_t last = tens > 10 && tens < 14 ? 0 : number % 10;
  return std::to_string(number) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

// The texts of one time.
class Moment {
 public:
  explicit Moment(const scenario::Scenario& scenario) : scenario_(&scenario) {}

  void add(const scenario::Effect& effect) {
    std::visit([this](const auto& of) { describe(of); }, effect);
  }

  [[nodiscard]] std::string text() const {
    std::vector<std::string> parts;
    for (const bool on : {false, true}) {
      add_outages(on, parts);
    }
    for (const std::string& text : texts_) {
      if (!said_otherwise(text)) {
        parts.push_back(text);
      }
    }
    return joined(parts, ", ");
  }

 private:
  void say(std::string text) {
    if (std::find(texts_.begin(), texts_.end(), text) == texts_.end()) {
      texts_.push_back(std::move(text));
    }
  }

  // True if an EDS push already says the same: endpoints that EDS removes are gone, and added ones are back.
  [[nodiscard]] bool said_otherwise(const std::string& text) const {
    for (const auto& [really, reported] :
         {std::pair<std::string, std::string>{" gone", " removed"}, {" back", " added"}}) {
      if (text.ends_with(really)) {
        const std::string other = text.substr(0, text.size() - really.size()) + reported;
        return std::find(texts_.begin(), texts_.end(), other) != texts_.end();
      }
    }
    return false;
  }

  // True for views, which receive pushes together with their service.
  [[nodiscard]] bool is_view(config::ServiceIndex service) const {
    return scenario_->services[service.value].as_view.has_value();
  }

  // Returns "checkout: 3 endpoints", or the name of a single one.
  [[nodiscard]] std::string endpoints(config::ServiceIndex service, const std::vector<config::HostIndex>& hosts) const {
    if (hosts.size() == 1) {
      return scenario::endpoint_at(*scenario_, service, hosts.front()).id;
    }
    return fmt::format("{}: {} endpoints", scenario_->services[service.value].name, hosts.size());
  }
  // Adds "backend-1 fails 50 %" or "backend: 2 endpoints fail 50 %".
  template <class Effect>
  void say_of_hosts(const Effect& effect, const std::string& of_one, const std::string& of_several) {
    if (!is_view(effect.service) && !effect.hosts.empty()) {
      say(endpoints(effect.service, effect.hosts) + ' ' + (effect.hosts.size() == 1 ? of_one : of_several));
    }
  }
  template <class Effect>
  void say_of_hosts(const Effect& effect, const std::string& what) {
    say_of_hosts(effect, what, what);
  }

  void describe(const scenario::EdsHealth& /*effect*/) {}
  void describe(const scenario::EdsMembership& effect) { say_of_hosts(effect, effect.member ? "added" : "removed"); }
  void describe(const scenario::EdsWeights& effect) {
    if (!is_view(effect.service)) {
      say(scenario_->services[effect.service.value].name + ": other weights");
    }
  }
  void describe(const scenario::EdsPriority& effect) {
    say_of_hosts(effect, fmt::format("at priority {}", effect.priority.value));
  }
  void describe(const config::RuntimeChange& effect) {
    for (const auto& [key, value] : effect.values) {
      say(fmt::format("{}: {}", config::runtime_key_name(key), value ? std::to_string(*value) : "default"));
    }
  }
  void describe(const scenario::Existence& effect) { say_of_hosts(effect, effect.exists ? "back" : "gone"); }
  void describe(const scenario::RateChange& effect) {
    const std::string& client = scenario_->clients[effect.client.value].name;
    const char* const slope = effect.slope > 0.0 ? " and rising" : effect.slope < 0.0 ? " and falling" : "";
    say(fmt::format("{}: {} rps{}", client, shortest(effect.rate), slope));
  }
  void describe(const scenario::NodeOutage& effect) { outages_[effect.on].push_back(effect.node); }
  void describe(const scenario::LinkChange& effect) {
    const scenario::Link& link = scenario_->links[effect.link.value];
    const std::string name =
        fmt::format("{} - {}", scenario_->zones[link.first.value].name, scenario_->zones[link.second.value].name);
    if (effect.latency) {
      say(fmt::format("{}: {}", name, duration_text(std::chrono::duration<double>(*effect.latency).count())));
    }
    if (effect.on) {
      say(fmt::format("link {} {}", name, *effect.on ? "back" : "fails"));
    }
  }
  void describe(const scenario::Fails& effect) {
    const std::string what = effect.every > 0        ? "every " + ordinal(effect.every) + " request"
                             : effect.fraction > 0.0 ? exact_percent(effect.fraction)
                                                     : "no more";
    say_of_hosts(effect, "fails " + what, "fail " + what);
  }
  void describe(const scenario::AnswersChecks& effect) {
    const std::string what = fmt::format(" checks: {}", check_answer_text(effect));
    say_of_hosts(effect, "answers" + what, "answer" + what);
  }
  void describe(const scenario::Slow& effect) {
    say_of_hosts(effect, effect.slowness == 1.0 ? std::string("as fast as before")
                                                : fmt::format("{} times as slow", shortest(effect.slowness)));
  }

  // Adds outages: names of zones if every node is affected, otherwise nodes.
  void add_outages(bool on, std::vector<std::string>& parts) const {
    const auto found = outages_.find(on);
    if (found == outages_.end()) {
      return;
    }
    const std::string what = on ? " back" : " fails";
    std::map<config::ZoneIndex, std::vector<config::NodeIndex>> by_zone;
    for (const config::NodeIndex node : found->second) {
      by_zone[scenario_->nodes[node.value].zone].push_back(node);
    }
    for (const auto& [zone, nodes] : by_zone) {
      const config::ZoneIndex here = zone;
      const auto all = std::count_if(scenario_->nodes.begin(), scenario_->nodes.end(),
                                     [here](const scenario::Node& node) { return node.zone == here; });
      if (nodes.size() == static_cast<std::size_t>(all)) {
        parts.push_back(scenario_->zones[zone.value].name + what);
        continue;
      }
      for (const config::NodeIndex node : nodes) {
        parts.push_back(scenario_->nodes[node.value].name + what);
      }
    }
  }

  const scenario::Scenario* scenario_;
  std::map<bool, std::vector<config::NodeIndex>> outages_;
  std::vector<std::string> texts_;
};

}  // namespace

std::vector<Mark> marks_of(const scenario::Scenario& scenario) {
  std::vector<Mark> marks;
  const std::map<std::size_t, scenario::Effect> left = scenario::last_of_moment(scenario);
  for (std::size_t change = 0; change < scenario.changes.size();) {
    Moment moment(scenario);
    const scenario::Nanoseconds at = scenario.changes[change].at;
    for (; change < scenario.changes.size() && scenario.changes[change].at == at; ++change) {
      if (!scenario::is_replaced(left, change)) {
        moment.add(scenario.changes[change].effect);
      }
    }
    if (std::string text = moment.text(); !text.empty()) {
      marks.push_back({at, std::move(text)});
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
