#include "sim/diff/target_shares.hpp"

#include <type_traits>

#include "models/envoy/policies/registry.hpp"
#include "models/numeric/compensated_sum.hpp"

namespace spillway::diff {
namespace {

// Calls visit(const run::Share&) for each share of the requests.
template <class Visit>
void for_each_share(const run::Results& results, const Look::Asking& asking, Visit visit) {
  for (const run::ShareBlock& block : results.shares.of(asking.client)) {
    if (block.service == asking.service) {
      block.for_each([&](const run::ShareCell& cell) { visit(block.row(cell)); });
    }
  }
}

std::set<std::string> clusters_of(const TargetShares& shares) {
  std::set<std::string> clusters;
  for (const auto& [target, share] : shares.of) {
    clusters.insert(target.cluster);
  }
  return clusters;
}

}  // namespace

double TargetShares::answered() const {
  numeric::CompensatedSum sum;
  for (const auto& [target, share] : of) {
    sum.add(share);
  }
  return sum.value();
}

TargetShares exact_shares(const Look& look, const Look::Asking& asking) {
  TargetShares shares;
  for_each_share(look.exact(), asking, [&](const run::Share& share) {
    if (look.is_lost(share.endpoint)) {
      shares.lost += share.at_rest;
    } else if (!look.forwards(share.endpoint)) {
      shares.of[{share.cluster, share.priority.value, look.zone_of(share.endpoint), share.endpoint}] += share.at_rest;
    }
  });
  return shares;
}

namespace {

TargetShares shares_of(const Look& look, const run::Results& results, const Look::Asking& asking) {
  TargetShares shares;
  shares.exact = false;
  for (const run::Outcomes& outcomes : results.outcomes) {
    if (outcomes.client == asking.client && outcomes.service == asking.service) {
      shares.sent += outcomes.sent;
    }
  }
  shares.independent = look.independent_part(asking);
  for_each_share(results, asking, [&](const run::Share& share) {
    if (!share.requests || shares.sent == 0 || look.forwards(share.endpoint)) {
      return;
    }
    const double part = static_cast<double>(*share.requests) / static_cast<double>(shares.sent);
    if (look.is_lost(share.endpoint)) {
      shares.lost += part;
      return;
    }
    const Target target{share.cluster, share.priority.value, look.zone_of(share.endpoint), share.endpoint};
    shares.counts[target] += *share.requests;
    shares.of[target] += part;
  });
  return shares;
}

}  // namespace

TargetShares counted_shares(const Look& look, const Look::Asking& asking) {
  return shares_of(look, look.counted(), asking);
}

std::vector<TargetShares> repeated_shares(const Look& look, const Look::Asking& asking) {
  std::vector<TargetShares> shares;
  for (const run::Results& results : look.repeated()) {
    shares.push_back(shares_of(look, results, asking));
  }
  return shares;
}

bool have_same_clusters(const TargetShares& before, const TargetShares& after) {
  const std::set<std::string> clusters = clusters_of(before);
  return clusters.size() > 1 && clusters == clusters_of(after);
}

void forget_clusters(TargetShares& shares) {
  const auto renamed = [](const auto& of) {
    std::decay_t<decltype(of)> result;
    for (const auto& [target, value] : of) {
      result[{"", target.priority, target.zone, target.endpoint}] += value;
    }
    return result;
  };
  shares.of = renamed(shares.of);
  shares.counts = renamed(shares.counts);
}

std::set<Target> all_targets(const TargetShares& before, const TargetShares& after) {
  std::set<Target> targets;
  for (const TargetShares* const shares : {&before, &after}) {
    for (const auto& [target, share] : shares->of) {
      targets.insert(target);
    }
  }
  return targets;
}

}  // namespace spillway::diff
