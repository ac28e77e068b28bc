// What a real Envoy 1.40.0 printed after 120 requests to `backend`, 60 to `flaky:8080` and 10 to `checked`. Of /stats
// and /server_info only some lines were kept; `clusters.txt` and `clusters.json` are of the same moment.
#pragma once

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>

namespace test_observed {

inline std::string recorded(const std::string& name) {
  std::ifstream file(std::string(SPILLWAY_SOURCE_DIR) + "/tests/sim/observed/data/" + name);
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace test_observed
