// What one moment of a scenario asks of its endpoints and links: from shares to loads.
//
//   Loads loads = plan::loads_of(still, results);
//   loads.utilisation[endpoint.value];        // of the cores behind it, 1 is all of them
//   loads.services[service.value].cross_zone; // fraction of its requests
//
// Exact where every share is; else by counted requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/results.hpp"
#include "sim/scenario/scenario.hpp"

namespace spillway::plan {

// What a month is taken for: 730 hours.
inline constexpr double seconds_of_month = 730.0 * 3600.0;

// Of a service that clients ask for. Rates are requests a second of all clients together.
struct ServiceLoad {
  double rate = 0.0;
  double no_host = 0.0;     // fraction of the requests that no host is found for, or that go to an endpoint that is out
  double cross_zone = 0.0;  // fraction that an endpoint of another zone than the client's answers
  double bytes = 0.0;       // a second, from zone to zone
  double cost = 0.0;        // a month of 730 hours
};

struct Loads {
  std::vector<std::optional<double>> utilisation;  // by EndpointIndex; none: nobody has a limited number of cores
  std::vector<double> rates;                       // by EndpointIndex: requests a second
  // By ServiceIndex and EndpointIndex: its part of `rates`. Empty for services that nobody asks for.
  std::vector<std::vector<double>> rates_by_service;
  std::vector<ServiceLoad> services;  // by ServiceIndex
  std::vector<std::string> panics;    // "frontend -> backend P0", in the order of results
  bool exact = true;

  [[nodiscard]] double rate() const;
  [[nodiscard]] double cost() const;
  [[nodiscard]] double bytes() const;
  [[nodiscard]] double no_host() const;     // of all requests
  [[nodiscard]] double cross_zone() const;  // of all requests
};

// What each endpoint's station can do: the cores behind it and how long a request keeps one busy.
struct Station {
  std::uint32_t number = 0;  // endpoints on one node that share its cores have the same
  double cores = 0.0;
  double seconds = 0.0;  // a request, slowness among it
};
// By EndpointIndex; none where cores are without limit.
[[nodiscard]] std::vector<std::optional<Station>> stations_of(const scenario::Scenario& still);

// `still` as moment.hpp makes it, `results` of a run of it.
[[nodiscard]] Loads loads_of(const scenario::Scenario& still, const run::Results& results);

}  // namespace spillway::plan
