#include "reports/plot/latency_timeline.hpp"

#include <algorithm>

#include "sim/run/traffic/request_trace.hpp"

namespace spillway::reports::plot {

void LatencyTimeline::add(const run::TracedRequest& request) {
  if (request.outcome != scenario::Outcome::ok) {
    return;
  }
  std::vector<Stretch>& stretches = stretches_[{request.client, request.service}];
  if (stretches.empty()) {
    for (scenario::Nanoseconds begin{0}; begin < duration_; begin += interval_) {
      stretches.push_back({begin, std::min(begin + interval_, duration_), {}});
    }
  }
  const auto stretch = static_cast<std::size_t>(request.sent_at / interval_);
  stretches[std::min(stretch, stretches.size() - 1)].latency.add(request.ended_at - request.sent_at);
}

}  // namespace spillway::reports::plot
