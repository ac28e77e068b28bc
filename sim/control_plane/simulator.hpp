// The simulation of one setting of a control plane (rules: simulate.hpp).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "sim/control_plane/assignments.hpp"
#include "sim/control_plane/latency_summary.hpp"
#include "sim/control_plane/mesh.hpp"
#include "sim/control_plane/results.hpp"
#include "sim/control_plane/shared_cores.hpp"
#include "sim/control_plane/sliced_cores.hpp"
#include "sim/control_plane/wrong_assignments.hpp"
#include "sim/world/machine.hpp"

namespace spillway::control_plane {

class Simulator {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  Simulator(const scenario::ControlPlaneSetting& setting, std::uint64_t seed);

  // Simulates from the start to `duration`. Calls `progress` with the time reached.
  void simulate(Nanoseconds duration, const std::function<void(Nanoseconds)>& progress);

  [[nodiscard]] const LatencySummary& latency() const noexcept { return summary_; }
  // Returns counts, hazard, busy and settled.
  [[nodiscard]] SettingResults results() const;

 private:
  // A change of the mesh.
  struct MeshEvent {
    enum class Kind : std::uint8_t { join, leave, change };
    Nanoseconds at{0};
    Kind kind = Kind::join;
    std::uint32_t which = 0;  // instance, or position in the setting's changes
  };
  struct Context {
    std::uint64_t version = 0;
    std::uint32_t services = 0;  // in the mesh
  };
  // A piece of work: an examination of a proxy, or, without a proxy, a context or work with an unneeded result.
  struct Job {
    std::optional<std::uint32_t> proxy = {};
    bool aside = false;
    Nanoseconds started{0};  // the tick that caused it
    Context context = {};
    bool first = false;
    WrongAssignments::Objects objects = {};
  };
  enum class EventKind : std::uint8_t { examination, context_expires, probe };
  struct Event {
    Nanoseconds at{0};
    std::uint64_t sequence = 0;
    EventKind what = EventKind::examination;
    std::uint32_t which = 0;  // index of the proxy

    [[nodiscard]] friend bool operator<(const Event& left, const Event& right) noexcept {
      return std::pair(right.at, right.sequence) < std::pair(left.at, left.sequence);  // the first on top
    }
  };
  struct Proxy {
    Nanoseconds joined{0};
    std::int64_t ticks = 0;     // ticks so far
    std::uint64_t version = 0;  // of its configuration; 0 if it has none
    bool present = false;
  };

  void list_mesh_events();
  void apply(const MeshEvent& event);
  void handle(const Event& event);
  void push(Nanoseconds at, EventKind what, std::uint32_t which = 0) { events_.push({at, sequence_++, what, which}); }

  [[nodiscard]] std::int64_t ticks_until(const Proxy& proxy, Nanoseconds time) const;
  [[nodiscard]] Nanoseconds tick(const Proxy& proxy, std::int64_t number) const;
  void examine(std::uint32_t proxy);
  void examine_by_context(std::uint32_t proxy, Nanoseconds started);
  void end_examination(std::uint32_t proxy);

  [[nodiscard]] bool context_serves() const noexcept { return !making_context_ && now_ < context_until_; }
  void make_context(Nanoseconds started);
  void context_is_made(const Job& job);
  void wake_parked();
  void park(std::uint32_t proxy);
  void unpark(std::uint32_t proxy);
  void probe();

  [[nodiscard]] Nanoseconds next_event_of_work() const;
  void take_event_of_work();
  [[nodiscard]] double busy_nanoseconds();
  void begin(Job job);
  void begin_work(Job job, Nanoseconds work);
  [[nodiscard]] Nanoseconds work_of(Job& job);
  [[nodiscard]] Nanoseconds certificate_work(std::uint32_t proxy) const;
  void end_work(std::uint32_t place);
  void end_generation(Job& job);
  [[nodiscard]] bool has_changed(const Proxy& proxy, std::uint32_t instance, std::uint64_t version) const;

  const scenario::ControlPlaneSetting& setting_;
  std::uint64_t seed_;
  world::Machine machine_;
  Mesh mesh_;
  Assignments assignments_;
  WrongAssignments wrong_;
  LatencySummary summary_;
  std::vector<MeshEvent> mesh_events_;
  std::vector<Proxy> proxies_;  // by instance; those of other zones are never present
  std::variant<SharedCores, SlicedCores> cores_;
  std::vector<Job> under_way_;
  std::vector<std::uint32_t> free_places_;  // of under_way_
  std::priority_queue<Event> events_;
  std::uint64_t sequence_ = 0;
  Nanoseconds now_{0};

  Context context_;
  Nanoseconds context_until_{0};
  bool making_context_ = false;
  Nanoseconds context_begun_{0};                                // of the context being made
  std::vector<std::pair<Nanoseconds, std::uint32_t>> waiting_;  // for the context: since when, and the proxy
  std::set<std::pair<Nanoseconds, std::uint32_t>> parked_;      // up to date: by the phase of their ticks

  Counts counts_;
  double busy_before_joining_ = 0.0;  // nanoseconds of all cores
  double busy_while_joining_ = 0.0;
  std::uint64_t joined_version_ = 0;  // of the mesh, when the last instance had joined
  Nanoseconds settled_{0};
};

}  // namespace spillway::control_plane
