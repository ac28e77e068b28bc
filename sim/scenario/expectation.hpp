// Expectations of a scenario: tables in the documents' own layout, and assertions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"

namespace spillway::scenario {

// The part of a service's hosts that a number is about. Empty fields do not restrict.
struct Selector {
  std::optional<config::Priority> priority;
  std::string cluster;
  std::string zone;
  std::string sub_zone;
  std::string node;
  std::string endpoint;
};

// The quantity that a column shows.
enum class Quantity : std::uint8_t {
  share,               // of the client's requests, first pick
  attempts,            // of all picks of the client's requests, retries among them; only counted
  healthy,             // told-healthy hosts of all hosts
  degraded,            // told-degraded hosts of all hosts
  unhealthy,           // the others
  load,                // the priority's load, healthy and degraded together (a whole percentage)
  healthy_load,        // its healthy hosts' part of it
  degraded_load,       // and its degraded hosts' part
  panic,               // yes or no: is the priority in panic
  total_availability,  // normalized total availability of the cluster
};

struct Column {
  std::string title;  // as the file writes it: "zone-1 healthy", "P0", "P1 panic"
  Quantity quantity = Quantity::share;
  Selector selector;
};

// One printed figure. A percentage "6.5%" is number 6.5 with one decimal; "yes"/"no" are 1 and 0.
struct Figure {
  std::string text;
  double number = 0.0;
  int decimals = 0;
};

// A figure as a document prints it. Where Envoy computes another one, the scenario says which and why:
// `{ documented: 7%, exact: 8%, reason: "..." }`.
struct Cell {
  Figure documented;
  std::optional<Figure> exact;  // absent: the same as documented
  std::string reason;
  Span where;

  // "-": whatever comes out is right.
  [[nodiscard]] bool expects_nothing() const { return documented.text == "-"; }
};

// A row an epoch, in order; of several clients those of the first, then those of the next. Clients `together` are as
// one, with the requests of all.
struct ExpectedTable {
  std::string title;
  config::ClientEntryIndex client;
  std::vector<config::ClientEntryIndex> further_clients = {};
  bool together = false;
  config::ServiceIndex service;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
  Span where;
};

enum class Outcome : std::uint8_t;  // outcome.hpp
enum class Comparison : std::uint8_t { equals, at_most, at_least };

// `always: { no_healthy_upstream: 0 }`, with `from` and `to` if it holds in a window only. Counts of the requests of
// all clients to all services, in epochs that overlap the window.
struct OutcomeAssertion {
  Outcome outcome{};
  Comparison comparison = Comparison::equals;
  double count = 0.0;
  std::chrono::nanoseconds from{0};
  std::chrono::nanoseconds to{0};
  Span where;
};

// `share: { of: frontend, zone: zone-2, at: 15s, at_most: 20% }`.
struct ShareAssertion {
  config::ClientEntryIndex client;
  config::ServiceIndex service;
  Selector selector;
  std::chrono::nanoseconds at{0};  // the epoch that holds this moment
  Comparison comparison = Comparison::equals;
  Figure figure;
  Span where;
};

// `utilisation: { zone: zone-2, from: 10s, to: 20s, at_most: 80% }`: the part of their time that the cores of each
// selected endpoint are busy, within the window. `cluster` of the selector is the service that endpoints belong to.
struct UtilisationAssertion {
  Selector selector;
  std::chrono::nanoseconds from{0};
  std::chrono::nanoseconds to{0};
  Comparison comparison = Comparison::at_most;
  Figure figure;
  Span where;
};

using Expectation = std::variant<ExpectedTable, OutcomeAssertion, ShareAssertion, UtilisationAssertion>;

// From here on, and up to here.
using Window = std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds>;

// The windows in which some expectation is about utilisation, each once, in the order of the expectations; and those in
// which outcomes are counted.
[[nodiscard]] std::vector<Window> utilisation_windows(const std::vector<Expectation>& expectations);
[[nodiscard]] std::vector<Window> outcome_windows(const std::vector<Expectation>& expectations);

}  // namespace spillway::scenario
