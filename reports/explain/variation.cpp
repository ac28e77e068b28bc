#include "reports/explain/variation.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "reports/explain/asked_shares.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/scenario/client.hpp"

namespace spillway::reports::explain {

Variation::Variation(const scenario::Scenario& scenario, const Question& question, Target target)
    : scenario_(question.headers.empty() ? scenario : with_headers(scenario, question)),
      question_(question),
      target_(std::move(target)) {
  scenario::SharedList<scenario::ClientEntry> clients;
  clients.add(scenario_.clients.share(question.client.value));
  for (std::uint32_t client = 0; client < scenario_.clients.size(); ++client) {
    if (std::as_const(scenario_.clients)[client].zone_proxy && client != question.client.value) {
      clients.add(scenario_.clients.share(client));
    }
  }
  scenario_.clients = std::move(clients);
  question_.client = {0};
  std::erase_if(scenario_.changes, [&](const scenario::Change& change) {
    return change.at > question.at || std::holds_alternative<scenario::RateChange>(change.effect);
  });
}

std::optional<double> Variation::share() const {
  const run::Snapshot snapshot(scenario_, question_.at);
  return exact_share(asked_shares(snapshot, question_).endpoints,
                     [&](const EndpointShare& row) { return target_.has(row); });
}

bool Variation::gets_anything() const {
  const run::Snapshot snapshot(scenario_, question_.at);
  const AskedShares shares = asked_shares(snapshot, question_);
  return std::any_of(shares.endpoints.begin(), shares.endpoints.end(),
                     [&](const EndpointShare& row) { return target_.has(row) && row.share > 0.0; });
}

bool Variation::gets_anything(const Input& input, std::uint64_t value) {
  input.set(scenario_, value);
  const bool result = gets_anything();
  input.set(scenario_, input.now);
  return result;
}

std::optional<double> Variation::share_at(const Input& input, std::uint64_t value) {
  input.set(scenario_, value);
  const std::optional<double> result = share();
  input.set(scenario_, input.now);
  return result;
}

// Searches outwards from the current value in doubling steps, up to `end`. Between the last unchanged value and the
// first changed one a binary search then finds two neighbours with different results.
std::optional<Why::Turn> Variation::turn_towards(const Input& input, std::uint64_t end, bool gets) {
  const bool up = end > input.now;
  const std::uint64_t far = up ? end - input.now : input.now - end;
  const auto value_at = [&](std::uint64_t away) { return up ? input.now + away : input.now - away; };
  std::uint64_t same = input.now;
  std::optional<std::uint64_t> first_turned;
  for (std::uint64_t away = 1; far > 0 && !first_turned; away *= 2) {
    const std::uint64_t value = value_at(std::min(away, far));
    if (gets_anything(input, value) != gets) {
      first_turned = value;
    } else if (away >= far) {
      break;
    } else {
      same = value;
    }
  }
  if (!first_turned) {
    return std::nullopt;
  }
  std::uint64_t turned = *first_turned;
  const auto apart = [&] { return same < turned ? turned - same : same - turned; };
  while (apart() > 1) {
    const std::uint64_t middle = same < turned ? same + (turned - same) / 2 : turned + (same - turned) / 2;
    (gets_anything(input, middle) == gets ? same : turned) = middle;
  }
  Why::Turn turn{.input = input.name,
                 .now = input.text(input.now),
                 .turns_at = input.text(turned),
                 .share_there = share_at(input, turned),
                 .where = input.where};
  if (same != input.now) {
    turn.just_before = input.text(same);
    turn.share_before = share_at(input, same);
  }
  return turn;
}

std::vector<Why::Turn> Variation::turns(const Input& input) {
  const bool gets = gets_anything();
  std::vector<Why::Turn> found;
  for (const std::uint64_t end : {input.least, input.most}) {
    if (auto turn = turn_towards(input, end, gets)) {
      found.push_back(*std::move(turn));
    }
  }
  if (found.empty()) {
    found.push_back({.input = input.name, .now = input.text(input.now), .where = input.where});
  }
  return found;
}

}  // namespace spillway::reports::explain
