// The expected load of every endpoint in mode exact, which sends no requests. Requests are rate x time x exact share.
// Utilisation is the work that they need from the cores: requests x mean service time / (cores x time). Above 1 the
// endpoint cannot keep up.
//
//   ExpectedLoads loads(scenario, flows, book, truth, world, sample);
//   loads.expect(flow, 1'200.0, start, end);           // of each flow, at each of ends(), before anything changes then
//   loads.end_period();
//   loads.write(true, results);                        // once all periods and rows have ended
//
// Neither retries nor rejections by full queues are included. Loads are unknown for endpoints with requests of flows
// without a closed form, or of users who wait for responses. Requests that the endpoint never works on (it is gone, its
// node is off, it refuses or never answers) need no core.
//
// Memory: 24 bytes per endpoint and period. A period costs as much as the exact shares of all classes of flows.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "sim/run/records/epoch_book.hpp"
#include "sim/run/traffic/flows.hpp"
#include "sim/world/forward.hpp"

namespace spillway::run {

class Truth;     // truth.hpp
struct Stretch;  // load_periods.hpp

class ExpectedLoads {
 public:
  // Lifetime: all arguments must outlive this object.
  ExpectedLoads(const scenario::Scenario& scenario, const Flows& flows, const EpochBook& book, const Truth& truth,
                const world::World& world, std::optional<Nanoseconds> sample, std::span<const Nanoseconds> cuts = {});

  // Returns the ends of the periods, ascending. Nothing changes within a period.
  [[nodiscard]] std::span<const Nanoseconds> ends() const noexcept { return ends_; }

  // Adds the requests that all clients of the flow together sent in the period that is about to end.
  void expect(FlowIndex flow, double requests, Nanoseconds start, Nanoseconds end);
  void end_period();

  // `epochs`: also writes a row for each epoch, besides samples and windows.
  void write(bool epochs, Results& results) const;

 private:
  // Clients on one node whose requests go to the same places.
  using Alike = std::tuple<EpochBook::PresentClass, config::NodeIndex, bool>;
  struct Demand {
    FlowIndex flow;  // one of the alike flows
    double requests = 0.0;
    Nanoseconds start{0};
    Nanoseconds end{0};
  };
  void add(const Demand& demand);

  struct Load {
    config::EndpointIndex endpoint;
    double requests = 0.0;  // NaN if unknown
    double busy = 0.0;      // nanoseconds of a core
  };

  [[nodiscard]] double busy_of_one(const Target& target, config::NodeIndex client) const;
  [[nodiscard]] std::vector<EndpointLoad> loads(std::span<const Stretch> stretches) const;
  // Returns the place of the endpoint's cores; endpoints that share their node's cores have one place.
  [[nodiscard]] std::size_t cores_place(config::EndpointIndex endpoint) const;

  const scenario::Scenario* scenario_;
  const Flows* flows_;
  const EpochBook* book_;
  const Truth* truth_;
  const world::World* world_;
  std::optional<Nanoseconds> sample_;
  std::vector<Nanoseconds> ends_;
  std::vector<std::optional<config::ServiceIndex>> service_of_;  // by endpoint; nullopt for a zone proxy
  std::vector<Demand> demands_;                                  // of the current period
  std::map<Alike, std::size_t> alike_;                           // places in demands_; only looked up
  std::vector<Load> now_;                                        // by endpoint, of the current period
  std::vector<std::vector<Load>> periods_;
};

}  // namespace spillway::run
