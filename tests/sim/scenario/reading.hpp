// Helpers for tests that read scenarios.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/documents/render_diagnostics.hpp"
#include "models/documents/utf8.hpp"
#include "sim/scenario/read_scenario.hpp"

namespace spillway::scenario::test {

// A scenario with every part that the tests refer to; {EXTRA} stands for further top-level keys.
inline std::string scenario_with(const std::string& extra, const std::string& groups = "") {
  return "duration: 60s\n"
         "zones:\n"
         "  - { name: zone-1, nodes: [{ name: z1, count: 2 }] }\n"
         "  - { name: zone-2, nodes: [{ name: z2 }] }\n"
         "  - { name: zone-3 }\n"
         "links: [{ between: [zone-1, zone-2], latency: 2ms }]\n"
         "services:\n"
         "  - name: backend\n"
         "    endpoints:\n" +
         (groups.empty() ? std::string("      - { count: 10, zone: zone-1 }\n"
                                       "      - { count: 10, zone: zone-2, priority: 1 }\n")
                         : groups) +
         "clients:\n"
         "  - { name: frontend, zone: zone-1, workload: { service: backend, rate: 10rps } }\n" +
         extra;
}

// A text whose wrong part stands between « and ».
struct Marked {
  std::string text;
  Span place;
};

inline Marked unmark(const std::string& marked) {
  const std::string open = "«";
  const std::string close = "»";
  const std::size_t begin = marked.find(open);
  const std::size_t end = marked.find(close);
  REQUIRE(begin != std::string::npos);
  REQUIRE(end != std::string::npos);
  Marked result;
  const std::string before = marked.substr(0, begin);
  const std::string wrong = marked.substr(begin + open.size(), end - begin - open.size());
  result.text = before + wrong + marked.substr(end + close.size());
  const std::size_t line_start = before.rfind('\n') == std::string::npos ? 0 : before.rfind('\n') + 1;
  result.place.line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n') + 1);
  result.place.column = static_cast<std::uint32_t>(documents::count_characters(before.substr(line_start)) + 1);
  result.place.length = static_cast<std::uint32_t>(documents::count_characters(wrong));
  return result;
}

// Exactly one diagnostic, with this code, at the marked place; returns it.
inline Diagnostic the_only_diagnostic(const std::string& marked, const std::string& code,
                                      const std::string& name = "test.yaml") {
  const Marked input = unmark(marked);
  const Reading reading = read_scenario_text(name, input.text);
  INFO(input.text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.diagnostics.size() == 1);
  const Diagnostic& diagnostic = reading.diagnostics.front();
  CHECK(diagnostic.code == code);
  CHECK(diagnostic.where.line == input.place.line);
  CHECK(diagnostic.where.column == input.place.column);
  CHECK(diagnostic.where.length == input.place.length);
  CHECK(reading.scenario.has_value() == (diagnostic.severity == Severity::warning));
  return diagnostic;
}

inline Scenario accepted(const std::string& text, const std::string& name = "test.yaml") {
  const Reading reading = read_scenario_text(name, text);
  INFO(text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  return *reading.scenario;
}

inline std::vector<std::string> codes_of(const Diagnostics& diagnostics) {
  std::vector<std::string> codes;
  for (const Diagnostic& diagnostic : diagnostics) {
    codes.push_back(diagnostic.code);
  }
  return codes;
}

inline std::string rendered(const std::string& text, const std::string& name = "test.yaml") {
  const Reading reading = read_scenario_text(name, text);
  return documents::render_diagnostics(reading.diagnostics, reading.sources);
}

}  // namespace spillway::scenario::test
