#include "sim/control_plane/simulator.hpp"

#include <algorithm>

#include "models/config/seconds.hpp"
#include "models/numeric/logarithm.hpp"
#include "sim/engine/entity.hpp"
#include "sim/engine/random_stream.hpp"

namespace spillway::control_plane {

namespace {

using Nanoseconds = std::chrono::nanoseconds;

// Returns the time of event `number` of `count` at even distances on a ramp.
Nanoseconds moment_on(const scenario::Ramp& ramp, std::uint64_t number, std::uint64_t count) {
  if (count < 2) {
    return ramp.from;
  }
  const auto length = static_cast<double>((ramp.to - ramp.from).count());
  const double part = static_cast<double>(number) / static_cast<double>(count - 1);
  return ramp.from + Nanoseconds{static_cast<std::int64_t>(length * part)};
}

}  // namespace

Simulator::Simulator(const scenario::ControlPlaneSetting& setting, std::uint64_t seed)
    : setting_(setting),
      seed_(seed),
      machine_(setting.cores, setting.speed),
      mesh_(setting, seed),
      assignments_(setting, mesh_),
      wrong_(std::size_t{setting.services} * setting.instances),
      proxies_(std::size_t{setting.services} * setting.instances),
      cores_(SharedCores(machine_.cores() - setting.other_work)) {
  if (setting.time_slice > Nanoseconds{0}) {
    cores_ = SlicedCores(machine_.cores() - setting.other_work, setting.time_slice);
  }
  list_mesh_events();
}

void Simulator::list_mesh_events() {
  const auto instances = static_cast<std::uint32_t>(proxies_.size());
  for (std::uint32_t instance = 0; instance < instances; ++instance) {
    mesh_events_.push_back({moment_on(setting_.join, instance, instances), MeshEvent::Kind::join, instance});
  }
  for (std::uint32_t instance = 0; setting_.leave && instance < instances; ++instance) {
    mesh_events_.push_back({moment_on(*setting_.leave, instance, instances), MeshEvent::Kind::leave, instance});
  }
  for (std::uint32_t change = 0; change < setting_.changes.size(); ++change) {
    mesh_events_.push_back({setting_.changes[change].at, MeshEvent::Kind::change, change});
  }
  std::sort(mesh_events_.begin(), mesh_events_.end(), [](const MeshEvent& left, const MeshEvent& right) {
    return std::tuple(left.at, left.kind, left.which) < std::tuple(right.at, right.kind, right.which);
  });
}

void Simulator::simulate(Nanoseconds duration, const std::function<void(Nanoseconds)>& progress) {
  const auto handle_before = [&](Nanoseconds time) {
    while (true) {
      const Nanoseconds work_ends = next_event_of_work();
      const Nanoseconds event_is = events_.empty() ? Nanoseconds::max() : events_.top().at;
      if (std::min(work_ends, event_is) >= time) {
        break;
      }
      if (work_ends <= event_is) {  // at equal times, work precedes events
        now_ = work_ends;
        take_event_of_work();
        continue;
      }
      const Event event = events_.top();
      events_.pop();
      now_ = event.at;
      handle(event);
    }
    machine_.advance_to(time);
    now_ = time;
    progress(time);
  };
  for (const MeshEvent& event : mesh_events_) {
    handle_before(event.at);
    apply(event);
  }
  handle_before(duration);
  wrong_.finish(duration);
}

void Simulator::apply(const MeshEvent& event) {
  ++counts_.mesh_changes;
  switch (event.kind) {
    case MeshEvent::Kind::change:
      mesh_.apply(setting_.changes[event.which].what);
      return;
    case MeshEvent::Kind::leave:
      mesh_.leave(event.which);
      if (proxies_[event.which].present) {
        unpark(event.which);
        proxies_[event.which].present = false;
        wrong_.take(event.which, assignments_.kind_of(mesh_.service_of(event.which)), {}, now_);
      }
      return;
    case MeshEvent::Kind::join:
      break;
  }
  mesh_.join(event.which);
  joined_version_ = mesh_.version();
  if (event.which == 0) {
    busy_before_joining_ = busy_nanoseconds();
  }
  busy_while_joining_ = busy_nanoseconds() - busy_before_joining_;
  if (mesh_.zone_of(event.which) == 0) {
    ++counts_.proxies;
    proxies_[event.which] = {.joined = now_, .present = true};
    push(now_ + setting_.refresh_interval, EventKind::examination, event.which);
    if (setting_.cost.join > Nanoseconds{0}) {
      begin_work({.aside = true}, setting_.cost.join);
    }
  }
}

void Simulator::handle(const Event& event) {
  switch (event.what) {
    case EventKind::examination:
      examine(event.which);
      break;
    case EventKind::context_expires:
      probe();
      break;
    case EventKind::probe:
      if (!making_context_ && now_ >= context_until_) {
        make_context(now_);
      }
      break;
  }
}

std::int64_t Simulator::ticks_until(const Proxy& proxy, Nanoseconds time) const {
  return (time - proxy.joined) / setting_.refresh_interval;
}

Nanoseconds Simulator::tick(const Proxy& proxy, std::int64_t number) const {
  return proxy.joined + number * setting_.refresh_interval;
}

void Simulator::examine(std::uint32_t proxy) {
  if (!proxies_[proxy].present) {
    return;
  }
  proxies_[proxy].ticks = ticks_until(proxies_[proxy], now_);
  if (context_serves()) {
    examine_by_context(proxy, now_);
    return;
  }
  waiting_.emplace_back(now_, proxy);
  if (!making_context_) {
    make_context(now_);
  }
}

void Simulator::examine_by_context(std::uint32_t proxy, Nanoseconds started) {
  Proxy& examined = proxies_[proxy];
  if (examined.version == context_.version) {
    end_examination(proxy);
    return;
  }
  begin({.proxy = proxy, .started = started, .context = context_, .first = examined.version == 0});
}

void Simulator::end_examination(std::uint32_t proxy) {
  Proxy& examined = proxies_[proxy];
  if (!examined.present) {
    return;
  }
  const std::int64_t ticks = ticks_until(examined, now_);
  if (ticks > examined.ticks) {
    push(now_, EventKind::examination, proxy);  // a tick came during the examination
  } else if (examined.version == context_.version) {
    park(proxy);
  } else {
    push(tick(examined, ticks + 1), EventKind::examination, proxy);
  }
}

void Simulator::make_context(Nanoseconds started) {
  making_context_ = true;
  context_begun_ = started;
  begin({.started = started});
}

void Simulator::context_is_made(const Job& job) {
  making_context_ = false;
  context_until_ = now_ + setting_.cache_expiration;
  push(context_until_, EventKind::context_expires);
  if (job.context.version != context_.version) {
    context_ = job.context;
    wake_parked();
  }
  // Sorts by the order of the requests.
  std::sort(waiting_.begin(), waiting_.end());
  for (const auto& [since, proxy] : std::exchange(waiting_, {})) {
    if (proxies_[proxy].present) {
      examine_by_context(proxy, since);
    }
  }
}

// Wakes parked proxies. Those whose tick came while the context was made have waited for it; the others are examined at
// their next tick.
void Simulator::wake_parked() {
  for (const auto& [phase, parked] : std::exchange(parked_, {})) {
    Proxy& proxy = proxies_[parked];
    const Nanoseconds since_joined = std::max(context_begun_ - proxy.joined, Nanoseconds{0});
    const std::int64_t next = std::max(
        proxy.ticks + 1, (since_joined + setting_.refresh_interval - Nanoseconds{1}) / setting_.refresh_interval);
    if (tick(proxy, next) <= now_) {
      proxy.ticks = next;
      waiting_.emplace_back(tick(proxy, next), parked);
    } else {
      push(tick(proxy, next), EventKind::examination, parked);
    }
  }
}

void Simulator::park(std::uint32_t proxy) {
  Proxy& parked = proxies_[proxy];
  parked_.emplace(parked.joined % setting_.refresh_interval, proxy);
  if (!making_context_ && now_ >= context_until_) {
    push(tick(parked, ticks_until(parked, now_) + 1), EventKind::probe);
  }
}

void Simulator::unpark(std::uint32_t proxy) {
  parked_.erase({proxies_[proxy].joined % setting_.refresh_interval, proxy});
}

// Schedules the next context: after expiry, the first up-to-date proxy with a tick makes it.
void Simulator::probe() {
  if (making_context_ || now_ < context_until_ || parked_.empty()) {
    return;
  }
  const Nanoseconds phase = now_ % setting_.refresh_interval;
  const auto next = parked_.lower_bound({phase, 0});
  const Nanoseconds wait =
      next != parked_.end() ? next->first - phase : parked_.begin()->first + setting_.refresh_interval - phase;
  push(now_ + wait, EventKind::probe);
}

void Simulator::begin(Job job) {
  if (!job.proxy) {
    job.context = {mesh_.version(), mesh_.services()};
  }
  const Nanoseconds work = work_of(job);
  begin_work(std::move(job), work);
}

void Simulator::begin_work(Job job, Nanoseconds work) {
  const Nanoseconds time = machine_.time_of(work);
  std::uint32_t place = 0;
  if (free_places_.empty()) {
    place = static_cast<std::uint32_t>(under_way_.size());
    under_way_.push_back(std::move(job));
  } else {
    place = free_places_.back();
    free_places_.pop_back();
    under_way_[place] = std::move(job);
  }
  std::visit([&](auto& cores) { cores.add(now_, time, place); }, cores_);
}

Nanoseconds Simulator::next_event_of_work() const {
  const auto* const shared = std::get_if<SharedCores>(&cores_);
  return shared != nullptr ? shared->next_end() : std::get<SlicedCores>(cores_).next_event();
}

void Simulator::take_event_of_work() {
  if (auto* const shared = std::get_if<SharedCores>(&cores_)) {
    end_work(shared->take_ended(now_));
  } else if (const auto place = std::get<SlicedCores>(cores_).take_event(now_)) {
    end_work(*place);
  }
}

double Simulator::busy_nanoseconds() {
  return std::visit([&](auto& cores) { return cores.busy_nanoseconds(now_); }, cores_);
}

Nanoseconds Simulator::work_of(Job& job) {
  const scenario::ControlPlaneCost& cost = setting_.cost;
  if (!job.proxy) {
    ++counts_.mesh_contexts;
    return cost.mesh_context * mesh_.resources();
  }
  ++counts_.generations;
  const std::uint32_t service = mesh_.service_of(*job.proxy);
  const std::uint32_t kind = assignments_.kind_of(service);
  std::int64_t asked = 0;
  std::int64_t made = 0;
  for (const std::uint32_t other : mesh_.reachable(service)) {
    if (mesh_.endpoints_version(other, job.context.version) == 0) {
      continue;  // the service has no endpoints yet
    }
    std::vector<std::uint8_t> before;
    Asked answer = assignments_.ask(other, kind, job.context.version, now_, before);
    ++asked;
    made += answer.made ? 1 : 0;
    if (answer.edited) {
      wrong_.turn(*answer.object, before, now_);
    }
    if (answer.object) {
      job.objects.push_back(std::move(answer.object));
    }
  }
  counts_.asked += static_cast<std::uint64_t>(asked);
  counts_.made += static_cast<std::uint64_t>(made);
  return cost.generation + cost.service * job.context.services + cost.lookup * asked + cost.assignment * made +
         (job.first ? certificate_work(*job.proxy) : Nanoseconds{0});
}

// Returns the work for a certificate. Two primes are searched for by trial: each takes an exponential time, half of the
// mean.
Nanoseconds Simulator::certificate_work(std::uint32_t proxy) const {
  engine::RandomStream stream({seed_, engine::Purpose::service, engine::entity("proxy certificate", proxy), 0});
  const double first = engine::unit_interval(stream);
  const double second = engine::unit_interval(stream);
  const double logarithms = numeric::natural_logarithm(first) + numeric::natural_logarithm(second);
  const auto mean = static_cast<double>(setting_.cost.proxy_certificate.count());
  return Nanoseconds{static_cast<std::int64_t>(mean / 2.0 * -logarithms)};
}

void Simulator::end_work(std::uint32_t place) {
  Job job = std::move(under_way_[place]);
  free_places_.push_back(place);
  if (job.aside) {
    return;
  }
  if (!job.proxy) {
    context_is_made(job);
    return;
  }
  if (proxies_[*job.proxy].present) {
    end_generation(job);
  }
}

void Simulator::end_generation(Job& job) {
  const std::uint32_t instance = *job.proxy;
  Proxy& proxy = proxies_[instance];
  if (job.first || has_changed(proxy, instance, job.context.version)) {
    ++counts_.changed;
    const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(now_ - job.started);
    summary_.observe(now_, config::seconds(whole));
    if (proxy.version < joined_version_ && now_ > setting_.join.to) {
      settled_ = now_ - setting_.join.to;
    }
  }
  if (setting_.sharing == scenario::AssignmentSharing::shared_object) {
    wrong_.take(instance, assignments_.kind_of(mesh_.service_of(instance)), std::move(job.objects), now_);
  }
  proxy.version = job.context.version;
  end_examination(instance);
}

bool Simulator::has_changed(const Proxy& proxy, std::uint32_t instance, std::uint64_t version) const {
  if (mesh_.policy_version(version) > proxy.version) {
    return true;
  }
  const auto reachable = mesh_.reachable(mesh_.service_of(instance));
  return std::any_of(reachable.begin(), reachable.end(),
                     [&](std::uint32_t service) { return mesh_.endpoints_version(service, version) > proxy.version; });
}

SettingResults Simulator::results() const {
  SettingResults results;
  results.counts = counts_;
  results.hazard = wrong_.hazard();
  results.settled = settled_;
  const Nanoseconds joining = setting_.join.to - setting_.join.from;
  if (joining > Nanoseconds{0}) {
    const auto cores = static_cast<double>(setting_.cores - setting_.other_work);
    results.busy = busy_while_joining_ / (static_cast<double>(joining.count()) * cores);
  }
  return results;
}

}  // namespace spillway::control_plane
