// Examples of docs/diagnostics: the wrong one has the code, the right one has neither the code nor an error.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "models/documents/diagnostic_pages.hpp"
#include "models/envoy/routes/route.hpp"
#include "models/istio/documents/lints.hpp"
#include "models/istio/lints.hpp"
#include "models/kuma/documents/admission.hpp"
#include "models/kuma/lints.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "tests/sim/scenario/binding/istio/mesh_of_web.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using spillway::Diagnostic;
using spillway::Diagnostics;
using spillway::Severity;
using spillway::documents::diagnostic_codes;
using spillway::documents::DiagnosticCode;
using spillway::documents::ExampleKind;
using spillway::documents::render_diagnostics;
using spillway::proxy::EnvoyOptions;

namespace {

bool has_code(const Diagnostics& diagnostics, std::string_view code) {
  const std::vector<std::string> codes = test::codes_of(diagnostics);
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

bool has_any_error(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& one) { return one.severity == Severity::error; });
}

// Replaces a part of a scenario by another. Both end with the line end of their block, which the scenario need not
// have.
std::string with_setting(std::string scenario, std::string_view from, std::string_view to) {
  from.remove_suffix(1);
  to.remove_suffix(1);
  const std::size_t at = scenario.find(from);
  REQUIRE(at != std::string::npos);
  return scenario.replace(at, from.size(), to);
}

// A key that stands where the top level's do begins what belongs to it.
std::vector<std::pair<std::string, std::string>> by_key(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> keys;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    const bool begins = std::string_view(" -#}").find(line.front()) == std::string_view::npos;
    const std::string key = begins ? std::string(line.substr(0, line.find(':'))) : std::string();
    if (begins && (keys.empty() || keys.back().first != key)) {
      keys.emplace_back(key, "");
    }
    keys.back().second += line;
  }
  return keys;
}

// The scenario whose keys an example replaces or adds to.
std::string example_scenario(std::string_view keys) {
  auto all = by_key(
      "duration: 10s\n"
      "zones: [{ name: a }, { name: b }]\n"
      "links: [{ between: [a, b], latency: 2ms }]\n"
      "services: [{ name: cart, endpoints: [{ count: 2, zone: a }, { count: 2, zone: b }] }]\n"
      "clients: [{ name: shop, zone: a, workload: { service: cart, rate: 10rps } }]\n");
  for (auto& [key, lines] : by_key(keys)) {
    const auto same =
        std::find_if(all.begin(), all.end(), [&name = key](const auto& one) { return one.first == name; });
    if (same == all.end()) {
      all.emplace_back(std::move(key), std::move(lines));
    } else {
      same->second = std::move(lines);
    }
  }
  std::string text;
  for (const auto& [key, lines] : all) {
    text += lines;
  }
  return text;
}

constexpr std::string_view clients_of_mesh = R"(clients:
  - { name: c, node: n1, workload: { service: web.default.svc.cluster.local, rate: 10rps } }
)";

// The mesh whose documents an example follows; its clients are those of the example, if there are any.
std::string example_mesh(std::string_view documents) {
  const std::size_t clients = std::min(documents.find("clients:\n"), documents.size());
  std::string text(test::mesh_of_web);
  for (std::string_view rest = documents.substr(0, clients); !rest.empty();) {
    const std::size_t end = rest.find('\n') + 1;
    text += "  " + std::string(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  return text + std::string(clients == documents.size() ? clients_of_mesh : documents.substr(clients));
}

// Reads a scenario or, if there is no duration, documents of Envoy. SP135 needs a request that names no cluster.
Reading reading_of(const std::string& text, std::string_view code) {
  proxy::EnvoyOptions asked;
  asked.cluster = code == "SP135" ? "" : "cart";
  return text.find("duration:") == std::string::npos ? read_envoy_texts({{"example.yaml", text}}, asked)
                                                     : read_scenario_text("example.yaml", text);
}

}  // namespace

TEST_CASE("The wrong example of a code has it, and the right one has neither it nor an error", "[refusals]") {
  std::size_t scenarios = 0;
  std::size_t settings = 0;
  std::size_t commands = 0;
  std::size_t meshes = 0;
  std::size_t files = 0;
  for (const DiagnosticCode& entry : diagnostic_codes()) {
    std::string wrong = entry.wrong;
    std::string right = entry.right;
    switch (entry.of) {
      case ExampleKind::scenario:
        wrong = example_scenario(entry.wrong);
        right = example_scenario(entry.right);
        ++scenarios;
        break;
      case ExampleKind::setting:
        wrong = entry.scenario;
        right = with_setting(entry.scenario, entry.wrong, entry.right);
        ++settings;
        break;
      case ExampleKind::istio:
        wrong = example_mesh(entry.wrong);
        right = example_mesh(entry.right);
        ++meshes;
        break;
      case ExampleKind::file:
        ++files;
        break;
      case ExampleKind::command:
        ++commands;  // tests/cli/common_mistakes_test.cpp runs them
        continue;
      case ExampleKind::none:
      case ExampleKind::situation:
        continue;
    }
    INFO(entry.code << '\n' << wrong << '\n' << right);
    CHECK(has_code(reading_of(wrong, entry.code).diagnostics, entry.code));
    const Reading good = reading_of(right, entry.code);
    INFO(documents::render_diagnostics(good.diagnostics, good.sources));
    CHECK_FALSE(has_code(good.diagnostics, entry.code));
    CHECK_FALSE(has_any_error(good.diagnostics));
  }
  CHECK(scenarios >= 80);
  CHECK(meshes >= 39);
  CHECK(files >= 35);
  CHECK(settings >= 10);
  CHECK(commands >= 14);
}

TEST_CASE("Every code has an example, or is a lint's with a scenario of its own", "[refusals]") {
  for (const DiagnosticCode& entry : diagnostic_codes()) {
    INFO(entry.code);
    CHECK((entry.of != ExampleKind::none || !entry.scenario.empty()));
  }
}

TEST_CASE("Every code that the sources use has a page, and every page a code that they use", "[refusals]") {
  std::set<std::string> used;
  for (std::uint32_t lint = 1; lint <= spillway::istio::last_lint; ++lint) {
    used.insert(spillway::istio::code_of(lint));
  }
  for (int lint = 0; lint <= static_cast<int>(spillway::kuma::LintCode::after_the_end); ++lint) {
    used.insert(spillway::kuma::code_of(static_cast<spillway::kuma::LintCode>(lint)));
  }
  // "SP104" of a diagnostic, and [SP942] of a text that is printed as it is.
  const std::regex code(R"(["\[](SP[0-9]{3})["\]])");
  for (const char* const folder : {"models", "sim", "reports", "cli"}) {
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(SPILLWAY_SOURCE_DIR "/" + std::string(folder))) {
      if (file.path().extension() != ".cpp" && file.path().extension() != ".hpp") {
        continue;
      }
      std::ifstream source(file.path());
      for (std::string line; std::getline(source, line);) {
        line.resize(std::min(line.find("//"), line.size()));
        for (std::sregex_iterator match(line.begin(), line.end(), code), end; match != end; ++match) {
          used.insert((*match)[1].str());
        }
      }
    }
  }
  std::set<std::string> explained;
  for (const DiagnosticCode& entry : diagnostic_codes()) {
    explained.insert(entry.code);
  }
  CHECK(used == explained);
}
