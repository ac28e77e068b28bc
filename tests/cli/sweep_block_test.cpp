#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/sweep_file.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const std::string block = R"(sweep:
  over:
    - { key: "clients[shop].workload.rate", values: 50..350/4 }
    - key: services[cart].endpoints[0].cores
      values: [1, 2]
  replications: 3
)";

}  // namespace

TEST_CASE("a scenario's own sweep is what the same keys on the command line are") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario + block);
  REQUIRE(run_program({"sweep", scenario, "-j", "2", "-o", folder.path("block.sqlite")}).code == 0);
  REQUIRE(
      run_program({"sweep", scenario, "--over", "clients[shop].workload.rate=50..350/4", "--over",
                   "services[cart].endpoints[0].cores=1,2", "--replications", "3", "-o", folder.path("line.sqlite")})
          .code == 0);
  CHECK(tables_of(folder.path("block.sqlite")) == tables_of(folder.path("line.sqlite")));
  // Options of the command line go before the block.
  const Finished fewer = run_program({"sweep", scenario, "--replications", "1", "-o", folder.path("one.sqlite")});
  CHECK(has(fewer.output, "8 of 8 points"));
  const Finished other =
      run_program({"sweep", scenario, "--over", "clients[shop].workload.rate=50", "-o", folder.path("other.sqlite")});
  CHECK(has(other.output, " 1 of 1 points"));
  CHECK(run_program({"run", scenario}).code == 0);
  CHECK(run_program({"validate", scenario}).code == 0);
}

TEST_CASE("a scenario's own sweep may draw points") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario + R"(sweep:
  over: [{ key: "clients[shop].workload.rate", values: 50..350 }, { key: "services[cart].endpoints[0].cores", values: 1..4 }]
  design: sobol
  samples: 8
)");
  const Finished finished = run_program({"sweep", scenario, "-o", folder.path("a.sqlite")});
  CHECK(has(finished.output, " 8 of 8 points"));
}

TEST_CASE("what is wrong with a scenario's own sweep is told at its place in the file") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& part, const std::string& instead, const std::string& code,
                           const std::string& place) {
    const std::string scenario = folder.write("queue.yaml", with(queue_scenario + block, part, instead));
    for (const char* command : {"sweep", "validate"}) {
      std::vector<std::string> arguments{command, scenario, "--color", "never"};
      if (std::string(command) == "sweep") {
        arguments.insert(arguments.end(), {"-o", folder.path("a.sqlite")});
      }
      const Finished finished = run_program(arguments);
      CAPTURE(command, finished.error);
      CHECK(finished.code == 2);
      CHECK(has(finished.error, "error[" + code + "]"));
      CHECK(has(finished.error, "queue.yaml:" + place));
    }
    CHECK_FALSE(std::filesystem::exists(folder.path("a.sqlite")));
  };
  // Lines 11 to 16 of the file, counted from 1.
  refused("clients[shop]", "clients[shpo]", "SP950", "12:23");
  refused("cores\n", "coers\n", "SP020", "14:");
  refused("50..350/4", "50..350+0", "SP951", "12:");
  refused("50..350/4", "\"fast,50\"", "SP024", "12:54");
  refused("[1, 2]", "[1, many]", "SP022", "14:19");
  refused("[1, 2]", "[]", "SP026", "14:15");
  refused("[1, 2]", "{ a: 1 }", "SP022", "14:15");
  refused("over:", "ovre:", "SP020", "11:3");
  refused("  replications: 3", "  design: sobol", "SP951", "15:");
  refused("  replications: 3", "  samples: 3", "SP951", "15:");
  refused("  replications: 3", "  replications: none", "SP022", "15:17");
  refused("50..350/4", "1..500000", "SP952", "");
}

TEST_CASE("the command of a point simulates it again: the same draws, counts and latencies") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario + block);
  const std::string variant = folder.write("other.yaml", with(queue_scenario, "name: queue", "name: other"));
  const std::string file = folder.path("a.sqlite");
  REQUIRE(run_program({"sweep", scenario, "--variant", variant, "--seed", "7", "-j", "2", "-o", file}).code == 0);
  for (const std::string point : {"0", "13", "29", "47"}) {
    const Finished shown = run_program({"sweep", "show", file, "--point", point, "-o", "json"});
    REQUIRE(shown.code == 0);
    const auto stored = nlohmann::json::parse(shown.output);
    std::string command = stored["command"];
    REQUIRE(has(command, "spillway run "));
    command = shell_quoted(SPILLWAY_PROGRAM) + command.substr(std::string("spillway").size()) + " -o json";
    const std::string out = folder.path("run.json");
    REQUIRE(std::system((command + " > " + shell_quoted(out)).c_str()) == 0);
    const auto run = nlohmann::json::parse(contents(out));
    std::uint64_t sent = 0;
    for (const auto& row : run.at("outcomes")) {
      sent += row.at("sent").get<std::uint64_t>();
    }
    CHECK(stored["figures"]["sent"].get<std::uint64_t>() == sent);
    spillway::sweep::Database database(file, spillway::sweep::Database::Use::read);
    spillway::sweep::Statement select(database, "SELECT fingerprint FROM points WHERE point = " + point);
    REQUIRE(select.step());
    CHECK(run["unseed"] == select.text(0));
  }
  const Finished listed = run_program({"sweep", "show", file, "--points", "--where", "rate=150", "-o", "csv"});
  CHECK(std::count(listed.output.begin(), listed.output.end(), '\n') == 1 + 2 * 2 * 3);
  CHECK(has(listed.output, "--set 'clients[shop].workload.rate=150'"));
  const Finished none = run_program({"sweep", "show", file, "--where", "rate=151"});
  CHECK(none.code == 2);
  CHECK(has(none.error, "error[SP956]: no point of this sweep has rate `151`"));
  CHECK(has(none.error, "rate is "));
}

TEST_CASE("a point of text, of an object and of a mode is simulated again too") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const std::string file = folder.path("a.sqlite");
  REQUIRE(run_program({"sweep", scenario, "--over",
                       R"(services[cart].endpoints[0].service_time={"mean": "4ms", "distribution": "exponential"},7ms)",
                       "--mode", "exact", "-o", file})
              .code == 0);
  for (const std::string point : {"0", "1"}) {
    const auto stored =
        nlohmann::json::parse(run_program({"sweep", "show", file, "--point", point, "-o", "json"}).output);
    const std::string command = stored["command"];
    CHECK(has(command, "--mode exact"));
    CHECK(std::system((shell_quoted(SPILLWAY_PROGRAM) + command.substr(8) + " > /dev/null").c_str()) == 0);
  }
  CHECK(run_program({"sweep", "show", file, "--point", "2"}).code == 2);
}

TEST_CASE("the option --set puts values into a scenario for run, plan and plot, and tells what is wrong at its place") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const std::string faster = folder.write("queue2.yaml", with(queue_scenario, "100rps", "250rps"));
  const std::string set = "clients[shop].workload.rate=250rps";
  CHECK(run_program({"run", scenario, "--set", set}).output == run_program({"run", faster}).output);
  CHECK(run_program({"plan", scenario, "--set", set}).output == run_program({"plan", faster}).output);
  CHECK(run_program({"plot", scenario, "--set", set, "--kind", "share", "-o", folder.path("a.gp")}).code == 0);
  CHECK(run_program({"plot", faster, "--kind", "share", "-o", folder.path("b.gp")}).code == 0);
  CHECK(contents(folder.path("a.gp")) == contents(folder.path("b.gp")));
  const auto refused = [&](const std::string& setting, const std::string& code) {
    const Finished finished = run_program({"run", scenario, "--set", setting, "--color", "never"});
    CHECK(finished.code == 2);
    CHECK(has(finished.error, "error[" + code + "]"));
    CHECK(has(finished.error, "--set:1:"));
  };
  refused("clients[shpo].workload.rate=1", "SP950");
  refused("clients[shop].workload.rate=fast", "SP024");
  refused("clients[shop].workload.rate", "SP951");
}

TEST_CASE("the page of a sweep holds its points, and refuses more than it can") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario + block);
  const std::string page = folder.path("page.html");
  REQUIRE(run_program({"sweep", scenario, "-j", "2", "-o", folder.path("a.sqlite"), "--report", page}).code == 0);
  const std::string html = contents(page);
  CHECK(has(html, R"("kind":"sweep")"));
  CHECK(has(html, "clients[shop].workload.rate"));
  REQUIRE(
      run_program({"sweep", "show", folder.path("a.sqlite"), "--y", "p99", "--by", "cores", "--report", page}).code ==
      0);
  CHECK(has(contents(page), R"("start":{"x":"rate","y":"p99","by":"cores"})"));
}

TEST_CASE("sensitivity is drawn as bars with intervals") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const std::string file = folder.path("a.sqlite");
  REQUIRE(run_program({"sweep", scenario, "--over", "clients[shop].workload.rate=40..120", "--over",
                       "services[cart].endpoints[0].cores=1..2", "--design", "morris", "--samples", "4", "-j", "2",
                       "-o", file})
              .code == 0);
  REQUIRE(run_program({"sweep", "sensitivity", file, "--y", "utilisation", "-o", folder.path("a.gp")}).code == 0);
  CHECK(has(contents(folder.path("a.gp")), "xerrorbars"));
}

TEST_CASE("a table of combinations and a second scenario are simulated side by side, with the same draws") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const std::string other =
      folder.write("other.yaml", with(with(queue_scenario, "name: queue", "name: faster"), "5ms", "3ms"));
  const std::string table =
      folder.write("table.csv", "clients[shop].workload.rate,services[cart].endpoints[0].cores\n100,1\n200,2\n300,2\n");
  const std::string file = folder.path("a.sqlite");
  REQUIRE(run_program({"sweep", scenario, "--variant", other, "--from-csv", table, "--replications", "4", "-j", "2",
                       "-o", file})
              .code == 0);
  const auto shown = nlohmann::json::parse(run_program({"sweep", "show", file, "--y", "p99", "-o", "json"}).output);
  CHECK(shown["by"] == "side");
  CHECK(shown["points"] == 24);
  // 3 ms of service instead of 5 ms, by the same arrivals: faster at every rate, and by more than chance.
  for (const auto& cell : shown["cells"]) {
    if (cell["by"] == "faster") {
      CHECK(cell["difference"]["mean"].get<double>() < 0.0);
      CHECK(cell["difference"]["real"] == true);
    }
  }
  // A key in the table that is not there is told at its place.
  const std::string wrong = folder.write("wrong.csv", "duration,clients[shpo].workload.rate\n1s,100\n");
  const Finished refused =
      run_program({"sweep", scenario, "--from-csv", wrong, "-o", folder.path("b.sqlite"), "--color", "never"});
  CHECK(refused.code == 2);
  CHECK(has(refused.error, "wrong.csv:1:18"));
}
