// An actor a request on SimGrid, as a comparison: what the calendar of Spillway saves. Each request is a
// simgrid::s4u::Actor that picks the better of two endpoints, travels half a millisecond, waits for one of the
// endpoint's four cores, holds it for an exponential service time, and travels back; the same as bench/bare_loop.cpp.
//
//   simgrid_actors 100000 1000 1000     // requests, clients, endpoints; prints millions of requests a second
//
// Poisson arrivals at 70 % of what the endpoints can do. A semaphore of four an endpoint is first in, first out.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace {

namespace s4u = simgrid::s4u;

constexpr int cores = 4;
constexpr double service_time = 10e-3;
constexpr double one_way = 0.5e-3;
constexpr double utilisation = 0.7;

struct Model {
  std::mt19937_64 random{1};
  std::vector<std::uint32_t> in_flight = {};  // by client * endpoints + endpoint
  std::vector<s4u::SemaphorePtr> endpoints = {};
  std::uint32_t clients = 0;
  std::uint64_t answered = 0;
  double latency = 0.0;

  double exponential(double mean) { return -std::log(static_cast<double>((random() >> 11) + 1) * 0x1p-53) * mean; }
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random() % bound); }
};

void request(Model& model) {
  const double sent = s4u::Engine::get_clock();
  const std::size_t row = model.below(model.clients) * model.endpoints.size();
  const std::size_t one = model.below(model.endpoints.size());
  const std::size_t other = model.below(model.endpoints.size());
  const std::size_t host = model.in_flight[row + other] < model.in_flight[row + one] ? other : one;
  ++model.in_flight[row + host];
  s4u::this_actor::sleep_for(one_way);
  model.endpoints[host]->acquire();
  s4u::this_actor::sleep_for(model.exponential(service_time));
  model.endpoints[host]->release();
  s4u::this_actor::sleep_for(one_way);
  --model.in_flight[row + host];
  ++model.answered;
  model.latency += s4u::Engine::get_clock() - sent;
}

}  // namespace

int main(int count, char** words) {
  s4u::Engine engine(&count, words);
  const auto number = [&](int place, std::uint64_t otherwise) {
    return count > place ? std::strtoull(words[place], nullptr, 10) : otherwise;
  };
  const std::uint64_t requests = number(1, 100'000);
  Model model;
  model.clients = static_cast<std::uint32_t>(number(2, 1000));
  const std::uint64_t endpoints = number(3, 1000);
  model.in_flight.resize(model.clients * endpoints, 0);
  for (std::uint64_t endpoint = 0; endpoint < endpoints; ++endpoint) {
    model.endpoints.push_back(s4u::Semaphore::create(cores));
  }
  s4u::NetZone* const zone = s4u::create_full_zone("zone");
  s4u::Host* const host = zone->create_host("host", 1e9);
  zone->seal();
  const double rate = utilisation * cores * static_cast<double>(endpoints) / service_time;
  s4u::Actor::create("arrivals", host, [&] {
    for (std::uint64_t sent = 0; sent < requests; ++sent) {
      s4u::Actor::create("request", host, [&model] { request(model); });
      s4u::this_actor::sleep_for(std::max(model.exponential(1.0 / rate), 1e-9));
    }
  });
  const auto began = std::chrono::steady_clock::now();
  engine.run();
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("%.4f million requests a second, mean latency %.4f ms\n",
              static_cast<double>(model.answered) / took / 1e6,
              1e3 * model.latency / static_cast<double>(model.answered));
  return 0;
}
