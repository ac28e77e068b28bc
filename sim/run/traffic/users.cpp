#include "sim/run/traffic/users.hpp"

#include <algorithm>

#include "sim/engine/entity.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::run {

Users::Users(const scenario::Scenario& scenario, std::uint64_t seed) : thinking_of_(scenario.clients.size(), none) {
  for (std::uint32_t index = 0; index < scenario.clients.size(); ++index) {
    const scenario::ClientEntry& client = scenario.clients[index];
    const scenario::Workload& workload = client.workload;
    if (workload.users == 0) {
      continue;
    }
    thinking_of_[index] = static_cast<std::uint32_t>(thinking_.size());
    const scenario::ServiceVariation constant;
    thinking_.emplace_back(
        engine::RandomStream({seed, engine::Purpose::thinking, engine::entity(client.name)}),
        engine::ServiceTime(workload.think_time,
                            workload.think_variation == nullptr ? constant : *workload.think_variation));
    for (std::uint32_t number = 0; number < client.count; ++number) {
      for (std::uint32_t user = 0; user < workload.users; ++user) {
        sendings_.push({thinking_.back()(), config::ClientEntryIndex{index}, number});
      }
    }
  }
}

void Users::answered(config::ClientEntryIndex entry, std::uint32_t client, Nanoseconds now, Nanoseconds waited) {
  if (thinking_of_[entry.value] == none) {
    return;
  }
  constexpr Nanoseconds least = std::chrono::milliseconds{1};
  const Nanoseconds thinks = thinking_[thinking_of_[entry.value]]();
  const Nanoseconds pause = waited > Nanoseconds{0} ? thinks : std::max(thinks, least);
  // Times beyond any run are dropped.
  if (pause < never - now) {
    sendings_.push({now + pause, entry, client});
  }
}

void Users::for_each_stream(const std::function<void(const engine::RandomStream&)>& visit) const {
  for (const engine::ServiceDraws& thinking : thinking_) {
    visit(thinking.stream());
  }
}

}  // namespace spillway::run
