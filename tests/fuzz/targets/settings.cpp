// What a sweep's command line says: keys by their paths, and their values.
#include <cmath>
#include <string>

#include "models/documents/parse.hpp"
#include "sim/sweep/path.hpp"
#include "sim/sweep/values.hpp"
#include "tests/fuzz/targets/targets.hpp"

namespace spillway::fuzzing {
namespace {

const documents::Node& document() {
  static const documents::Node root = [] {
    Sources sources = {
        {"fuzzed.yaml",
         "name: fuzzed\nduration: 10s\nzones: [{ name: zone-1 }, { name: zone-2 }]\n"
         "services:\n  - { name: cart, endpoints: [{ count: 2, zone: zone-1 }, { count: 2, zone: zone-2 }] }\n"
         "clients: [{ name: gw, zone: zone-1, workload: { service: cart, rate: 200rps } }]\n"
         "policies: [{ type: Mesh, metadata: { name: lb }, spec: { threshold: { percentage: 70 } } }]\n"}};
    Diagnostics problems;
    return *documents::parse(sources, 0, problems);
  }();
  return root;
}

void judge(std::size_t begin, std::size_t length, std::string_view text) {
  require(begin <= text.size() && length >= 1, "a problem has a place in the text");
}

}  // namespace

// KEY=VALUES; without `=` a key alone.
void read_settings(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view key = text.substr(0, equals);
  const auto path = sweep::parse_path(key);
  if (const auto* const problem = std::get_if<sweep::PathProblem>(&path)) {
    judge(problem->begin, problem->length, key);
    require(!problem->message.empty(), "a problem has words");
  }
  if (equals == std::string_view::npos) {
    return;
  }
  const std::string_view written = text.substr(equals + 1);
  const auto values = sweep::parse_values(written);
  if (const auto* const problem = std::get_if<sweep::ValueProblem>(&values)) {
    judge(problem->begin, problem->length, written);
    return;
  }
  const auto& read = std::get<sweep::Values>(values);
  require(!read.listed.empty() && read.listed.size() <= sweep::most_values, "there is a value, and not too many");
  if (read.range) {
    require(std::isfinite(read.range->low) && std::isfinite(read.range->high) && read.range->low <= read.range->high,
            "a range has two ends in order");
  }
  const auto node = sweep::node_of(read.listed.front().text, {});
  if (const auto* const steps = std::get_if<sweep::Path>(&path)) {
    documents::Node root = document();
    if (const auto problem = sweep::assign(root, *steps, node)) {
      judge(problem->begin, problem->length, key);
    }
  }
}

}  // namespace spillway::fuzzing
