#include "reports/explain/played.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "models/config/seconds.hpp"
#include "reports/requests/happenings.hpp"
#include "reports/text/percent.hpp"
#include "reports/text/text_table.hpp"
#include "sim/run/run.hpp"
#include "sim/scenario/state_at.hpp"

namespace spillway::reports::explain {
namespace {

using run::HappeningKind;
using run::HappeningRecord;

// What goes on at the moment, by whom it is about: the happening that began it.
class Known {
 public:
  void take(const HappeningRecord& record) {
    const Host host{record.service, record.endpoint.value_or(config::EndpointIndex{})};
    const Level level{record.service, record.priority};
    switch (record.kind) {
      case HappeningKind::ejected:
        ejected_[host] = record;
        break;
      case HappeningKind::returned:
        ejected_.erase(host);
        break;
      case HappeningKind::marked_unhealthy:
        unhealthy_[host] = record;
        break;
      case HappeningKind::marked_healthy:
        unhealthy_.erase(host);
        break;
      case HappeningKind::ejection_prevented:
        prevented_[host] = record;
        break;
      case HappeningKind::panic_began:
        panic_[level] = record;
        break;
      case HappeningKind::panic_ended:
        panic_.erase(level);
        break;
      case HappeningKind::update_held:
        held_[record.service] = record;
        break;
      case HappeningKind::breaker_opened:
        open_[{record.service, record.resource}] = record;
        break;
      case HappeningKind::breaker_closed:
        open_.erase({record.service, record.resource});
        break;
      default:
        break;
    }
  }

  [[nodiscard]] std::vector<Fact> facts(const scenario::Scenario& scenario, run::Nanoseconds at) const {
    std::vector<const HappeningRecord*> records;
    const auto add = [&](const auto& of) {
      for (const auto& [key, record] : of) {
        records.push_back(&record);
      }
    };
    add(ejected_);
    add(unhealthy_);
    add(prevented_);
    add(panic_);
    add(open_);
    for (const auto& [service, record] : held_) {
      if (record.until > at) {
        records.push_back(&record);
      }
    }
    std::vector<Fact> facts;
    for (const HappeningRecord* const record : records) {
      facts.push_back({.subject = "since " + duration_text(config::seconds(record->at)),
                       .note = happening_text(scenario, *record)});
    }
    return facts;
  }

  // By service: hosts that get nothing but in panic.
  [[nodiscard]] std::map<config::ServiceIndex, std::set<config::EndpointIndex>> out() const {
    std::map<config::ServiceIndex, std::set<config::EndpointIndex>> out;
    for (const auto* const of : {&ejected_, &unhealthy_}) {
      for (const auto& [host, record] : *of) {
        out[host.first].insert(host.second);
      }
    }
    return out;
  }

 private:
  using Host = std::pair<config::ServiceIndex, config::EndpointIndex>;
  using Level = std::pair<config::ServiceIndex, config::Priority>;
  std::map<Host, HappeningRecord> ejected_;
  std::map<Host, HappeningRecord> unhealthy_;
  std::map<Host, HappeningRecord> prevented_;
  std::map<Level, HappeningRecord> panic_;
  std::map<config::ServiceIndex, HappeningRecord> held_;
  std::map<std::pair<config::ServiceIndex, health::Resource>, HappeningRecord> open_;
};

void tell_out(scenario::Scenario& scenario, const Known& known, const PlayedQuestion& question) {
  const config::ZoneIndex zone = scenario.nodes[scenario.clients[question.client.value].node.value].zone;
  std::vector<scenario::Change> changes;
  for (const auto& [service, endpoints] : known.out()) {
    scenario::TellHealth told{.service = service, .hosts = {}, .audience = {zone}};
    const auto& hosts = scenario.services[service.value].hosts;
    for (std::uint32_t host = 0; host < hosts.size(); ++host) {
      if (!hosts[host].forwards_to && endpoints.contains(hosts[host].endpoint)) {
        told.hosts.emplace_back(config::HostIndex{host}, config::HealthStatus::unhealthy);
      }
    }
    changes.push_back({.at = question.at, .effect = std::move(told), .where = {}});
  }
  scenario::add_changes(scenario, changes);
}

// Which step each kind of failure is of.
constexpr std::array<std::tuple<const char*, std::uint64_t run::Outcomes::*, const char*>, 8> steps_of_failures{
    {{"no_healthy_upstream", &run::Outcomes::no_healthy_upstream, "no host could be picked"},
     {"overflow", &run::Outcomes::overflow, "a circuit breaker turned the request away"},
     {"drop_overload", &run::Outcomes::drop_overload, "drop_overloads answered before any pick"},
     {"connect_failure", &run::Outcomes::connect_failure, "the picked host refused the connection"},
     {"queue_full", &run::Outcomes::queue_full, "the picked host had no room in its queue"},
     {"upstream_error", &run::Outcomes::upstream_error, "the picked host answered with an error or a reset"},
     {"timeout", &run::Outcomes::timeout, "no answer came in time"},
     {"unfinished", &run::Outcomes::unfinished, "no answer came before the end of the run"}}};

std::vector<Fact> failures_at(const run::Results& results, const PlayedQuestion& question) {
  for (const run::Epoch& epoch : results.epochs) {
    if (epoch.client != question.client || epoch.service != question.service || epoch.start > question.at ||
        question.at >= epoch.end) {
      continue;
    }
    const auto found = std::find_if(results.outcomes.begin(), results.outcomes.end(), [&](const run::Outcomes& row) {
      return row.client == epoch.client && row.service == epoch.service && row.epoch == epoch.index;
    });
    if (found == results.outcomes.end() || found->sent == 0) {
      return {};
    }
    const std::string when =
        fmt::format("{} to {}", duration_text(config::seconds(epoch.start)), duration_text(config::seconds(epoch.end)));
    std::vector<Fact> facts{{.subject = when,
                             .note = fmt::format("{} requests of all clients of the entry, {} of them ok",
                                                 with_thousands(found->sent), with_thousands(found->ok))}};
    for (const auto& [name, count, step] : steps_of_failures) {
      if ((*found).*count > 0) {
        const double part = static_cast<double>((*found).*count) / static_cast<double>(found->sent);
        facts.push_back({.subject = name, .note = fmt::format("{} of the requests: {}", exact_percent(part), step)});
      }
    }
    return facts;
  }
  return {};
}

}  // namespace

PlayedProxy play_proxy(const scenario::Scenario& scenario, const PlayedQuestion& question) {
  Known known;
  run::Options options{.mode = scenario::Mode::requests, .seed = question.seed};
  // A hundredth of the run around the moment.
  constexpr int parts = 200;
  for (const run::Nanoseconds cut :
       {question.at - scenario.duration / parts, question.at + scenario.duration / parts}) {
    if (cut > run::Nanoseconds{0} && cut < scenario.duration) {
      options.cuts.push_back(cut);
    }
  }
  options.happenings = run::HappeningLog::Options{.most = 0,
                                                  .keeps =
                                                      [&](const HappeningRecord& record) {
                                                        return !record.change && record.client == question.client &&
                                                               record.instance == question.instance &&
                                                               record.at <= question.at;
                                                      },
                                                  .sink = [&](const HappeningRecord& record) { known.take(record); }};
  const run::Results results = run::run(scenario, options);
  PlayedProxy played{.scenario = scenario, .known = known.facts(scenario, question.at)};
  if (played.known.empty()) {
    played.known.push_back({.note = "nothing that it was not told"});
  }
  played.failed = failures_at(results, question);
  tell_out(played.scenario, known, question);
  return played;
}

void add_played(const PlayedProxy& played, Explanation& explanation) {
  if (explanation.sections.empty()) {
    return;
  }
  std::vector<Step>& first = explanation.sections.front().steps;
  first.insert(first.begin(), Step{.name = "found out", .facts = played.known});
  // They are known now.
  std::erase_if(explanation.notes,
                [](const std::string& note) { return note.starts_with("active checks and ejections"); });
  if (!played.failed.empty()) {
    explanation.sections.back().steps.push_back({.name = "failed", .facts = played.failed});
  }
}

}  // namespace spillway::reports::explain
