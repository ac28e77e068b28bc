// An explanation is worth nothing unless its numbers are the run's: held against exact runs of all scenarios of the
// house.
#include "reports/explain/explain.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>

#include "models/envoy/newcomers.hpp"
#include "models/envoy/share_trace.hpp"
#include "reports/explain/formats.hpp"
#include "sim/run/run.hpp"
#include "sim/run/snapshot.hpp"
#include "sim/run/traffic/traced_part.hpp"
#include "sim/run/traffic/traffic.hpp"
#include "sim/scenario/client.hpp"
#include "sim/scenario/read_scenario.hpp"
#include "tests/reports/explain/formula.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sanitizers.hpp"

using namespace spillway;
using reports::explain::EndpointShare;
using reports::explain::Explanation;
using reports::explain::Fact;
using support::evaluate;

namespace {

// Those with clients: a control plane answers nobody.
std::vector<std::string> scenario_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SPILLWAY_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() == ".yaml" &&
        support::contents(entry.path().string()).find("\ncontrol_plane:") == std::string::npos) {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

scenario::Reading read(const std::string& path) {
  scenario::Reading reading = scenario::read_scenario_file(path);
  REQUIRE(reading.scenario);
  return reading;
}

Explanation explain_epoch(const scenario::Reading& reading, const run::Epoch& epoch) {
  return reports::explain::explain(*reading.scenario, reading.sources,
                                   {.client = epoch.client, .service = epoch.service, .at = epoch.start});
}

// The rows of an exact run for one epoch, as far as an explanation has them.
std::vector<EndpointShare> rows_of(const run::Results& results, const run::Epoch& epoch) {
  std::vector<EndpointShare> rows;
  for (const run::Share& share : results.shares) {
    if (share.client == epoch.client && share.service == epoch.service && share.epoch == epoch.index) {
      rows.push_back({share, share.at_rest, share.joint, share.joint_rows});
    }
  }
  return rows;
}

void check_same_rows(std::vector<EndpointShare> explained, std::vector<EndpointShare> run) {
  // What only may get requests, by what proxies find out: a row lasts longer than the moment that is explained.
  for (std::vector<EndpointShare>* const rows : {&explained, &run}) {
    std::erase_if(*rows, [](const EndpointShare& row) { return row.share == 0.0 && row.joint != 0; });
  }
  REQUIRE(explained.size() == run.size());
  for (std::size_t row = 0; row < run.size(); ++row) {
    const EndpointShare& one = explained[row];
    const EndpointShare& other = run[row];
    REQUIRE(std::tie(one.cluster, one.priority, one.availability, one.region, one.zone, one.sub_zone, one.node, one.via,
                     one.endpoint) == std::tie(other.cluster, other.priority, other.availability, other.region,
                                               other.zone, other.sub_zone, other.node, other.via, other.endpoint));
    // Bit for bit. What has no exact share at its moment has none in its row, which reaches further.
    REQUIRE(one.share == other.share);
    REQUIRE((one.joint == 0 || other.joint != 0));
  }
}

void check_formulas(const Explanation& explanation) {
  for (const auto& section : explanation.sections) {
    for (const auto& step : section.steps) {
      REQUIRE(!step.name.empty());
      for (const Fact& fact : step.facts) {
        REQUIRE(fact.formula.empty() == !fact.value.has_value());
        if (!fact.value) {
          continue;
        }
        INFO(step.name << ": " << fact.subject << " " << fact.formula << " = " << *fact.value);
        const auto value = evaluate(fact.formula);
        REQUIRE(value);
        const auto wanted = static_cast<long double>(*fact.value);
        REQUIRE(std::abs(*value - wanted) <= 1e-11L * std::max(1.0L, std::abs(wanted)));
      }
    }
  }
}

bool has_slow_start(const scenario::Scenario& scenario, const run::Epoch& epoch) {
  const run::Snapshot snapshot(scenario, epoch.start);
  const auto flows = snapshot.flow_group(epoch.client, epoch.service);
  return std::any_of(flows.begin(), flows.end(), [&](run::FlowIndex flow) {
    return envoy::slow_start_window(snapshot.state(flow)) > std::chrono::nanoseconds{0};
  });
}

// The parts of the trace that hold hosts make up the shares of the flow.
void check_trace(const scenario::Scenario& scenario, const run::Epoch& epoch) {
  const run::Snapshot snapshot(scenario, epoch.start);
  for (const run::FlowIndex flow : snapshot.flow_group(epoch.client, epoch.service)) {
    std::vector<run::TracedPart> traced;
    const envoy::ExactShares shares = snapshot.exact_shares(flow, &traced);
    double of_trace = 0.0;
    for (const auto& part : traced) {
      for (const envoy::ShareStep& step : part.trace.steps()) {
        for (const auto& [host, share] : step.hosts) {
          of_trace += share * part.part;
        }
      }
    }
    double of_shares = 0.0;
    for (const envoy::HostShare& share : shares.hosts) {
      of_shares += share.share;
    }
    // Steps are about the requests that drop_overloads lets through.
    of_trace *= 1.0 - snapshot.traffic().dropped(flow);
    REQUIRE((traced.empty() || std::abs(of_trace - of_shares) < 1e-9));
  }
}

}  // namespace

TEST_CASE("an explanation's shares are an exact run's to the last bit, and its formulas hold, in every scenario") {
  std::size_t epochs = 0;
  const auto files = scenario_files();
  for (std::size_t number = 0; number < files.size(); number += support::stride_of_cases) {
    const std::string& file = files[number];
    INFO(file);
    const scenario::Reading reading = read(file);
    const run::Results results = run::run(*reading.scenario, {scenario::Mode::exact, std::nullopt});
    for (const run::Epoch& epoch : results.epochs) {
      INFO("client " << reading.scenario->clients[epoch.client.value].name << ", epoch " << epoch.index);
      const Explanation explanation = explain_epoch(reading, epoch);
      // While hosts are in slow start, a row is the mean of factors that grow, and a moment has one of them.
      if (!has_slow_start(*reading.scenario, epoch)) {
        check_same_rows(explanation.endpoints, rows_of(results, epoch));
      }
      check_formulas(explanation);
      check_trace(*reading.scenario, epoch);
      ++epochs;
    }
  }
  CHECK(epochs > support::cases_of(300));
}

TEST_CASE("every step of every scenario names its source, a section of the pages on behaviour") {
  for (const std::string& file : scenario_files()) {
    const scenario::Reading reading = read(file);
    const auto client = config::ClientEntryIndex{0};
    const auto services = reports::explain::asked_services(*reading.scenario, client);
    const Explanation explanation =
        reports::explain::explain(*reading.scenario, reading.sources, {.client = client, .service = services.front()});
    for (const auto& section : explanation.sections) {
      for (const auto& step : section.steps) {
        INFO(file << ": " << step.name);
        REQUIRE(!step.sources.empty());
        const std::string& page = step.sources.front();
        REQUIRE(page.starts_with("docs/behaviour/"));
        REQUIRE(std::filesystem::exists(SPILLWAY_SOURCE_DIR "/" + page.substr(0, page.find(' '))));
      }
    }
  }
}

TEST_CASE("a formula is worked out as Envoy's integers are") {
  CHECK(evaluate("min(100, trunc(140 * 5 / 7))") == 100.0L);
  CHECK(evaluate("trunc(100 / 70) * 100") == 100.0L);
  CHECK(evaluate("ceil(10000 / 70)") == 143.0L);
  CHECK(evaluate("(1 + 2) * 3 - 4 / 2") == 7.0L);
  CHECK(evaluate("18446744073709551615 % 100") == 15.0L);
  CHECK_FALSE(evaluate("min(1, 2"));
  CHECK_FALSE(evaluate("1 +"));
  CHECK_FALSE(evaluate("about 4"));
}

TEST_CASE("the cluster of another zone below an aggregate has Envoy's own factor, and shares nothing") {
  const scenario::Reading reading = read(SPILLWAY_SOURCE_DIR "/scenarios/documented/kuma/egress-aggregate.yaml");
  // frontend-2 at 2.5 s, when its own zone's endpoint is removed: clusters of zone-1 and zone-3, which the policy
  // leaves alone.
  const std::string text = reports::explain::format_explanation(
      reports::explain::explain(*reading.scenario, reading.sources,
                                {.client = {0}, .service = {0}, .at = std::chrono::milliseconds{2500}}),
      reports::Format::table, {});
  CHECK(text.find("overprovisioning_factor 140, Envoy's own") != std::string::npos);
  CHECK(text.find("shared object") == std::string::npos);
}
