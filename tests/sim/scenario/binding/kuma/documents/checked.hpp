// Helpers for tests that read documents of Kuma, played or not.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/documents/parse.hpp"
#include "models/documents/problem.hpp"
#include "models/kuma/documents/admission.hpp"
#include "models/kuma/documents/documents.hpp"
#include "models/kuma/documents/read_documents.hpp"
#include "models/kuma/lints.hpp"
#include "sim/scenario/messages/scenario.hpp"
#include "sim/scenario/structure.hpp"
#include "tests/sim/scenario/reading.hpp"

namespace spillway::scenario::test {

using config::KumaProfile;

struct Checked {
  Sources sources;
  std::optional<documents::Node> root;  // what the documents point into
  Diagnostics problems;
  kuma::Documents documents;

  [[nodiscard]] std::string rendered() const { return documents::render_diagnostics(problems, sources); }
};

// `keys`: policies and resources, of a scenario with zone-1 to zone-3.
inline std::unique_ptr<Checked> check_documents(const std::string& keys,
                                                KumaProfile profile = KumaProfile::release_2_14,
                                                bool marks_unhealthy = true) {
  auto checked = std::make_unique<Checked>();
  checked->sources = {{"test.yaml", scenario_with(keys)}};
  checked->root = documents::parse(checked->sources, 0, checked->problems);
  REQUIRE(checked->root);
  messages::Scenario file;
  read_structure(*checked->root, file, checked->problems);
  checked->documents = kuma::read_documents(file.policies, file.resources, profile, checked->problems);
  kuma::lint(checked->documents,
             {.zones = {"zone-1", "zone-2", "zone-3"}, .marks_unhealthy = marks_unhealthy, .profile = profile},
             checked->problems);
  sort_by_position(checked->problems);
  return checked;
}

// Documents without any problem.
inline std::unique_ptr<Checked> clean_documents(const std::string& keys,
                                                KumaProfile profile = KumaProfile::release_2_14) {
  auto checked = check_documents(keys, profile);
  INFO(checked->rendered());
  REQUIRE(checked->problems.empty());
  return checked;
}

// One diagnostic, with this code, at the place between « and »; returns it.
inline Diagnostic the_only_document_problem(const std::string& marked, const std::string& code,
                                            KumaProfile profile = KumaProfile::release_2_14,
                                            bool marks_unhealthy = true) {
  const Marked input = unmark(scenario_with(marked));
  const std::string keys = input.text.substr(scenario_with("").size());
  const auto checked = check_documents(keys, profile, marks_unhealthy);
  INFO(keys);
  INFO(checked->rendered());
  REQUIRE(checked->problems.size() == 1);
  const Diagnostic& diagnostic = checked->problems.front();
  CHECK(diagnostic.code == code);
  CHECK(diagnostic.where.line == input.place.line);
  CHECK(diagnostic.where.column == input.place.column);
  CHECK(diagnostic.where.length == input.place.length);
  return diagnostic;
}

// A list of one strategy with this spec.
inline std::string strategy(const std::string& spec) {
  return "policies:\n  - { type: MeshLoadBalancingStrategy, name: p, spec: " + spec + " }\n";
}
// A strategy with one item.
inline std::string strategy_to(const std::string& target, const std::string& conf) {
  return strategy("{ to: [{ targetRef: " + target + ", default: " + conf + " }] }");
}

}  // namespace spillway::scenario::test
