#include "models/envoy/proxy/runtime_fraction.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "models/envoy/api/message_view.hpp"
#include "models/envoy/proxy/kinds.hpp"

namespace spillway::proxy {
namespace {

using documents::Node;

// All denominators divide it, so that draws modulo this number decide all fractions.
constexpr std::uint64_t draws = 1'000'000;

struct Share {
  std::uint64_t numerator = 0;
  std::uint64_t denominator = 1;
};

Share reduced(std::uint64_t numerator, std::uint64_t denominator) {
  const std::uint64_t common = std::gcd(numerator, denominator);
  return {numerator / common, denominator / common};
}

// Returns how many numbers below `end` have this remainder.
std::uint64_t with_remainder(std::uint64_t end, std::uint64_t remainder, std::uint64_t divisor) {
  return end > remainder ? (end - remainder - 1) / divisor + 1 : 0;
}

// Returns the share of each cluster, given the draws that the route takes. A draw modulo `draws` and modulo the sum of
// the weights go together if their remainders by the common divisor are equal (Chinese remainder theorem).
std::vector<Share> shares_of(const std::vector<bool>& taken, const std::vector<std::uint64_t>& weights) {
  const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  const std::uint64_t common = std::gcd(draws, sum);
  std::vector<std::uint64_t> by_remainder(common, 0);
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    by_remainder[draw % common] += taken[draw] ? 1 : 0;
  }
  std::vector<Share> shares;
  std::uint64_t begin = 0;
  for (const std::uint64_t weight : weights) {
    std::uint64_t pairs = 0;
    for (std::uint64_t remainder = 0; remainder < common; ++remainder) {
      pairs += by_remainder[remainder] *
               (with_remainder(begin + weight, remainder, common) - with_remainder(begin, remainder, common));
    }
    shares.push_back(reduced(pairs, draws / common * sum));
    begin += weight;
  }
  return shares;
}

// Returns the draws that a part takes, and removes them from those that are left.
std::vector<bool> take(const std::optional<Fraction>& fraction, std::vector<bool>& left) {
  std::vector<bool> taken = left;
  for (std::uint64_t draw = 0; fraction && draw < draws; ++draw) {
    taken[draw] = left[draw] && draw % fraction->denominator < fraction->numerator;
  }
  for (std::uint64_t draw = 0; draw < draws; ++draw) {
    left[draw] = left[draw] && !taken[draw];
  }
  return taken;
}

bool same(const Node& left, const Node& right) {
  if (left.kind != right.kind || left.boolean != right.boolean || left.text != right.text ||
      left.items.size() != right.items.size() || left.members.size() != right.members.size()) {
    return false;
  }
  for (std::size_t i = 0; i < left.items.size(); ++i) {
    if (!same(left.items[i], right.items[i])) {
      return false;
    }
  }
  return std::all_of(left.members.begin(), left.members.end(), [&](const documents::Member& member) {
    const documents::Member* const other = right.find(member.key);
    return other != nullptr && same(member.value, other->value);
  });
}

// Returns the route without what may differ.
Node without_clusters(Node route) {
  for (const char* const key : {"match", "name", "metadata", "decorator", "tracing", "stat_prefix",
                                "response_headers_to_add", "response_headers_to_remove"}) {
    erase_key(route, key);
  }
  if (Node* const action = find_value(route, "route")) {
    erase_key(*action, "cluster");
    erase_key(*action, "weighted_clusters");
  }
  return route;
}

// Returns the weighted clusters of a route.
std::vector<Node> clusters_of(const Node& route) {
  const Node& action = *find_value(route, "route");
  if (const Node* const weighted = find_value(action, "weighted_clusters")) {
    const Node* const clusters = find_value(*weighted, "clusters");
    return clusters == nullptr ? std::vector<Node>{} : clusters->items;
  }
  const Node* const name = find_value(action, "cluster");
  if (name == nullptr) {
    return {};
  }
  Node cluster = *name;
  cluster.kind = documents::Kind::object;
  cluster.text.clear();
  cluster.members = {{"name", name->span, *name}};
  return {cluster};
}

void set_weight(Node& cluster, std::uint64_t weight) {
  erase_key(cluster, "weight");
  Node number;
  number.kind = documents::Kind::integer;
  number.span = cluster.span;
  number.protobuf = cluster.protobuf;
  number.magnitude = weight;
  number.number = static_cast<double>(weight);
  number.text = std::to_string(weight);
  cluster.members.push_back({"weight", cluster.span, std::move(number)});
}

}  // namespace

Fraction fraction_of(const Node& runtime_fraction) {
  constexpr double ten_thousand = 1;
  constexpr double million = 2;
  const api::MessageView value = api::MessageView(runtime_fraction).message("default_value");
  if (!value.exists()) {
    return {0, 100};
  }
  return {static_cast<std::uint64_t>(value.number("numerator")),
          value.is("denominator", "MILLION", million)             ? 1'000'000U
          : value.is("denominator", "TEN_THOUSAND", ten_thousand) ? 10'000U
                                                                  : 100U};
}

MergedRoute merged_route(std::vector<RoutePart> parts) {
  if (parts.back().fraction) {
    return {{}, "no route takes the rest, which Envoy answers with a 404"};
  }
  const Node rest = without_clusters(parts.front().route);
  std::vector<bool> left(draws, true);
  std::vector<Node> clusters;
  std::vector<Share> shares;
  for (const RoutePart& part : parts) {
    if (!same(rest, without_clusters(part.route))) {
      return {{}, "the routes of these requests differ in more than their clusters"};
    }
    std::vector<std::uint64_t> weights;
    for (Node& cluster : clusters_of(part.route)) {
      const bool several = find_value(*find_value(part.route, "route"), "weighted_clusters") != nullptr;
      weights.push_back(several ? static_cast<std::uint64_t>(api::MessageView(cluster).number("weight")) : 1);
      clusters.push_back(std::move(cluster));
    }
    const std::vector<bool> taken = take(part.fraction, left);
    if (std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}) == 0) {
      return {{}, "a route of these requests has no weights"};
    }
    const std::vector<Share> own = shares_of(taken, weights);
    shares.insert(shares.end(), own.begin(), own.end());
  }
  std::uint64_t sum = 1;
  for (const Share& share : shares) {
    const bool fine = share.denominator > std::numeric_limits<std::uint32_t>::max();
    sum = fine ? share.denominator : std::lcm(sum, share.denominator);
    if (sum > std::numeric_limits<std::uint32_t>::max()) {
      return {{}, "the parts of the clusters are too fine for weights"};
    }
  }
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    set_weight(clusters[i], sum / shares[i].denominator * shares[i].numerator);
  }
  Node route = std::move(parts.front().route);
  Node& action = *find_value(route, "route");
  Node list = action;
  list.members.clear();
  list.kind = documents::Kind::array;
  list.items = std::move(clusters);
  Node weighted = action;
  weighted.members = {{"clusters", action.span, std::move(list)}};
  erase_key(action, "cluster");
  erase_key(action, "weighted_clusters");
  const Span where = action.span;
  action.members.push_back({"weighted_clusters", where, std::move(weighted)});
  return {std::move(route), ""};
}

}  // namespace spillway::proxy
