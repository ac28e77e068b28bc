#include "sim/observed/traces.hpp"

#include <catch2/catch.hpp>

namespace spillway::observed {

using namespace std::chrono_literals;

TEST_CASE("A log becomes a trace for each cluster, from its first request on", "[observed]") {
  AccessLog log;
  const auto add = [&](const char* host, const char* cluster, std::optional<std::chrono::nanoseconds> start) {
    LoggedRequest& request = log.requests.emplace_back();
    request.upstream_host = host;
    request.upstream_cluster = cluster;
    request.start = start;
  };
  add("10.0.0.1:80", "", 100s + 250ms);
  add("10.0.0.9:80", "cart", 100s);
  add("10.0.0.1:80", "", 100s + 125ms);
  add("10.0.0.7:80", "", 103s);
  add("10.0.0.1:80", "", std::nullopt);
  // 10.0.0.7 belongs to two clusters, so nobody knows which one was asked.
  const Traces traces = traces_of(log, {{"10.0.0.1:80", {"shop"}}, {"10.0.0.7:80", {"shop", "cart"}}});
  CHECK(traces.of.at("shop") == std::vector<std::chrono::nanoseconds>{125ms, 250ms});
  CHECK(traces.of.at("cart") == std::vector<std::chrono::nanoseconds>{0s});
  CHECK(traces.length == 251ms);
  CHECK(trace_text({0s, 125ms, 3s, 61s + 5ns}) == "time\n0\n0.125\n3\n61.000000005\n");
  CHECK(traces_of({}, {}).of.empty());
}

}  // namespace spillway::observed
