#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "tests/cli/sweep_file.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

std::vector<std::string> sweep_of(const std::string& scenario, const std::string& file) {
  return {"sweep", scenario, "--over", "clients[shop].workload.rate=50..350/7", "--replications", "4", "-j",
          "2",     "-o",     file};
}

constexpr int a_minute = 60'000;  // in milliseconds

// Starts the program and ends it by that signal once `is_time`, or after so many milliseconds; its exit code, or 128
// and the signal.
int simulate_and_end(
    const std::vector<std::string>& arguments, int signal, int after_ms,
    const std::function<bool()>& is_time = [] { return false; }) {
  const pid_t process = fork();
  if (process == 0) {
    std::vector<char*> words{const_cast<char*>(SPILLWAY_PROGRAM)};
    for (const std::string& argument : arguments) {
      words.push_back(const_cast<char*>(argument.c_str()));
    }
    words.push_back(nullptr);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    execv(SPILLWAY_PROGRAM, words.data());
    _exit(127);
  }
  for (int waited = 0; waited < after_ms && !is_time(); ++waited) {
    usleep(1000);
  }
  kill(process, signal);
  int status = 0;
  waitpid(process, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("a sweep that is killed again and again ends with the same tables as one left alone") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  REQUIRE(run_program(sweep_of(scenario, folder.path("alone.sqlite"))).code == 0);
  const std::string killed = folder.path("killed.sqlite");
  int kills = 0;
  for (int after = 10; after <= 120; after += 10) {
    kills += simulate_and_end(sweep_of(scenario, killed), SIGKILL, after) == 128 + SIGKILL ? 1 : 0;
  }
  CHECK(kills > 0);
  REQUIRE(run_program(sweep_of(scenario, killed)).code == 0);
  CHECK(tables_of(killed) == tables_of(folder.path("alone.sqlite")));
}

TEST_CASE("a sweep that is interrupted keeps what is done, says so by its exit code, and goes on") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  auto long_sweep = sweep_of(scenario, folder.path("one.sqlite"));
  long_sweep[5] = "4000";
  const auto done = [&]() -> std::int64_t {
    try {
      spillway::sweep::Database database(folder.path("one.sqlite"), spillway::sweep::Database::Use::read);
      spillway::sweep::Statement count(database, "SELECT count(*) FROM points");
      return count.step() ? count.integer(0) : 0;
    } catch (const spillway::sweep::DatabaseError&) {
      return 0;  // it is not made yet
    }
  };
  CHECK(simulate_and_end(long_sweep, SIGINT, a_minute, [&] { return done() > 0; }) == 130);
  const auto before = done();
  CHECK(before > 0);
  CHECK(simulate_and_end(long_sweep, SIGTERM, a_minute, [&] { return done() > before; }) == 143);
  CHECK(done() > before);
}

TEST_CASE("three sweeps at once on one file share the points, and none is simulated twice", "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", with(queue_scenario, "duration: 2s", "duration: 10s"));
  auto longer = [&](const std::string& file) {
    auto arguments = sweep_of(scenario, folder.path(file));
    arguments[5] = "60";
    return arguments;
  };
  REQUIRE(run_program(longer("alone.sqlite")).code == 0);
  std::string command = shell_quoted(SPILLWAY_PROGRAM);
  for (const std::string& argument : longer("both.sqlite")) {
    command += " " + shell_quoted(argument);
  }
  const std::string said = folder.path("said");
  std::string three;
  for (const char* number : {"1", "2", "3"}) {
    three += command + " > " + shell_quoted(said + number) + " 2>&1 & ";
  }
  REQUIRE(std::system(("{ " + three + "wait; }").c_str()) == 0);
  // " 420 of 420 points in both.sqlite, 140 of them by this command": together every one, and once.
  int together = 0;
  for (const char* number : {"1", "2", "3"}) {
    const std::string text = contents(said + number);
    CAPTURE(text);
    const std::size_t by = text.find(" of them by");
    REQUIRE(by != std::string::npos);
    together += std::stoi(text.substr(text.rfind(' ', by - 1) + 1));
  }
  CHECK(together == 7 * 60);
  CHECK(tables_of(folder.path("both.sqlite")) == tables_of(folder.path("alone.sqlite")));
}

#ifdef SPILLWAY_NETWORK_FILE_SYSTEM
TEST_CASE("on a network file system a sweep asks for shards, and a shard is written there") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const std::string there = "LD_PRELOAD=" SPILLWAY_NETWORK_FILE_SYSTEM " {}";
  const Finished refused = run_program(sweep_of(scenario, folder.path("all.sqlite")), there);
  CHECK(refused.code == 2);
  CHECK(has(refused.error, "error[SP955]"));
  CHECK(has(refused.error, "NFS"));
  CHECK(has(refused.error, "--shard I/N"));
  CHECK_FALSE(std::filesystem::exists(folder.path("all.sqlite")));
  auto shard = sweep_of(scenario, folder.path("one.sqlite"));
  shard.insert(shard.end(), {"--shard", "1/1"});
  REQUIRE(run_program(shard, there).code == 0);
  CHECK_FALSE(std::filesystem::exists(folder.path("one.sqlite-wal")));
  REQUIRE(run_program(sweep_of(scenario, folder.path("alone.sqlite"))).code == 0);
  CHECK(tables_of(folder.path("one.sqlite")) == tables_of(folder.path("alone.sqlite")));
}
#endif

TEST_CASE("shards are joined to the tables of one sweep") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  REQUIRE(run_program(sweep_of(scenario, folder.path("alone.sqlite"))).code == 0);
  std::vector<std::string> merge{"sweep", "merge", folder.path("all.sqlite")};
  for (const std::string shard : {"1", "2", "3"}) {
    auto arguments = sweep_of(scenario, folder.path(shard + ".sqlite"));
    arguments.insert(arguments.end(), {"--shard", shard + "/3"});
    REQUIRE(run_program(arguments).code == 0);
    merge.push_back(folder.path(shard + ".sqlite"));
  }
  REQUIRE(run_program(merge).code == 0);
  CHECK(tables_of(folder.path("all.sqlite")) == tables_of(folder.path("alone.sqlite")));
}

TEST_CASE("a point of a sweep is what a run of the same values and seed says") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  std::string faster = queue_scenario;
  faster.replace(faster.find("100rps"), 6, "250rps");
  const std::string other = folder.write("faster.yaml", faster);
  REQUIRE(run_program({"sweep", scenario, "--over", "clients[shop].workload.rate=250", "-o", folder.path("a.sqlite")})
              .code == 0);
  const Finished run = run_program({"run", other, "-o", "json"});
  spillway::sweep::Database database(folder.path("a.sqlite"), spillway::sweep::Database::Use::read);
  spillway::sweep::Statement select(database, "SELECT fingerprint, sent FROM points");
  REQUIRE(select.step());
  CHECK(has(run.output, "\"unseed\": \"" + select.text(0) + "\""));
  CHECK(has(run.output, "\"sent\": " + std::to_string(select.integer(1))));
}

TEST_CASE("a sweep refuses keys, values and files before anything is simulated, with a code") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const std::string file = folder.path("a.sqlite");
  const auto refused = [&](std::vector<std::string> arguments, const std::string& code) {
    arguments.insert(arguments.begin(), {"sweep"});
    const Finished finished = run_program(arguments);
    CHECK(finished.code == 2);
    CHECK(finished.output.empty());
    CAPTURE(finished.error);
    CHECK(has(finished.error, "error[" + code + "]"));
  };
  refused({scenario, "-o", file}, "SP903");
  refused({scenario, "--over", "duration=1s"}, "SP903");
  refused({scenario, "--over", "clients[shpo].workload.rate=1", "-o", file}, "SP950");
  refused({scenario, "--over", "clients[shop].workload.rate=", "-o", file}, "SP951");
  refused({scenario, "--over", "seed=1..1000", "--over", "clients[shop].workload.rate=1..2000", "-o", file}, "SP952");
  refused({scenario, "--over", "duration=1s", "--shard", "4/3", "-o", file}, "SP904");
  refused({scenario, "--over", "duration=1s", "--design", "grids", "-o", file}, "SP904");
  refused({scenario, "--over", "duration=1s,2s", "--design", "sobol", "-o", file}, "SP903");
  refused({scenario, "--over", "duration=1s", "-o", "/nowhere/a.sqlite"}, "SP953");
  refused({"show", scenario}, "SP953");
  REQUIRE(run_program({"sweep", scenario, "--over", "duration=1s", "-o", file}).code == 0);
  refused({scenario, "--over", "duration=2s", "-o", file}, "SP954");
  refused({"show", file, "--y", "faled"}, "SP956");
  refused({"show", file, "--x", "rate"}, "SP956");
}

TEST_CASE("a sweep is not stored under the name of another kind of file, in small letters or capitals") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("s.yaml", queue_scenario);
  for (const char* name : {"s.csv", "s.CSV", "s.Json"}) {
    const Finished finished = run_program({"sweep", scenario, "--over", "seed=1..2", "-o", folder.path(name)});
    INFO(name);
    CHECK(finished.code == 2);
    CHECK_FALSE(std::filesystem::exists(folder.path(name)));
  }
}

TEST_CASE("values that the schema refuses are told at their place on the command line") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const Finished finished = run_program({"sweep", scenario, "--over", "clients[shop].workload.rate=100,fast", "-o",
                                         folder.path("a.sqlite"), "--color", "never"});
  CHECK(finished.code == 2);
  CHECK(has(finished.error, "--over:1:33"));
  CHECK_FALSE(std::filesystem::exists(folder.path("a.sqlite")));
}

// Erlang's B: four servers without a queue turn away B(4, a) of what is offered.
TEST_CASE("a sweep of a station without a queue loses what Erlang's formula says") {
  const TemporaryFolder folder;
  std::string loss = queue_scenario;
  loss.replace(loss.find("count: 2"), 8, "count: 1");
  loss.replace(loss.find("cores: 1"), 8, "cores: 4, queue: 0");
  loss.replace(loss.find("duration: 2s"), 12, "duration: 60s");
  const std::string scenario = folder.write("loss.yaml", loss);
  const std::string file = folder.path("loss.sqlite");
  REQUIRE(run_program({"sweep", scenario, "--over", "clients[shop].workload.rate=200..1600/8", "--replications", "5",
                       "-j", "2", "-o", file})
              .code == 0);
  spillway::sweep::Database database(file, spillway::sweep::Database::Use::read);
  spillway::sweep::Statement select(
      database,
      "SELECT number, avg(failed), count(*) FROM points JOIN inputs USING (setting) GROUP BY setting ORDER BY 1");
  int rates = 0;
  while (select.step()) {
    const double offered = select.number(0) * 0.005;
    double blocked = 1.0;
    for (int servers = 1; servers <= 4; ++servers) {
      blocked = offered * blocked / (servers + offered * blocked);
    }
    CHECK(select.number(1) == Approx(blocked).margin(0.006));
    CHECK(select.integer(2) == 5);
    ++rates;
  }
  CHECK(rates == 8);
}

// Two zones of ten hosts each share the traffic; below 50 % of healthy hosts all of them get it (panic).
TEST_CASE("a sweep of healthy hosts shows the cliff of panic at half of them") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("cliff.yaml", two_zones_of_ten_hosts);
  const std::string file = folder.path("cliff.sqlite");
  REQUIRE(run_program({"sweep", scenario, "--over", "services[cart].endpoints[*].healthy=0..10", "-o", file}).code ==
          0);
  const Finished shown = run_program({"sweep", "show", file, "--y", "utilisation", "-o", "csv"});
  CHECK(has(shown.output, "\n4,,0.25,"));
  CHECK(has(shown.output, "\n5,,0.5,"));
  CHECK(has(shown.output, "\n10,,0.25,"));
}

TEST_CASE("a sweep is drawn as curves with bands, and as a map where both keys have many numbers") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  REQUIRE(run_program(sweep_of(scenario, folder.path("a.sqlite"))).code == 0);
  REQUIRE(run_program({"sweep", "plot", folder.path("a.sqlite"), "--y", "p99", "-o", folder.path("a.gp")}).code == 0);
  CHECK(has(contents(folder.path("a.gp")), "filledcurves"));
  REQUIRE(run_program({"sweep", scenario, "--over", "clients[shop].workload.rate=10..40/4", "--over",
                       "services[cart].endpoints[0].cores=1..9", "-j", "2", "-o", folder.path("b.sqlite")})
              .code == 0);
  REQUIRE(run_program({"sweep", "plot", folder.path("b.sqlite"), "--by", "cores", "-o", folder.path("b.gp")}).code ==
          0);
  CHECK(has(contents(folder.path("b.gp")), "with image"));
}
