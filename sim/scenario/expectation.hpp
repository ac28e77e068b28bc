// The expectations of a scenario: tables in the layout of the documents, and assertions.
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

// Selects hosts of a service. Empty fields do not restrict the selection.
struct Selector {
  std::optional<config::Priority> priority;
  std::string cluster;
  std::string zone;
  std::string sub_zone;
  std::string node;
  std::string endpoint;
};

// The quantity in a column.
enum class Quantity : std::uint8_t {
  share,               // of the client's requests, by first pick
  attempts,            // of all the client's picks including retries; has no exact value
  healthy,             // fraction of the hosts that EDS reports healthy
  degraded,            // fraction of the hosts that EDS reports degraded
  unhealthy,           // fraction of the other hosts
  load,                // the priority's load, healthy and degraded together (a whole percentage)
  healthy_load,        // the part of the load for healthy hosts
  degraded_load,       // the part of the load for degraded hosts
  panic,               // yes or no: the priority is in panic
  total_availability,  // normalized total availability of the cluster
};

struct Column {
  std::string title;  // as in the file: "zone-1 healthy", "P0", "P1 panic"
  Quantity quantity = Quantity::share;
  Selector selector;
};

// A printed figure. The percentage "6.5%" is the number 6.5 with one decimal; "yes" and "no" are 1 and 0.
struct Figure {
  std::string text;
  double number = 0.0;
  int decimals = 0;
};

// A figure as a document prints it. If Envoy computes a different one, the scenario states it with the reason: `{
// documented: 7%, exact: 8%, reason: "..." }`.
struct Cell {
  Figure documented;
  std::optional<Figure> exact;  // nullopt if it equals `documented`
  std::string reason;
  Span where;

  // True for "-", which accepts any value.
  [[nodiscard]] bool expects_nothing() const { return documented.text == "-"; }
};

// One row per epoch, in order; with several clients, first all rows of the first client. With `together`, the clients
// are merged to one that sends the requests of all.
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

// `always: { no_healthy_upstream: 0 }`, with `from` and `to` if it applies to a window only. Counts the requests that
// all clients send to all services in the window. In mode exact, judges the epochs that overlap the window.
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
  std::chrono::nanoseconds at{0};  // selects the epoch that contains this time
  Comparison comparison = Comparison::equals;
  Figure figure;
  Span where;
};

// `utilisation: { zone: zone-2, from: 10s, to: 20s, at_most: 80% }`: the fraction of the window during which the cores
// of each selected endpoint are busy. The selector's `cluster` is the service of the endpoints.
struct UtilisationAssertion {
  Selector selector;
  std::chrono::nanoseconds from{0};
  std::chrono::nanoseconds to{0};
  Comparison comparison = Comparison::at_most;
  Figure figure;
  Span where;
};

using Expectation = std::variant<ExpectedTable, OutcomeAssertion, ShareAssertion, UtilisationAssertion>;

// The start and the end.
using Window = std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds>;

// Return the windows of all expectations about utilisation, or about outcomes: each once, in the order of the
// expectations.
[[nodiscard]] std::vector<Window> utilisation_windows(const std::vector<Expectation>& expectations);
[[nodiscard]] std::vector<Window> outcome_windows(const std::vector<Expectation>& expectations);

}  // namespace spillway::scenario
