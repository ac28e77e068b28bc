// `spillway check` and `spillway tables` on files and folders.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/small_scenario_file.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("check says which expectations met and ends with 0 if all do") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  const Finished finished = run_program({"check", file});
  CHECK(finished.code == 0);
  CHECK(finished.output == "ok      " + file + "   2 of 2 expectations met\n1 passed, 0 failed\n");
}

TEST_CASE("a broken figure ends check with 1 and names the cell, in every format") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", replaced(small_scenario, "70%, 30%", "70%, 31%"));
  for (const char* format : {"table", "wide", "markdown", "csv", "json"}) {
    const Finished finished = run_program({"check", file, "-o", format});
    CHECK(finished.code == 1);
    const bool escaped = std::string(format) == "json" || std::string(format) == "csv";
    const std::string quote = std::string(format) == "json" ? "\\\"" : escaped ? "\"\"" : "\"";
    CHECK(contains(finished.output, "table " + quote + "share by priority" + quote +
                                        " row 2 (10 - 20 s), column P1: expected 31 %, exact 30 %"));
  }
  CHECK(contains(run_program({"check", file}).output, "small.yaml:18:20: table"));
  CHECK(run_program({"run", file}).code == 1);
  CHECK(contains(run_program({"run", file, "-o", "csv"}).error, "small.yaml:18:20: table"));
}

TEST_CASE("folders are searched in the order of bytes, without hidden files and schemas, the same for any jobs") {
  const TemporaryFolder folder;
  for (const char* name : {"b.yaml", "a/z.yml", "a.yaml", "C.yaml"}) {
    folder.write(std::string("all/") + name, small_scenario);
  }
  folder.write("all/.hidden.yaml", "nonsense");
  folder.write("all/schema/scenario.json", "{}");
  folder.write("all/notes.txt", "nonsense");
  const Finished one = run_program({"check", folder.path("all"), "--jobs", "1"});
  CHECK(one.code == 0);
  CHECK(contains(one.output, "4 passed, 0 failed\n"));
  CHECK(one.output.find("C.yaml") < one.output.find("a.yaml"));
  CHECK(one.output.find("a.yaml") < one.output.find("a/z.yml"));
  CHECK(one.output.find("a/z.yml") < one.output.find("b.yaml"));
  CHECK(run_program({"check", folder.path("all"), "--jobs", "2"}).output == one.output);
  CHECK(run_program({"check", folder.path("all"), "--jobs", "9"}).output == one.output);
}

TEST_CASE("a folder without scenarios is refused") {
  const TemporaryFolder folder;
  folder.write("empty/notes.txt", "");
  const Finished finished = run_program({"check", folder.path("empty")});
  CHECK(finished.code == 2);
  CHECK(contains(finished.error, "error[SP907]: no scenarios in"));
  CHECK(finished.output.empty());
}

TEST_CASE("check writes JUnit XML beside its output") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", replaced(small_scenario, "70%, 30%", "70%, 31%"));
  const std::string junit = folder.path("junit.xml");
  CHECK(run_program({"check", file, "--junit", junit}).code == 1);
  CHECK(contains(contents(junit), "tests=\"2\" failures=\"1\" errors=\"0\""));
  CHECK(run_program({"check", file, "--junit", "/dev/full"}).code == 2);
}

TEST_CASE("check in exact mode compares the same figures without sending requests") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  CHECK(run_program({"check", file, "--mode", "exact"}).code == 0);
}

TEST_CASE("tables reprints documented, exact and simulated figures, and the reasons of differences") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "small.yaml",
      replaced(small_scenario, "70%, 30%", "{ documented: 50%, exact: 70%, reason: forgets the factor }, 30%"));
  const Finished finished = run_program({"tables", file});
  CHECK(finished.code == 0);
  CHECK(contains(finished.output, " 50 |  70 | "));
  CHECK(contains(finished.output, "x  forgets the factor\n"));
  CHECK(contains(finished.output, "1 table, 1 difference between document and Envoy, 0 unexplained\n"));
  const auto json = nlohmann::json::parse(run_program({"tables", file, "-o", "json"}).output);
  CHECK(json["differences"] == 1);
  CHECK(json["scenarios"][0]["tables"][0]["rows"][1]["documented"][1] == 50);
}

TEST_CASE("a difference that nobody explains ends tables with 1") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", replaced(small_scenario, "70%, 30%", "70%, 31%"));
  const Finished finished = run_program({"tables", file});
  CHECK(finished.code == 1);
  CHECK(contains(finished.output, "!  unexplained difference"));
}

TEST_CASE("tables finds the documented scenarios of the house from anywhere", "[unsanitized]") {
  const Finished finished = run_program({"tables"}, "cd / && {}");
  CHECK(finished.code == 0);
  CHECK(contains(finished.output, "priority, two levels"));
  CHECK(contains(finished.output, " 0 unexplained\n"));
}

TEST_CASE("check and validate print annotations for GitHub beside all else") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", replaced(small_scenario, "70%, 30%", "71%, 29%"));
  const Finished checked = run_program({"check", file, "--github"});
  CHECK(checked.code == 1);
  CHECK(checked.output == run_program({"check", file}).output);
  CHECK(checked.error.find("::error file=" + file + ",line=18,col=15,title=expectation failed::") != std::string::npos);
  const std::string bad = folder.write("bad.yaml", replaced(small_scenario, "zone: zone-2", "zone: zone-3"));
  const Finished validated = run_program({"validate", bad, "--github"});
  CHECK(validated.code == 2);
  CHECK(validated.error.find("::error file=" + bad + ",line=10,col=28,title=SP104::unknown zone `zone-3`") !=
        std::string::npos);
}

TEST_CASE("run writes its results as OpenMetrics too, and prints the same") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  const std::string metrics = folder.path("small.txt");
  const Finished finished = run_program({"run", file, "--metrics", metrics});
  CHECK(finished.code == 0);
  CHECK(finished.output == run_program({"run", file}).output);
  const std::string text = contents(metrics);
  CHECK(text.ends_with("\n# EOF\n"));
  CHECK(text.find("spillway_endpoint_requests_total{") != std::string::npos);
  const Finished full = run_program({"run", file, "--metrics", "/dev/full"});
  CHECK(full.code == 2);
  CHECK(full.output.empty());
  CHECK(full.error.find("error[SP908]: cannot write `/dev/full`") != std::string::npos);
  CHECK(run_program({"run", file, "--metrics", "-"}).code == 2);
}
