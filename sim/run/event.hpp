// The events on the agenda.
#pragma once

#include <cstdint>
#include <variant>

#include "models/config/strong.hpp"
#include "models/health/check_answer.hpp"
#include "models/health/detection.hpp"
#include "sim/run/agenda.hpp"
#include "sim/scenario/change.hpp"

namespace spillway::run {

// The scenario's change at this position takes effect.
struct AuthoredChange {
  std::size_t change = 0;
};

// A response completed a series of failures: the proxy decides whether to eject the host. `cluster`, here and below, is
// the position of a ProxyCluster.
struct EjectionDecision {
  std::uint32_t cluster = 0;
  config::HostIndex host;
  health::Detection run = health::Detection::consecutive_5xx;
};

// An update merge window ends.
struct MergedUpdate {
  std::uint32_t cluster = 0;
};

// The proxies of a service check which of their ejected hosts may return.
struct OutlierSweep {
  config::ServiceIndex service;
};

// Active checks of adjacent hosts are sent, or their equal results arrive. Void for a host with another generation.
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

// The proxies of a service derive weights from their load reports.
struct WeightUpdate {
  config::ServiceIndex service;
};

// A period of EndpointBook ends.
struct PeriodEnd {};

// Every flow's row ends and a new one begins: after a warm-up, or at a cut of the caller's.
struct RowsEnd {};

// The time of Options::look.
struct LookDue {};

// Some proxies have new states since the beginning of this time, which have to be logged.
struct StatesSettled {};

using Event = std::variant<AuthoredChange, EjectionDecision, MergedUpdate, OutlierSweep, CheckDue, CheckDone,
                           WeightUpdate, PeriodEnd, RowsEnd, LookDue, StatesSettled>;

// Returns when a timeline change takes effect among events at the same time.
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
