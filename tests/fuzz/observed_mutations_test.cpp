// What a live Envoy told, damaged: every reader takes it or says what is wrong, and where.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "sim/observed/access_log.hpp"
#include "sim/observed/prometheus_range.hpp"
#include "sim/observed/read_clusters.hpp"
#include "sim/observed/server.hpp"
#include "sim/observed/stats.hpp"
#include "tests/sim/observed/recorded.hpp"

using namespace spillway;

namespace {

std::string damaged(std::string text, std::mt19937& draw) {
  static const std::string pieces[] = {"::", "\n", "\"", "{", "}", "[", "18446744073709551616", "-1", "/", " ", ""};
  const std::size_t times = 1 + draw() % 4;
  for (std::size_t time = 0; time < times; ++time) {
    const std::size_t at = draw() % (text.size() + 1);
    const std::size_t length = draw() % 40;
    text.replace(at, std::min(length, text.size() - at), pieces[draw() % std::size(pieces)]);
  }
  return draw() % 5 == 0 ? text.substr(0, draw() % (text.size() + 1)) : text;
}

template <class Read>
void read_damaged(const std::string& name, Read read) {
  const std::string text = test_observed::recorded(name);
  std::mt19937 draw(20260);
  constexpr int rounds = 300;
  for (int round = 0; round < rounds; ++round) {
    Sources sources = {{name, damaged(text, draw)}};
    Diagnostics problems;
    const auto value = read(sources, 0U, problems);
    INFO(name << " round " << round);
    const bool refused = std::any_of(problems.begin(), problems.end(),
                                     [](const auto& problem) { return problem.severity == Severity::error; });
    CHECK(value.has_value() != refused);
  }
}

}  // namespace

TEST_CASE("damaged output of a proxy is read or refused, never both and never neither") {
  read_damaged("clusters.txt", observed::read_clusters);
  read_damaged("clusters.json", observed::read_clusters);
  read_damaged("stats.txt", observed::read_stats);
  read_damaged("stats.json", observed::read_stats);
  read_damaged("stats.prom", observed::read_stats);
  read_damaged("access.log", observed::read_access_log);
  read_damaged("access.json.log", observed::read_access_log);
  read_damaged("server_info.json", observed::read_server_info);
  read_damaged("runtime.json", observed::read_runtime_values);
  read_damaged("server_info.json", observed::read_range_answer);
}
