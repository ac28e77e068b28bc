// Routes that take a part of the requests (RouteMatch.runtime_fraction), as one route with weighted clusters.
//
// Envoy draws one number for a request. A route with the fraction n of d takes the request if the number modulo d is
// below n, and weighted clusters are chosen by the same number modulo their sum. The choices therefore depend on each
// other: of a route for 50 of 100 requests, clusters with weights of 50 and 50 get all and nothing.
// Source: Envoy's router/config_impl.cc, and a live Envoy 1.40.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/documents/node.hpp"

namespace spillway::proxy {

struct Fraction {
  std::uint64_t numerator = 100;
  std::uint64_t denominator = 100;  // 100, 10,000 or 1,000,000

  [[nodiscard]] bool is_nothing() const noexcept { return numerator == 0; }
  [[nodiscard]] bool is_whole() const noexcept { return numerator >= denominator; }
};

// Reads a RuntimeFractionalPercent, whose runtime value is already its default value.
[[nodiscard]] Fraction fraction_of(const documents::Node& runtime_fraction);

// A route that takes a part of the requests that the routes before it leave; all of them without a fraction.
struct RoutePart {
  documents::Node route = {};
  std::optional<Fraction> fraction = {};
};

struct MergedRoute {
  std::optional<documents::Node> route = {};
  std::string why = {};  // why there is none
};

// Returns one route whose weighted clusters have the exact shares of all parts. The routes may differ only in their
// matches, names and clusters. Takes time for 1,000,000 draws a part. Precondition: `parts` is not empty.
[[nodiscard]] MergedRoute merged_route(std::vector<RoutePart> parts);

}  // namespace spillway::proxy
