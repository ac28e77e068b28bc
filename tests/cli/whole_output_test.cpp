// What the program prints and writes is whole, or not there: whatever ends it, and whenever.
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

// 200 endpoints whose health changes 40 times: some 100 kB of CSV, more than a pipe holds.
std::string scenario_of_many_rows() {
  std::string text =
      "name: rows\nduration: 41s\nmode: exact\nzones: [{ name: z }]\n"
      "services: [{ name: s, endpoints: [{ count: 200, zone: z, capacity: 1000rps, healthy: 200 }] }]\n"
      "clients: [{ name: c, zone: z, workload: { service: s, rate: 10rps } }]\ntimeline:\n";
  for (int second = 1; second <= 40; ++second) {
    text += "  - { at: " + std::to_string(second) + "s, service: s, healthy: " + std::to_string(200 - second) + " }\n";
  }
  return text;
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    names.insert(std::filesystem::relative(entry.path(), folder).string());
  }
  return names;
}

struct Slowly {
  int code = -1;
  std::string output;
};

// To a reader that begins two seconds later: what does not fit into the pipe waits for it.
Slowly simulate_to_a_slow_reader(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const std::string code = folder.path("code");
  const Finished finished = run_program(arguments, "{ {}; echo $? >" + code + "; } | { sleep 2; cat; }");
  return {std::stoi(contents(code)), finished.output};
}

}  // namespace

TEST_CASE("the time limit ends no command while its results are being printed", "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("rows.yaml", scenario_of_many_rows());
  const std::vector<std::vector<std::string>> commands{
      {"share", file, "-o", "csv", "--by", "endpoint"},
      {"share", file, "-o", "json", "--by", "endpoint"},
      {"share", file, "-o", "table", "--by", "endpoint"},
      {"share", file, "-o", "markdown", "--by", "endpoint"},
      {"run", file, "-o", "csv", "--by", "endpoint"},
      {"run", file, "-o", "json", "--by", "endpoint"},
      {"run", file, "--replications", "2", "-o", "json", "--mode", "requests", "--by", "endpoint"},
      {"check", file, "-o", "json"},
      {"explain", file, "--at", "20s", "-o", "json"},
      {"plot", file, "--kind", "share", "--by", "endpoint", "-o", "-"},
      {"diff", file, file, "-o", "json"},
      {"validate", file},
      {"help", "run"}};
  for (const std::vector<std::string>& command : commands) {
    INFO(command.front() << ' ' << command.back());
    const Finished alone = run_program(command);
    std::vector<std::string> limited = command;
    if (command.front() != "help") {
      limited.insert(limited.end(), {"--limit-time", "1500ms"});
    }
    const Slowly slowly = simulate_to_a_slow_reader(limited);
    // Where the machine is too busy for the work itself, nothing is printed.
    if (slowly.code == 2) {
      CHECK(slowly.output.empty());
    } else {
      CHECK(slowly.code == alone.code);
      CHECK(slowly.output == alone.output);
    }
  }
}

TEST_CASE("whatever the time limit, results are complete or there are none") {
  const TemporaryFolder folder;
  const std::string file = folder.write("rows.yaml", scenario_of_many_rows());
  const std::vector<std::string> command{"share", file, "-o", "csv", "--by", "endpoint"};
  const auto begin = std::chrono::steady_clock::now();
  const Finished whole = run_program(command);
  const auto taken = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
  REQUIRE(whole.code == 0);
  for (int part = 1; part <= 8; ++part) {
    std::vector<std::string> limited = command;
    limited.insert(limited.end(), {"--limit-time", std::to_string(taken.count() * part / 8 + 1) + "ms"});
    const Finished finished = run_program(limited);
    INFO(limited.back() << ", exit code " << finished.code);
    CHECK(finished.output == (finished.code == 0 ? whole.output : ""));
    CHECK((finished.code == 0 || finished.code == 2));
  }
}

TEST_CASE("a limit on the size of files ends in words and leaves nothing unfinished") {
  const TemporaryFolder folder;
  const std::string file = folder.write("rows.yaml", scenario_of_many_rows());
  const std::set<std::string> before = names_in(folder.path(""));
  const Finished finished = run_program({"run", file, "--report", folder.path("page.html")}, "ulimit -f 1; {}");
  INFO(finished.error);
  CHECK(finished.code == 2);
  CHECK(finished.error.find("error[SP908]") != std::string::npos);
  CHECK(names_in(folder.path("")) == before);
}

TEST_CASE("an alarm of another program is a signal like others, not the end of --limit-time") {
  const TemporaryFolder folder;
  const std::string file = folder.write("long.yaml",
                                        "name: long\nduration: 100000s\nmode: requests\nzones: [{ name: z }]\n"
                                        "services: [{ name: s, endpoints: [{ count: 3, zone: z }] }]\n"
                                        "clients: [{ name: c, zone: z, workload: { service: s, rate: 50000rps } }]\n");
  const Finished finished =
      run_program({"run", file, "--limit-time", "50s"}, "{} & sleep 1; kill -ALRM $!; wait $!; exit $?");
  CHECK(finished.code == 128 + SIGALRM);
  CHECK(finished.error.find("reached") == std::string::npos);
}

TEST_CASE("an export that is ended leaves all of its files or what was there before") {
  const TemporaryFolder folder;
  const std::string file = folder.write("many.yaml",
                                        "name: many\nduration: 1s\nmode: exact\nzones: [{ name: z }]\n"
                                        "services: [{ name: s, endpoints: [{ count: 3000, zone: z }] }]\n"
                                        "clients: [{ name: c, zone: z, workload: { service: s, rate: 10rps } }]\n");
  const Finished reference = run_program({"export", "envoy", file, "-o", folder.path("whole")});
  INFO(reference.error);
  REQUIRE(reference.code == 0);
  const std::set<std::string> whole = names_in(folder.path("whole"));
  CHECK(whole.contains("bootstrap.json"));
  CHECK(names_in(folder.path("")).size() == whole.size() + 2);  // nothing hidden is left
  for (const char* signal : {"INT", "TERM"}) {
    for (int moment = 1; moment <= 12; ++moment) {
      const std::string to = folder.path(std::string(signal) + std::to_string(moment));
      const std::string around =
          "{} & sleep 0." + std::to_string(10 + 5 * moment) + "; kill -" + signal + " $!; wait $!";
      run_program({"export", "envoy", file, "-o", to}, around);
      INFO(to);
      const bool is_there = std::filesystem::exists(to);
      CHECK((!is_there || names_in(to) == whole));
    }
  }
}
