#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const std::string kuma_cases = std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/documented/kuma/";
const std::string use_case_4 = kuma_cases + "use-case-4.yaml";
const std::string use_case_5 = kuma_cases + "use-case-5.yaml";

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("diff ends with 1 where something changes and with 0 where nothing does, in every format", "[unsanitized]") {
  for (const std::string format : {"table", "wide", "markdown", "csv", "json"}) {
    CHECK(run_program({"diff", use_case_4, use_case_5, "-o", format}).code == 1);
    CHECK(run_program({"diff", use_case_4, use_case_4, "-o", format}).code == 0);
  }
  CHECK(mentions(run_program({"diff", use_case_4, use_case_4}).output, "use-case-4.yaml: nothing changes in the "));
  CHECK(
      mentions(run_program({"diff", use_case_4, use_case_5}).output,
               "50 points of frontend-2's traffic go from zone-3 to zone-1 when the endpoint of zone-2 is unhealthy"));
}

TEST_CASE("diff prints JSON that programs read", "[unsanitized]") {
  const auto root = nlohmann::json::parse(run_program({"diff", use_case_4, use_case_5, "-o", "json"}).output);
  CHECK(root["schema_version"] == 1);
  CHECK(root["changed"] == true);
  CHECK(root["moves"][0]["client"] == "frontend-2");
  CHECK(root["moves"][0]["moved"] == 0.5);
  CHECK(root["contexts"][root["moves"][0]["context"].get<std::size_t>()]["kind"] == "moment");
}

TEST_CASE("diff prints annotations for GitHub beside its results", "[unsanitized]") {
  const Finished changed = run_program({"diff", use_case_4, use_case_5, "--github"});
  CHECK(mentions(changed.error, "::notice file=" + use_case_5 + ",line="));
  CHECK(run_program({"diff", use_case_4, use_case_4, "--github"}).error.empty());
}

TEST_CASE("diff refuses what it cannot compare, says which side it is, and prints no results") {
  const TemporaryFolder folder;
  const std::string wrong = folder.write("wrong.yaml", "duration: 1s\nzones: []\n");
  const std::string policy = folder.write("policy.yaml", "type: MeshLoadBalancingStrategy\nname: a\nspec: {}\n");
  const std::string nothing_fails =
      folder.write("failures.yaml", contents(use_case_4) + "failures: [{ any: 1, of: endpoints, zone: zone-9 }]\n");
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& part) {
    const Finished finished = run_program(arguments);
    CAPTURE(finished.error);
    CHECK(finished.code == 2);
    CHECK(finished.output.empty());
    CHECK(mentions(finished.error, part));
  };
  refused({"diff"}, "error[SP903]");
  refused({"diff", use_case_4}, "error[SP903]");
  refused({"diff", use_case_4, use_case_5, use_case_5}, "error[SP905]");
  refused({"diff", use_case_4, wrong}, "NEW cannot be compared");
  refused({"diff", wrong, use_case_4}, "OLD cannot be compared");
  refused({"diff", folder.path("none.yaml"), use_case_4}, "error[SP001]");
  refused({"diff", use_case_4, nothing_fails}, "NEW cannot be compared");
  refused({"diff", use_case_4, use_case_5, "--at", "8s"}, "error[SP904]");
  CHECK(run_program({"diff", policy, policy}).code == 0);
  refused({"diff", use_case_4, use_case_5, "--scenario", use_case_4}, "error[SP930]");
  refused({"diff", "-", "-"}, "error[SP933]");
}

TEST_CASE("diff reads one side from standard input", "[unsanitized]") {
  const Finished finished = run_program({"diff", "-", use_case_5}, "{} < " + shell_quoted(use_case_4));
  CHECK(finished.code == 1);
  CHECK(mentions(finished.output, "frontend-2"));
}

TEST_CASE("diff finds what outlier detection changes, says so in every format, and ends with 1") {
  const TemporaryFolder folder;
  const auto scenario = [&](const std::string& name, const std::string& percent) {
    return folder.write(name,
                        "duration: 60s\nzones: [{ name: a }]\n"
                        "services: [{ name: s, endpoints: [{ count: 4, zone: a, capacity: 100rps }] }]\n"
                        "clusters: [{ name: s, outlier_detection: { consecutive_5xx: 5, interval: 5s, "
                        "max_ejection_percent: " +
                            percent +
                            " } }]\n"
                            "clients: [{ name: c, zone: a, workload: { service: s, rate: 40rps } }]\n"
                            "timeline: [{ at: 0s, endpoints: [s-1, s-2], fails: 100% }]\n");
  };
  const std::string before = scenario("old.yaml", "100");
  const std::string after = scenario("new.yaml", "10");
  for (const std::string format : {"table", "wide", "markdown", "csv", "json"}) {
    CAPTURE(format);
    const Finished finished = run_program({"diff", before, after, "-o", format, "--replications", "5", "-j", "2"});
    CHECK(finished.code == 1);
    CHECK_FALSE(mentions(finished.output, "nothing changes"));
    CHECK(mentions(finished.output, format == "csv" || format == "wide" ? "simulated" : "failed requests of c rise"));
  }
  CHECK(mentions(run_program({"diff", before, after, "--replications", "5", "--github"}).error,
                 "failed requests of c rise"));
  CHECK(run_program({"diff", before, after, "--replications", "1"}).code == 2);
  const std::string page = folder.path("page.html");
  CHECK(run_program({"diff", before, after, "--replications", "5", "--report", page}).code == 1);
  CHECK(mentions(contents(page), "failed requests of c rise"));
}
