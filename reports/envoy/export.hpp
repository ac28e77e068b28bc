// Exports a scenario's client as files that start a real Envoy: the client's proxy at one time, with a loopback address
// per endpoint.
//
//   const Export result = export_envoy(scenario, {.client = "frontend", .at = 10s});
//   // bootstrap.json, endpoints.json, requests.json, README.md; eds/*.json and upstream.json where they are needed
//
// Anything that a real Envoy cannot express is reported as a problem, never dropped. Pure; linear in the scenario.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config/strong.hpp"
#include "models/documents/source.hpp"
#include "sim/scenario/nanoseconds.hpp"

namespace spillway::scenario {
struct Scenario;  // scenario.hpp
}  // namespace spillway::scenario

namespace spillway::reports::envoy_export {

struct ExportOptions {
  config::ClientEntryIndex client = {};
  scenario::Nanoseconds at{0};  // changes up to this time are included
  std::uint32_t port = 15000;   // the first of four: inbound, admin, endpoints, and one without a listener
};
inline constexpr std::uint32_t largest_first_port = 65532;

struct ExportedFile {
  std::string path;  // below the folder of the export
  std::string text;
};

// A part that a real Envoy cannot have, and its place in the scenario: `where`, if an event causes it, else `name` in
// the list under `key`, or only the key.
struct Problem {
  std::string what;
  std::string key = {};
  std::string name = {};
  std::optional<Span> where = {};
};

struct Export {
  std::vector<ExportedFile> files = {};
  std::vector<Problem> problems = {};  // if there are any, the files must not be used
};

[[nodiscard]] Export export_envoy(const scenario::Scenario& scenario, const ExportOptions& options);

}  // namespace spillway::reports::envoy_export
