// Readers: a text is read or refused, never both and never neither, and whatever is said of it is valid UTF-8 that
// cannot drive a terminal.
#include <string>

#include "models/documents/diagnostic_pages.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/render_diagnostics.hpp"
#include "models/documents/utf8.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {
namespace {

void judge(const scenario::Reading& reading) {
  require(reading.scenario.has_value() != has_errors(reading.diagnostics), "read or refused");
  for (const Diagnostic& diagnostic : reading.diagnostics) {
    require(documents::find_diagnostic_code(diagnostic.code) != nullptr, "every diagnostic has a code that is known");
    require(diagnostic.where.file < reading.sources.size(), "every diagnostic is in a file");
  }
  const std::string shown = documents::render_diagnostics(reading.diagnostics, reading.sources);
  require(!documents::find_invalid_utf8(shown), "what is said is UTF-8");
  require(shown.find('\x1b') == std::string::npos, "what is said drives no terminal");
}

// In a flow list or below a key, by indenting every line.
std::string indented(std::string_view text) {
  std::string lines = "  ";
  for (const char letter : text) {
    lines += letter;
    if (letter == '\n') {
      lines += "  ";
    }
  }
  return lines;
}

// A mesh of two zones with a client, which documents act upon.
constexpr std::string_view mesh =
    "name: fuzzed\nduration: 10s\nmode: exact\nzones: [{ name: zone-1 }, { name: zone-2 }]\n"
    "services:\n  - { name: backend, endpoints: [{ count: 2, zone: zone-1 }, { count: 2, zone: zone-2 }] }\n"
    "clients: [{ name: frontend, zone: zone-1, workload: { service: backend, rate: 10rps } }]\n";

}  // namespace

// The first byte says in which form: JSON or YAML.
void read_scenario(std::string_view text) {
  const bool json = !text.empty() && (static_cast<unsigned char>(text.front()) & 1U) != 0;
  judge(scenario::read_scenario_text(json ? "fuzzed.json" : "fuzzed.yaml",
                                     std::string(text.substr(text.empty() ? 0 : 1))));
}

void read_envoy_documents(std::string_view text) {
  const bool json = !text.empty() && (static_cast<unsigned char>(text.front()) & 1U) != 0;
  judge(scenario::read_envoy_texts(
      {{json ? "fuzzed.json" : "fuzzed.yaml", std::string(text.substr(text.empty() ? 0 : 1))}},
      {.cluster = "backend"}));
}

void read_kuma_documents(std::string_view text) {
  judge(scenario::read_scenario_text("fuzzed.yaml", std::string(mesh) + "policies:\n" + indented(text)));
}

void read_istio_documents(std::string_view text) {
  judge(scenario::read_scenario_text(
      "fuzzed.yaml", std::string(mesh) + "profile: { istio: release-1.31 }\nresources:\n" + indented(text)));
}

// What stands below `control_plane`; such a scenario has no mesh of its own.
void read_control_planes(std::string_view text) {
  judge(scenario::read_scenario_text("fuzzed.yaml", "name: fuzzed\nduration: 60s\ncontrol_plane:\n" + indented(text)));
}

}  // namespace spillway::fuzzing
