#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "sim/sweep/database.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const std::string queue_scenario = R"(name: queue
duration: 2s
mode: requests
zones: [{ name: zone-1, nodes: [{ name: n1, count: 1 }] }]
services:
  - name: cart
    endpoints: [{ count: 2, zone: zone-1, cores: 1, service_time: { mean: 5ms, distribution: exponential } }]
clients:
  - { name: shop, zone: zone-1, workload: { service: cart, rate: 100rps } }
)";

bool sweep_says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Every row of every table, in the order of its key.
std::string tables_of(const std::string& file) {
  spillway::sweep::Database database(file, spillway::sweep::Database::Use::read);
  std::string all;
  for (const char* table :
       {"sweep", "sides", "keys", "inputs", "points", "outcomes", "shares", "loads", "happenings", "claims"}) {
    spillway::sweep::Statement columns(database,
                                       "SELECT count(*) FROM pragma_table_info('" + std::string(table) + "')");
    const int count = columns.step() ? static_cast<int>(columns.integer(0)) : 0;
    std::string order = "1";
    for (int column = 2; column <= std::min(count, 6); ++column) {
      order += ", " + std::to_string(column);
    }
    spillway::sweep::Statement rows(database, "SELECT * FROM " + std::string(table) + " ORDER BY " + order);
    all += std::string(table) + '\n';
    while (rows.step()) {
      for (int column = 0; column < count; ++column) {
        all += rows.is_null(column) ? "-" : rows.text(column);
        all += column + 1 < count ? '|' : '\n';
      }
    }
  }
  return all;
}

std::vector<std::string> sweep_of(const std::string& scenario, const std::string& file) {
  return {"sweep", scenario, "--over", "clients[shop].workload.rate=50..350/7", "--replications", "4", "-j",
          "2",     "-o",     file};
}

// Starts the program and ends it by that signal after so many milliseconds; its exit code, or 128 and the signal.
int play_and_end(const std::vector<std::string>& arguments, int signal, int after_ms) {
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
  usleep(static_cast<useconds_t>(after_ms) * 1000);
  kill(process, signal);
  int status = 0;
  waitpid(process, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("a sweep that is killed again and again ends with the same tables as one left alone") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  REQUIRE(play(sweep_of(scenario, folder.path("alone.sqlite"))).code == 0);
  const std::string killed = folder.path("killed.sqlite");
  int kills = 0;
  for (int after = 10; after <= 120; after += 10) {
    kills += play_and_end(sweep_of(scenario, killed), SIGKILL, after) == 128 + SIGKILL ? 1 : 0;
  }
  CHECK(kills > 0);
  REQUIRE(play(sweep_of(scenario, killed)).code == 0);
  CHECK(tables_of(killed) == tables_of(folder.path("alone.sqlite")));
}

TEST_CASE("a sweep that is interrupted keeps what is done, says so by its exit code, and goes on") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  auto long_sweep = sweep_of(scenario, folder.path("one.sqlite"));
  long_sweep[5] = "4000";
  CHECK(play_and_end(long_sweep, SIGINT, 700) == 130);
  const auto done = [&] {
    spillway::sweep::Database database(folder.path("one.sqlite"), spillway::sweep::Database::Use::read);
    spillway::sweep::Statement count(database, "SELECT count(*) FROM points");
    return count.step() ? count.integer(0) : 0;
  };
  const auto before = done();
  CHECK(before > 0);
  CHECK(play_and_end(long_sweep, SIGTERM, 700) == 143);
  CHECK(done() > before);
}

TEST_CASE("two sweeps on one file share the points, and shards are joined to the same tables") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  REQUIRE(play(sweep_of(scenario, folder.path("alone.sqlite"))).code == 0);
  const auto both = sweep_of(scenario, folder.path("both.sqlite"));
  const Finished finished = play(both, "({} &); {}");
  CHECK((finished.code == 0 || finished.code == 126 || finished.code == 127));
  REQUIRE(play(both).code == 0);
  CHECK(tables_of(folder.path("both.sqlite")) == tables_of(folder.path("alone.sqlite")));
  std::vector<std::string> merge{"sweep", "merge", folder.path("all.sqlite")};
  for (const std::string shard : {"1", "2", "3"}) {
    auto arguments = sweep_of(scenario, folder.path(shard + ".sqlite"));
    arguments.insert(arguments.end(), {"--shard", shard + "/3"});
    REQUIRE(play(arguments).code == 0);
    merge.push_back(folder.path(shard + ".sqlite"));
  }
  REQUIRE(play(merge).code == 0);
  CHECK(tables_of(folder.path("all.sqlite")) == tables_of(folder.path("alone.sqlite")));
}

TEST_CASE("a point of a sweep is what a run of the same values and seed says") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  std::string faster = queue_scenario;
  faster.replace(faster.find("100rps"), 6, "250rps");
  const std::string other = folder.write("faster.yaml", faster);
  REQUIRE(play({"sweep", scenario, "--over", "clients[shop].workload.rate=250", "-o", folder.path("a.sqlite")}).code ==
          0);
  const Finished run = play({"run", other, "-o", "json"});
  spillway::sweep::Database database(folder.path("a.sqlite"), spillway::sweep::Database::Use::read);
  spillway::sweep::Statement select(database, "SELECT fingerprint, sent FROM points");
  REQUIRE(select.step());
  CHECK(sweep_says(run.output, "\"unseed\": \"" + select.text(0) + "\""));
  CHECK(sweep_says(run.output, "\"sent\": " + std::to_string(select.integer(1))));
}

TEST_CASE("a sweep refuses keys, values and files before anything is simulated, with a code") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const std::string file = folder.path("a.sqlite");
  const auto refused = [&](std::vector<std::string> arguments, const std::string& code) {
    arguments.insert(arguments.begin(), {"sweep"});
    const Finished finished = play(arguments);
    CHECK(finished.code == 2);
    CHECK(finished.output.empty());
    CAPTURE(finished.error);
    CHECK(sweep_says(finished.error, "error[" + code + "]"));
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
  REQUIRE(play({"sweep", scenario, "--over", "duration=1s", "-o", file}).code == 0);
  refused({scenario, "--over", "duration=2s", "-o", file}, "SP954");
  refused({"show", file, "--y", "faled"}, "SP956");
  refused({"show", file, "--x", "rate"}, "SP956");
}

TEST_CASE("values that the schema refuses are told at their place on the command line") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const Finished finished = play({"sweep", scenario, "--over", "clients[shop].workload.rate=100,fast", "-o",
                                  folder.path("a.sqlite"), "--color", "never"});
  CHECK(finished.code == 2);
  CHECK(sweep_says(finished.error, "--over:1:33"));
  CHECK_FALSE(std::filesystem::exists(folder.path("a.sqlite")));
}

// An M/M/1 queue: 1 - utilisation of 0.5 leaves p99 = ln(100) * 5 ms / 0.5 = 46.1 ms; it is 100 ms at a utilisation of
// 1 - ln(100) * 5 ms / 100 ms = 0.770, which is 154 requests a second.
TEST_CASE("a search finds the rate at which a queue's p99 is what the theory says") {
  const TemporaryFolder folder;
  std::string one = queue_scenario;
  one.replace(one.find("count: 2"), 8, "count: 1");
  one.replace(one.find("duration: 2s"), 12, "duration: 200s");
  const std::string scenario = folder.write("queue.yaml", one);
  const Finished finished = play({"find", scenario, "--maximise", "clients[shop].workload.rate=20..190", "--such-that",
                                  "p99 < 100ms", "--replications", "5", "-j", "2", "-o", "json"});
  REQUIRE(finished.code == 0);
  const auto number_after = [&](const std::string& key) {
    const std::size_t at = finished.output.find("\"" + key + "\":");
    const std::size_t number = finished.output.find("\"number\":", at);
    return std::stod(finished.output.substr(number + 9));
  };
  CHECK(number_after("answer") <= 154.0);
  CHECK(number_after("beyond") >= 154.0);
  CHECK(number_after("answer") > 140.0);
  CHECK(number_after("beyond") < 168.0);
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
  REQUIRE(play({"sweep", scenario, "--over", "clients[shop].workload.rate=200..1600/8", "--replications", "5", "-j",
                "2", "-o", file})
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
  const std::string scenario = folder.write("cliff.yaml", R"(
name: two zones
duration: 1s
mode: exact
zones: [{ name: zone-1 }, { name: zone-2 }]
services:
  - name: cart
    endpoints:
      - { count: 10, zone: zone-1, capacity: 100rps, healthy: "10" }
      - { count: 10, zone: zone-2, capacity: 100rps, healthy: "10" }
clients: [{ name: shop, zone: zone-1, workload: { service: cart, rate: 500rps } }]
)");
  const std::string file = folder.path("cliff.sqlite");
  REQUIRE(play({"sweep", scenario, "--over", "services[cart].endpoints[*].healthy=0..10", "-o", file}).code == 0);
  const Finished shown = play({"sweep", "show", file, "--y", "utilisation", "-o", "csv"});
  CHECK(sweep_says(shown.output, "\n4,,0.25,"));
  CHECK(sweep_says(shown.output, "\n5,,0.5,"));
  CHECK(sweep_says(shown.output, "\n10,,0.25,"));
}

// 12 of 20 hosts fail. Ten of them are ejected by up to 54 %; an eleventh is 55 %, and leaves 45 % healthy: panic.
TEST_CASE("a search finds the largest max_ejection_percent that fails over without panic") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("eject.yaml", R"(
name: ejections
duration: 60s
mode: requests
zones: [{ name: zone-1 }]
services:
  - name: cart
    endpoints: [{ count: 20, zone: zone-1, service_time: 1ms }]
clusters:
  - name: cart
    outlier_detection: { consecutive_5xx: 3, max_ejection_percent: 10, base_ejection_time: 300s, enforcing_success_rate: 0 }
clients: [{ name: shop, zone: zone-1, workload: { service: cart, rate: 500rps } }]
timeline:
  - { at: 5s, service: cart, endpoints: [cart-1, cart-2, cart-3, cart-4, cart-5, cart-6, cart-7, cart-8, cart-9, cart-10, cart-11, cart-12], fails: 100% }
)");
  const Finished finished =
      play({"find", scenario, "--maximise", "clusters[cart].outlier_detection.max_ejection_percent=0..100",
            "--such-that", "panic_began < 1", "--replications", "2"});
  CHECK(finished.code == 0);
  CHECK(sweep_says(finished.output, "max_ejection_percent: 54, fails at 55"));
}

TEST_CASE("a sweep is drawn as curves with bands, and as a map where both keys have many numbers") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  REQUIRE(play(sweep_of(scenario, folder.path("a.sqlite"))).code == 0);
  REQUIRE(play({"sweep", "plot", folder.path("a.sqlite"), "--y", "p99", "-o", folder.path("a.gp")}).code == 0);
  CHECK(sweep_says(contents(folder.path("a.gp")), "filledcurves"));
  REQUIRE(play({"sweep", scenario, "--over", "clients[shop].workload.rate=10..40/4", "--over",
                "services[cart].endpoints[0].cores=1..9", "-j", "2", "-o", folder.path("b.sqlite")})
              .code == 0);
  REQUIRE(play({"sweep", "plot", folder.path("b.sqlite"), "--by", "cores", "-o", folder.path("b.gp")}).code == 0);
  CHECK(sweep_says(contents(folder.path("b.gp")), "with image"));
}
