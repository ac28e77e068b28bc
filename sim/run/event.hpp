// What stands on the agenda.
#pragma once

#include <cstdint>
#include <variant>

#include "models/config/strong.hpp"
#include "models/health/check_answer.hpp"
#include "models/health/detection.hpp"
#include "sim/run/agenda.hpp"
#include "sim/scenario/change.hpp"

namespace spillway::run {

// The scenario's change of this position takes effect.
struct AuthoredChange {
  std::size_t change = 0;
};

// An answer completed a run of failures: the proxy decides whether to eject the host. `cluster`, here and below: the
// position of a ProxyCluster.
struct EjectionDecision {
  std::uint32_t cluster = 0;
  config::HostIndex host;
  health::Detection run = health::Detection::consecutive_5xx;
};

// An update merge window is over.
struct MergedUpdate {
  std::uint32_t cluster = 0;
};

// The proxies of a service look which of their ejected hosts may come back.
struct OutlierSweep {
  config::ServiceIndex service;
};

// Active checks of neighbours are sent, or their results, all alike, are there. Void for a host that has another
// generation.
struct CheckDue {
  std::uint32_t cluster = 0;
  config::HostIndex host;
  std::uint32_t check = 0;  // position in the cluster's health_checks
  std::uint32_t generation = 0;
  std::uint32_t hosts = 1;  // from `host` on
};
struct CheckDone {
  CheckDue of;
  health::CheckResult result;
};

// The proxies of a service make weights of the load reports that they have got.
struct WeightUpdate {
  config::ServiceIndex service;
};

// A period of EndpointBook ends.
struct PeriodEnd {};

// Every flow's row ends, and a new one begins: after a warm-up, or where the caller cuts.
struct RowsEnd {};

// The moment of Options::look.
struct LookDue {};

// Some proxies have other states than before this moment, which the log is still to get.
struct StatesSettled {};

using Event = std::variant<AuthoredChange, EjectionDecision, MergedUpdate, OutlierSweep, CheckDue, CheckDone,
                           WeightUpdate, PeriodEnd, RowsEnd, LookDue, StatesSettled>;

// When a change that the scenario's author wrote takes effect among others of the same moment.
[[nodiscard]] inline EventClass event_class_of(const scenario::Effect& effect) {
  struct ClassOf {
    EventClass operator()(const scenario::EdsHealth& /*effect*/) const { return EventClass::health; }
    EventClass operator()(const scenario::EdsMembership& /*effect*/) const { return EventClass::configuration; }
    EventClass operator()(const scenario::EdsWeights& /*effect*/) const { return EventClass::configuration; }
    EventClass operator()(const scenario::EdsPriority& /*effect*/) const { return EventClass::configuration; }
    EventClass operator()(const config::RuntimeChange& /*effect*/) const { return EventClass::configuration; }
    EventClass operator()(const scenario::RateChange& /*effect*/) const { return EventClass::workload; }
    EventClass operator()(const scenario::Existence& /*effect*/) const { return EventClass::resource; }
    EventClass operator()(const scenario::NodeOutage& /*effect*/) const { return EventClass::resource; }
    EventClass operator()(const scenario::LinkChange& /*effect*/) const { return EventClass::resource; }
    EventClass operator()(const scenario::Fails& /*effect*/) const { return EventClass::resource; }
    EventClass operator()(const scenario::AnswersChecks& /*effect*/) const { return EventClass::resource; }
    EventClass operator()(const scenario::Slow& /*effect*/) const { return EventClass::resource; }
  };
  return std::visit(ClassOf{}, effect);
}

}  // namespace spillway::run
