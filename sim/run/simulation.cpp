#include "sim/run/simulation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <variant>

namespace spillway::run {

namespace {

// How many requests are played between two looks at the progress.
constexpr std::uint64_t requests_per_report = 1U << 16U;

struct ClassOf {
  EventClass operator()(const scenario::TellHealth& /*effect*/) const { return EventClass::health; }
  EventClass operator()(const scenario::TellMembership& /*effect*/) const { return EventClass::configuration; }
  EventClass operator()(const scenario::RateChange& /*effect*/) const { return EventClass::workload; }
  template <class Resource>
  EventClass operator()(const Resource& /*effect*/) const {
    return EventClass::resource;
  }
};

}  // namespace

Simulation::Simulation(const scenario::Scenario& scenario, const Options& options)
    : scenario_(&scenario),
      options_(options),
      mode_(options.mode.value_or(scenario.mode)),
      seed_(options.seed.value_or(scenario.seed)),
      world_(scenario),
      upstreams_(scenario),
      book_(scenario, upstreams_, mode_) {
  for (std::size_t change = 0; change < scenario.changes.size(); ++change) {
    agenda_.push(scenario.changes[change].at, std::visit(ClassOf{}, scenario.changes[change].effect),
                 AuthoredChange{change});
  }
  for (const scenario::ClientEntry& client : scenario.clients) {
    rates_.push_back(client.workload.rate);
  }
  if (mode_ == scenario::Mode::exact) {
    return;
  }
  player_.emplace(scenario, seed_, world_, upstreams_, book_, agenda_);
  for (std::uint32_t service = 0; service < scenario.services.size(); ++service) {
    if (const auto& detection = scenario.services[service].cluster.outlier_detection) {
      agenda_.push(detection->interval, EventClass::sweep, OutlierSweep{config::ServiceIndex{service}});
    }
  }
}

Results Simulation::play() {
  while (agenda_.next_time() <= Nanoseconds{0}) {
    apply_entries_of(Nanoseconds{0});
  }
  begin_missing_rows(Nanoseconds{0});
  while (true) {
    play_requests();
    const Nanoseconds now = agenda_.next_time();
    if (now >= scenario_->duration) {
      break;
    }
    world_.advance_to(now);
    apply_entries_of(now);
    if (options_.progress) {
      options_.progress(now, scenario_->duration);
    }
  }
  world_.advance_to(scenario_->duration);
  for (std::uint32_t entry = 0; entry < entries(); ++entry) {
    end_row(config::ClientEntryIndex{entry}, scenario_->duration);
  }

  Results results;
  results.mode = mode_;
  results.seed = seed_;
  book_.write(results);
  if (player_) {
    results.events = player_->events();
    results.unseed = unseed();
  }
  return results;
}

// Strictly before the agenda's next time; past the end of the scenario only the answers that are still under way.
void Simulation::play_requests() {
  if (!player_) {
    return;
  }
  const auto limit = [&] {
    return agenda_.next_time() < scenario_->duration ? agenda_.next_time() : engine::Calendar::never;
  };
  while (player_->next_time() < limit()) {
    const Nanoseconds now = player_->next_time();
    player_->play_next();
    if (options_.progress && player_->played() % requests_per_report == 0) {
      options_.progress(std::min(now, scenario_->duration), scenario_->duration);
    }
  }
}

void Simulation::apply_entries_of(Nanoseconds now) {
  while (agenda_.next_time() == now) {
    const Agenda<Event>::Entry entry = agenda_.pop();
    std::visit([&](const auto& event) { apply(event, now); }, entry.event);
  }
  begin_missing_rows(now);
}

void Simulation::apply(const AuthoredChange& event, Nanoseconds now) {
  std::visit([&](const auto& effect) { change(effect, now); }, scenario_->changes[event.change].effect);
}

void Simulation::apply(const OutlierSweep& event, Nanoseconds now) {
  player_->sweep(event.service, now);
  const auto& detection = scenario_->services[event.service.value].cluster.outlier_detection;
  agenda_.push(now + detection->interval, EventClass::sweep, event);
}

template <class Push>
void Simulation::tell(const Push& push, Nanoseconds now) {
  for (std::uint32_t index = 0; index < entries(); ++index) {
    const config::ClientEntryIndex entry{index};
    // Several changes of one moment are one row.
    if (upstreams_.concerns(push, entry) && book_.is_open(entry)) {
      end_row(entry, now);
    }
  }
  upstreams_.tell(push);
  for (std::uint32_t index = 0; player_ && index < entries(); ++index) {
    const config::ClientEntryIndex entry{index};
    if (upstreams_.concerns(push, entry)) {
      player_->take_pushed_states(entry, now);
    }
  }
}

void Simulation::change(const scenario::Existence& effect, Nanoseconds /*now*/) {
  if (player_) {
    player_->set_existing(effect);
  }
}

void Simulation::change(const scenario::RateChange& effect, Nanoseconds now) {
  if (book_.is_open(effect.client)) {
    count_time(effect.client, now);
  }
  rates_[effect.client.value] = effect.rate;
  if (player_) {
    player_->set_rate(effect, now);
  }
}

void Simulation::change(const scenario::NodeOutage& effect, Nanoseconds now) {
  for (std::uint32_t index = 0; index < entries(); ++index) {
    if (scenario_->clients[index].node == effect.node && book_.is_open(config::ClientEntryIndex{index})) {
      count_time(config::ClientEntryIndex{index}, now);
    }
  }
  world_.set_on(effect.node, effect.on);
}

void Simulation::change(const scenario::LinkChange& effect, Nanoseconds /*now*/) {
  if (effect.latency) {
    world_.set_latency(effect.link, *effect.latency);
  }
  if (effect.on) {
    world_.set_on(effect.link, *effect.on);
  }
}

void Simulation::change(const scenario::Fails& effect, Nanoseconds /*now*/) {
  if (player_) {
    player_->set_failing(effect);
  }
}

void Simulation::change(const scenario::AnswersChecks& effect, Nanoseconds /*now*/) {
  if (player_) {
    player_->set_check_answers(effect);
  }
}

void Simulation::end_row(config::ClientEntryIndex entry, Nanoseconds now) {
  count_time(entry, now);
  if (player_) {
    player_->count_requests(entry);
  }
  book_.close(entry, now);
}

void Simulation::begin_missing_rows(Nanoseconds now) {
  for (std::uint32_t index = 0; index < entries(); ++index) {
    if (!book_.is_open(config::ClientEntryIndex{index})) {
      book_.open(config::ClientEntryIndex{index}, now);
    }
  }
}

void Simulation::count_time(config::ClientEntryIndex entry, Nanoseconds now) {
  const bool sending = world_.is_on(scenario_->clients[entry.value].node);
  book_.count_time(entry, upstreams_.state(entry), now, sending ? rates_[entry.value] : 0.0);
}

std::string Simulation::unseed() const {
  return fmt::format("{:016x}", player_->fingerprint());
}

}  // namespace spillway::run
