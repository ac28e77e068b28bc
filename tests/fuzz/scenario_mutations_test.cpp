// 300 seeded mutations of each committed scenario: the reader answers every one of them, and each refusal has its
// place.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "models/config/refusal.hpp"
#include "models/documents/diagnostic_pages.hpp"
#include "models/documents/problem.hpp"
#include "models/documents/render_diagnostics.hpp"
#include "models/documents/utf8.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text) {
    for (std::size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      const std::size_t length = std::min(1 + below(20), text.size() - at);
      switch (below(7)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(at, length));
          break;
        case 3:
          text.insert(at, token());
          break;
        case 4:
          text.resize(at);
          break;
        case 5:
          swap_words(text);
          break;
        default:
          text.replace(at, length, token());
      }
    }
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_()) % n; }
  std::string token() {
    static const std::vector<std::string> tokens = {
        "{",    "}",   "[",      "]",       ":",    ",",    "\"",   "'",  "\n",    "  ",   "- ",
        "#",    "&a ", "*a",     "|\n",     "null", "true", "-1",   "0",  "1e999", ".nan", "99999999999999999999",
        "100%", "10s", "zone-1", "backend", "name", "\xFF", "\x1b", "\t", "é"};
    return tokens[below(tokens.size())];
  }
  static std::size_t word_end(const std::string& text, std::size_t at) {
    return std::min(text.find_first_of(" ,:{}[]\n\"", at), text.size());
  }
  void swap_words(std::string& text) {
    const std::size_t a = below(text.size());
    const std::size_t b = below(text.size());
    const std::string first = text.substr(std::min(a, b), word_end(text, std::min(a, b)) - std::min(a, b));
    const std::string second = text.substr(std::max(a, b), word_end(text, std::max(a, b)) - std::max(a, b));
    text.replace(std::max(a, b), second.size(), first);
    text.replace(std::min(a, b), first.size(), second);
  }

  std::mt19937 random_;
};

std::vector<std::size_t> line_lengths(const std::string& text) {
  std::vector<std::size_t> lengths;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lengths.push_back(documents::count_characters(line));
  }
  return lengths;
}

// A place that an editor can jump to: on a line of the text, at most one character past its end.
void check_place(const Reading& reading, const Diagnostic& diagnostic) {
  REQUIRE(diagnostic.where.file < reading.sources.size());
  const auto lengths = line_lengths(reading.sources[diagnostic.where.file].text);
  REQUIRE(diagnostic.where.length >= 1);
  REQUIRE(diagnostic.where.line >= 1);
  REQUIRE(diagnostic.where.column >= 1);
  if (lengths.empty()) {
    CHECK(diagnostic.where.line == 1);
    return;
  }
  REQUIRE(diagnostic.where.line <= lengths.size());
  CHECK(diagnostic.where.column + diagnostic.where.length - 1 <= lengths[diagnostic.where.line - 1] + 1);
}

std::vector<std::filesystem::path> scenario_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SPILLWAY_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() == ".yaml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// How many of so many mutations are refused; each answer must be one that a person can use.
std::size_t refusals_of_mutations(const std::filesystem::path& path, std::size_t seeds) {
  const std::string text = text_of(path);
  std::size_t refused = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const Reading reading = read_scenario_text(path.filename().string(), Mutator(seed).mutate(text));
    INFO(path << " with seed " << seed);
    REQUIRE(reading.scenario.has_value() != has_errors(reading.diagnostics));
    for (const Diagnostic& diagnostic : reading.diagnostics) {
      INFO(diagnostic.code << " " << diagnostic.message);
      REQUIRE(spillway::documents::find_diagnostic_code(diagnostic.code) != nullptr);
      check_place(reading, diagnostic);
    }
    refused += reading.scenario ? 0 : 1;
    const std::string shown = documents::render_diagnostics(reading.diagnostics, reading.sources);
    REQUIRE_FALSE(documents::find_invalid_utf8(shown).has_value());
    REQUIRE(shown.find('\x1b') == std::string::npos);
  }
  return refused;
}

}  // namespace

TEST_CASE("Mutated scenarios are read or refused with a code and a place", "[fuzz]") {
  constexpr std::size_t all_mutations = spillway::support::cases_of(8'000);
  const auto files = scenario_files();
  REQUIRE(files.size() > 10);
  std::size_t refused = 0;
  for (const auto& path : files) {
    refused += refusals_of_mutations(path, all_mutations / files.size());
  }
  CHECK(refused > 100);
}

TEST_CASE("Mutations of a scenario of everything are read or refused with a code and a place", "[fuzz]") {
  constexpr std::size_t mutations = spillway::support::cases_of(2'000);
  CHECK(refusals_of_mutations(SPILLWAY_SOURCE_DIR "/tests/support/whole_scenario.yaml", mutations) > mutations / 2);
}

TEST_CASE("Mutations of a scenario with documents of Kuma are read or refused with a code and a place", "[fuzz]") {
  constexpr std::size_t mutations = spillway::support::cases_of(2'000);
  CHECK(refusals_of_mutations(SPILLWAY_SOURCE_DIR "/tests/support/kuma_documents.yaml", mutations) > mutations / 2);
}

TEST_CASE("Mutated Envoy documents are read or refused with a code and a place", "[fuzz]") {
  const std::string bootstrap =
      "node: { id: n, locality: { zone: a } }\n"
      "cluster_manager: { local_cluster_name: local }\n"
      "layered_runtime: { layers: [{ name: x, static_layer: { upstream: { healthy_panic_threshold: 3 } } }] }\n"
      "static_resources:\n"
      "  clusters:\n"
      "    - { name: local, load_assignment: { cluster_name: local, endpoints: [{ locality: { zone: a } }] } }\n"
      "    - name: all\n"
      "      lb_policy: CLUSTER_PROVIDED\n"
      "      cluster_type:\n"
      "        name: envoy.clusters.aggregate\n"
      "        typed_config: { '@type': x/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [c] }\n"
      "    - name: c\n"
      "      lb_policy: MAGLEV\n"
      "      maglev_lb_config: { table_size: 7 }\n"
      "      lb_subset_config: { subset_selectors: [{ keys: [a, b], fallback_policy: KEYS_SUBSET, "
      "fallback_keys_subset: "
      "[a] }], default_subset: { a: null } }\n"
      "      health_checks: [{ timeout: 1s, interval: 1s, healthy_threshold: 1, unhealthy_threshold: 1, "
      "http_health_check: { path: /, expected_statuses: [{ start: 200, end: 201 }] } }]\n"
      "      circuit_breakers: { thresholds: [{ priority: HIGH, max_requests: 1 }] }\n"
      "      common_lb_config: { zone_aware_lb_config: { min_cluster_size: '3' } }\n"
      "      load_assignment:\n"
      "        cluster_name: c\n"
      "        endpoints:\n"
      "          - locality: { zone: a }\n"
      "            priority: 1\n"
      "            load_balancing_weight: 2\n"
      "            lb_endpoints:\n"
      "              - { endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } }, metadata: { "
      "filter_metadata: { envoy.lb: { a: 1, b: [x, null] } } } }\n";
  int refused = 0;
  for (unsigned seed = 1; seed <= 1'500; ++seed) {
    const Reading reading = read_envoy_texts({{"x.yaml", Mutator(seed).mutate(bootstrap)}}, {.cluster = "all"});
    INFO("seed " << seed);
    REQUIRE(reading.scenario.has_value() != has_errors(reading.diagnostics));
    for (const Diagnostic& diagnostic : reading.diagnostics) {
      INFO(diagnostic.code << " " << diagnostic.message);
      REQUIRE(spillway::documents::find_diagnostic_code(diagnostic.code) != nullptr);
      check_place(reading, diagnostic);
    }
    refused += reading.scenario ? 0 : 1;
  }
  CHECK(refused > 500);
}
