#include "sim/run/snapshot.hpp"

#include <algorithm>
#include <map>
#include <type_traits>
#include <variant>

#include "models/envoy/cluster_state.hpp"
#include "models/envoy/exact_shares.hpp"
#include "models/envoy/newcomers.hpp"
#include "models/envoy/policies/registry.hpp"
#include "sim/engine/epoch_record.hpp"
#include "sim/run/eds/upstreams.hpp"
#include "sim/run/event.hpp"
#include "sim/run/exact/closed_forms.hpp"
#include "sim/run/exact/exact_mean.hpp"
#include "sim/run/records/shares.hpp"
#include "sim/run/requests/forwarded_parts.hpp"
#include "sim/run/traffic/traced_part.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/last_of_moment.hpp"
#include "sim/scenario/service_lookup.hpp"

namespace spillway::run {

Snapshot::Snapshot(const scenario::Scenario& scenario, Nanoseconds at)
    : scenario_(&scenario),
      at_(at),
      flows_(scenario),
      traffic_(std::make_unique<Traffic>(scenario, flows_)),
      upstreams_(std::make_unique<Upstreams>(scenario, flows_)),
      opened_(scenario, upstreams_->classes()),
      closed_forms_(std::make_unique<ClosedForms>(scenario, flows_, *traffic_, *upstreams_, scenario::Mode::exact)),
      slow_start_until_(flows_.size(), Nanoseconds{0}),
      reported_last_(flows_.size(), Nanoseconds{0}) {
  Agenda<std::size_t> agenda;
  for (std::size_t change = 0; change < scenario.changes.size(); ++change) {
    agenda.push(scenario.changes[change].at, event_class_of(scenario.changes[change].effect), change);
  }
  Nanoseconds since{0};
  const auto left = scenario::last_of_moment(scenario);
  while (agenda.next_time() <= at) {
    if (agenda.next_time() > since) {
      note_connections(since);
      since = agenda.next_time();
    }
    const auto entry = agenda.pop();
    const auto last = left.find(entry.event);
    std::visit(
        [&](const auto& effect) {
          if constexpr (scenario::is_reported<std::decay_t<decltype(effect)>>) {
            apply(effect, entry.at);
          } else if constexpr (std::is_same_v<std::decay_t<decltype(effect)>, config::RuntimeChange>) {
            upstreams_->tell(effect);
          }
        },
        last == left.end() ? scenario.changes[entry.event].effect : last->second);
  }
}

Snapshot::~Snapshot() = default;

const envoy::ClusterState& Snapshot::state(FlowIndex flow) const noexcept {
  return *upstreams_->state(flow);
}

// Records connections in the state that has been in force since then.
void Snapshot::note_connections(Nanoseconds since) {
  std::vector<bool> noted(upstreams_->classes(), false);
  ForwardedParts forwarded({*scenario_, flows_, *traffic_, *upstreams_});
  for (const FlowIndex flow : flows_.all()) {
    const std::uint32_t of = upstreams_->class_index(flow);
    if (noted[of]) {
      continue;
    }
    noted[of] = true;
    const Targets targets(*scenario_, flows_.at(flow).service);
    opened_.note(of, targets, forwarded.of(targets), since);
  }
}

template <class Push>
void Snapshot::apply(const Push& push, Nanoseconds now) {
  const std::vector<FlowIndex>& flows = upstreams_->flows_to(push.service);
  std::vector<Upstreams::State> before;
  before.reserve(flows.size());
  for (const FlowIndex flow : flows) {
    before.push_back(upstreams_->state(flow));
  }
  upstreams_->tell(push, now > Nanoseconds{0} ? Upstreams::Removal::once_a_check_fails : Upstreams::Removal::at_once);
  for (std::size_t position = 0; position < flows.size(); ++position) {
    const FlowIndex flow = flows[position];
    if (upstreams_->concerns(push, flow) || upstreams_->passes_on(flow, push.service)) {
      for (const FlowIndex together : flows_.group(flows_.leader(flow))) {
        reported_last_[together.value] = now;
      }
    }
    if (!upstreams_->concerns(push, flow)) {
      continue;
    }
    const Nanoseconds window = envoy::slow_start_window(state(flow));
    if (window > Nanoseconds{0} && envoy::gains_healthy_host(*before[position], state(flow))) {
      Nanoseconds& until = slow_start_until_[flow.value];
      until = std::max(until, now + window);
    }
  }
}

std::vector<FlowIndex> Snapshot::flow_group(config::ClientEntryIndex client, config::ServiceIndex service) const {
  std::vector<FlowIndex> group;
  for (const FlowIndex flow : flows_.of_client(client)) {
    if (scenario::asked_for(*scenario_, flows_.at(flow).service) == service) {
      group.push_back(flow);
    }
  }
  return group;
}

double Snapshot::part_of_group(FlowIndex flow) const {
  const std::vector<FlowIndex>& group = flows_.group(flows_.leader(flow));
  double all = 0.0;
  for (const FlowIndex one : group) {
    all += traffic_->part_of_client(one);
  }
  return group.size() > 1 ? traffic_->part_of_client(flow) / all : 1.0;
}

envoy::ExactShares Snapshot::exact_shares(FlowIndex flow, std::vector<TracedPart>* traced) const {
  // Changes at `at` itself are included.
  const ClosedForms::When when{.before = at_ + Nanoseconds{1},
                               .slow_start = slow_start_until_[flow.value] > reported_last_[flow.value]};
  return closed_forms_->exact_shares(flow, state(flow), when, traced);
}

Snapshot::Shares Snapshot::shares(FlowIndex flow) const {
  return shares(flow, exact_shares(flow));
}

Snapshot::Shares Snapshot::shares(FlowIndex flow, const envoy::ExactShares& of) const {
  const Targets targets(*scenario_, flows_.at(flow).service);
  const std::vector<double> parts = forwarded_parts({*scenario_, flows_, *traffic_, *upstreams_}, targets);
  const std::vector<std::uint8_t> connected = opened_.of(upstreams_->class_index(flow), targets, at_);
  const UnsureParts unsure = closed_forms_->unsure_parts(targets, at_ + Nanoseconds{1});
  ExactMean mean(targets, parts, connected);
  mean.leave_unsure(unsure);
  mean.add(of, 1.0);
  Shares result{.basis = mean.basis(), .why_joint = mean.why_joint()};
  const double part = part_of_group(flow);
  std::map<std::uint32_t, std::uint32_t> rows_of_joint;
  for (const std::uint32_t row : targets.rows()) {
    const double share = mean.share(row);
    const std::uint32_t joint = mean.joint(row);
    if (share != 0.0 || joint != 0) {
      result.rows.push_back({row / engine::availabilities,
                             static_cast<envoy::Availability>(row % engine::availabilities), share * part, joint});
      ++rows_of_joint.try_emplace(joint, mean.sums_are_exact() ? 0 : 1).first->second;
    }
  }
  for (Row& row : result.rows) {
    row.joint_rows = row.joint == 0 ? 0 : rows_of_joint.at(row.joint);
  }
  return result;
}

}  // namespace spillway::run
