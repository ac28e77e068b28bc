// `--report` of the commands that have it. What the pages do in a browser: tests/reports/html/page.test.mjs.
#include <catch2/catch.hpp>
#include <string>

#include "tests/cli/small_scenario_file.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

std::string without_report(const TemporaryFolder& folder, const std::string& options) {
  return run_program({"run", folder.path("small.yaml"), "-o", options}).output;
}

bool page_holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the option --report changes neither standard output nor the exit code, in any format and mode") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  for (const char* format : {"table", "wide", "csv", "json"}) {
    const Finished finished = run_program({"run", file, "-o", format, "--report", folder.path("out.html")});
    CHECK(finished.code == 0);
    CHECK(finished.error.empty());
    CHECK(finished.output == without_report(folder, format));
  }
  for (const char* mode : {"exact", "platform"}) {
    CHECK(run_program({"run", file, "--mode", mode, "--report", folder.path("out.html")}).output ==
          run_program({"run", file, "--mode", mode}).output);
  }
  CHECK(run_program({"run", file, "--replications", "3", "--report", folder.path("out.html")}).output ==
        run_program({"run", file, "--replications", "3"}).output);
  CHECK(run_program({"plan", file, "--report", folder.path("out.html")}).output == run_program({"plan", file}).output);
}

TEST_CASE("a report says its verdict without JavaScript too, and is the same bytes every time") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  REQUIRE(run_program({"run", file, "--report", folder.path("one.html")}).code == 0);
  REQUIRE(run_program({"run", file, "--report=" + folder.path("two.html")}).code == 0);
  const std::string page = contents(folder.path("one.html"));
  CHECK(page == contents(folder.path("two.html")));
  CHECK(page.starts_with("<!DOCTYPE html>\n"));
  CHECK(page_holds(page, "<p>OK: all 2 expectations are met.</p>"));
  CHECK(page_holds(page, "frontend (1, zone-1) -&gt; backend"));
  CHECK(page_holds(page, "\"command\":\"spillway run " + file + "\""));

  const std::string wrong = folder.write("wrong.yaml", replaced(small_scenario, "30%", "31%"));
  CHECK(run_program({"run", wrong, "--report", folder.path("wrong.html")}).code == 1);
  CHECK(page_holds(contents(folder.path("wrong.html")), "<p>Failed: 1 of 2 expectations failed.</p>"));
}

TEST_CASE("the option --report of a difference changes nothing else") {
  const TemporaryFolder folder;
  const std::string old = folder.write("small.yaml", small_scenario);
  const std::string other = folder.write("other.yaml", replaced(small_scenario, "10s, 50%", "10s, 60%"));
  const Finished finished = run_program({"diff", old, other, "--report", folder.path("out.html")});
  CHECK(finished.code == 1);
  CHECK(finished.output == run_program({"diff", old, other}).output);
  CHECK(page_holds(contents(folder.path("out.html")), "<title>small.yaml -&gt; other.yaml</title>"));
  CHECK(run_program({"diff", old, other, "--report", other}).code == 2);
}

TEST_CASE("a report that cannot be written is refused, and so is one in the scenario's own place") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  for (const char* command : {"run", "plan"}) {
    const Finished nowhere = run_program({command, file, "--report", folder.path("no-folder/out.html")});
    CHECK(nowhere.code == 2);
    CHECK(nowhere.output.empty());
    CHECK(page_holds(nowhere.error, "error[SP908]: cannot write `"));
    const Finished itself = run_program({command, file, "--report", file});
    CHECK(itself.code == 2);
    CHECK(page_holds(itself.error, "error[SP940]: `--report` would overwrite `"));
    CHECK(contents(file) == small_scenario);
    const Finished output = run_program({command, file, "--report", "-"});
    CHECK(output.code == 2);
    CHECK(page_holds(output.error, "error[SP904]"));
  }
}

TEST_CASE("the option --version says whether reports have charts") {
  const std::string version = run_program({"--version"}).output;
  CHECK((page_holds(version, "\nreports with charts by Apache ECharts 6.") ||
         page_holds(version, "\nreports without charts: they were not available at build time\n")));
}
