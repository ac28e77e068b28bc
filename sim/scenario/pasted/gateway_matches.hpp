// Converts matches of the Gateway API to matches of Envoy's routes, and to requests that they match.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "sim/scenario/pasted/assumed_zones.hpp"

namespace spillway::scenario::pasted {

// The precedence of a match; a larger one is tried first: host, kind and length of the path, method, headers.
using MatchRank = std::tuple<std::size_t, int, std::size_t, bool, std::size_t>;

struct GatewayMatch {
  enum class Path { prefix, regex, exact };
  Path kind = Path::prefix;
  std::string path = "/";
  std::string method = {};
  struct Header {
    std::string name = {};
    std::string value = {};
    bool regex = false;
  };
  std::vector<Header> headers = {};
  bool has_query = false;  // some of the headers stand for query parameters

  // `host` may begin with `*.`; empty: any host.
  [[nodiscard]] MatchRank rank(const std::string& host) const;
  [[nodiscard]] Json of_envoy(const std::string& host) const;
  [[nodiscard]] Json request(const std::string& host) const;  // `path` and `headers` of a workload
};

// Returns the matches of a rule; one for every request if it has none. Scenarios have no matches of query parameters: a
// header `x-query-NAME` stands for one, in the routes and in the requests.
[[nodiscard]] std::vector<GatewayMatch> gateway_matches(const Json& rule, bool grpc);

// Returns a duration of the Gateway API ("1m30s") in seconds ("90s"), as Envoy has it; the text itself if it is none.
[[nodiscard]] std::string seconds_text(const std::string& duration);

}  // namespace spillway::scenario::pasted
