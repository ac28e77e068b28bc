// `spillway plot` with the real gnuplot and dot, and with programs in their place that fail.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "tests/cli/small_scenario_file.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// An executable of this name that does what the shell script says.
void put_program(const TemporaryFolder& folder, const std::string& name, const std::string& script) {
  const std::string file = folder.write("bin/" + name, "#!/bin/sh\n" + script + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

// Nothing but the programs in the folder's bin/ is found.
Finished simulate_with(const TemporaryFolder& folder, const std::vector<std::string>& arguments) {
  return run_program(arguments, "PATH=" + shell_quoted(folder.path("bin")) + " {}");
}

const std::string hostile_name = "\\\"<script>'; `touch pwned`; system(\\\"touch pwned\\\"); ]; \\\\N &amp; %g";

}  // namespace

TEST_CASE("plot draws every kind, as SVG and as PNG, and prints the names of the files") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  const Finished svg =
      run_program({"plot", file, "--kind", "share,load,latency,topology", "-o", folder.path("out.svg")});
  CHECK(svg.error.empty());
  CHECK(svg.code == 0);
  CHECK(svg.output == folder.path("out-share.svg") + "\n" + folder.path("out-load.svg") + "\n" +
                          folder.path("out-latency.svg") + "\n" + folder.path("out-topology-0.svg") + "\n" +
                          folder.path("out-topology-1.svg") + "\n");
  for (const char* name : {"out-share.svg", "out-load.svg", "out-latency.svg", "out-topology-1.svg"}) {
    const std::string image = contents(folder.path(name));
    CHECK(image.starts_with("<?xml"));
    CHECK(says(image, "</svg>"));
  }
  CHECK(says(contents(folder.path("out-topology-1.svg")), "30 %"));
  CHECK(says(contents(folder.path("out-share.svg")), "shares as counted"));
  CHECK(run_program({"plot", file, "--kind", "share", "--mode", "exact", "-o", folder.path("exact.svg")}).code == 0);
  CHECK(says(contents(folder.path("exact.svg")), "30 %"));
  const Finished png = run_program({"plot", file, "--kind", "topology", "--at", "0s", "-o", folder.path("one.png")});
  CHECK(png.output == folder.path("one.png") + "\n");
  CHECK(contents(folder.path("one.png")).starts_with("\x89PNG"));
  CHECK(run_program({"plot", file, "--kind", "share", "-o", folder.path("two.png")}).code == 0);
  CHECK(contents(folder.path("two.png")).starts_with("\x89PNG"));
}

// P0 and P1 change at 10 s: neither panics afterwards, and every request finds a host.
TEST_CASE("plot shows no state that no request met") {
  const TemporaryFolder folder;
  const std::string file = folder.write("moment.yaml",
                                        "duration: 20s\nzones: [{ name: z }]\nservices: [{ name: s, endpoints: [{ "
                                        "count: 10, zone: z, healthy: \"100% 10s, "
                                        "20%\" }, { count: 10, zone: z, priority: 1, healthy: \"0% 10s, 100%\" }] }]\n"
                                        "clients: [{ name: c, zone: z, workload: { service: s, rate: 100rps } }]\n");
  REQUIRE(run_program({"plot", file, "--kind", "share", "-o", folder.path("moment.gp")}).code == 0);
  const std::string script = contents(folder.path("moment.gp"));
  CHECK_FALSE(says(script, "no host"));
  CHECK_FALSE(says(script, "panic"));
}

TEST_CASE("plot draws a capacity plan, and says why where it cannot") {
  const TemporaryFolder folder;
  const std::string scenarios = std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/examples/";
  CHECK(run_program({"plot", scenarios + "three-zones.yaml", "--kind", "plan", "-o", folder.path("plan.png")}).code ==
        0);
  CHECK(contents(folder.path("plan.png")).starts_with("\x89PNG"));
  CHECK(run_program({"plot", scenarios + "three-zones.yaml", "--kind", "plan", "--at", "1s", "-o", "-"}).code == 0);
  const std::string file = folder.write("small.yaml", small_scenario);
  const Finished unknown = run_program({"plot", file, "--kind", "plan", "-o", folder.path("none.svg")});
  CHECK(unknown.code == 2);
  CHECK(says(unknown.error, "error[SP904]"));
  CHECK(run_program({"plot", scenarios + "closed-loop.yaml", "--kind", "plan", "-o", "-"}).code == 0);
}

TEST_CASE("plot writes what the programs read, the same bytes every time and without the programs") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  const Finished printed = simulate_with(folder, {"plot", file, "--kind", "share", "-o", "-"});
  CHECK(printed.code == 0);
  CHECK(printed.output.starts_with("set terminal svg"));
  CHECK(simulate_with(folder, {"plot", file, "--kind", "share", "-o", folder.path("out.gp")}).code == 0);
  CHECK(contents(folder.path("out.gp")) == printed.output);
  CHECK(run_program({"plot", file, "--kind", "share", "-o", "-"}, "LC_ALL=de_DE.UTF-8 TERM=dumb {}").output ==
        printed.output);
  CHECK(simulate_with(folder, {"plot", file, "--kind", "topology", "--at", "0s", "-o", folder.path("out.dot")}).code ==
        0);
  CHECK(contents(folder.path("out.dot")).starts_with("digraph topology {\n"));
}

TEST_CASE("names from a scenario run nothing, break nothing and stay what they are") {
  const TemporaryFolder folder;
  std::string text = small_scenario;
  for (const std::string name : {"zone-1", "frontend", "backend"}) {
    const std::string longer = '"' + hostile_name + name + '"';
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + longer.size())) {
      text.replace(at, name.size(), longer);
    }
  }
  const std::string file = folder.write("hostile.yaml", text);
  const std::string inside = "cd " + shell_quoted(folder.path("")) + " && {}";
  const Finished drawn = run_program({"plot", file, "--kind", "share,load,latency,topology", "-o", "out.svg"}, inside);
  CHECK(drawn.error.empty());
  CHECK(drawn.code == 0);
  CHECK_FALSE(std::filesystem::exists(folder.path("pwned")));
  for (const char* name : {"out-share.svg", "out-load.svg", "out-latency.svg", "out-topology-0.svg"}) {
    const std::string image = contents(folder.path(name));
    CHECK_FALSE(says(image, "<script"));
    CHECK(says(image, "&lt;script"));
  }
  CHECK(says(contents(folder.path("out-topology-0.svg")), "&amp;amp; %g"));
}

TEST_CASE("a program that is not installed is named with its package, and nothing is written") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  const Finished gnuplot = simulate_with(folder, {"plot", file, "--kind", "share", "-o", folder.path("out.svg")});
  CHECK(gnuplot.code == 2);
  CHECK(gnuplot.output.empty());
  CHECK(says(gnuplot.error, "error[SP920]: `gnuplot` draws this picture and is not installed"));
  CHECK(says(gnuplot.error, "apt-get install gnuplot-nox"));
  const Finished dot = simulate_with(folder, {"plot", file, "--kind", "topology", "-o", folder.path("out.svg")});
  CHECK(dot.code == 2);
  CHECK(says(dot.error, "apt-get install graphviz"));
  CHECK_FALSE(std::filesystem::exists(folder.path("out.svg")));
}

TEST_CASE("a program that fails, prints no picture or hangs is an error with what it said") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  const std::vector<std::string> plot{"plot",      file,    "--kind", "share",
                                      "--timeout", "300ms", "-o",     folder.path("out.svg")};
  put_program(folder, "gnuplot", "echo >&2; echo '  no room \033[1m left' >&2; exit 3");
  Finished finished = simulate_with(folder, plot);
  CHECK(finished.code == 2);
  CHECK(finished.output.empty());
  CHECK(says(finished.error, "error[SP921]: `gnuplot` did not draw the picture: exit code 3: no room \\x1b[1m left"));
  put_program(folder, "gnuplot", "echo a poem");
  finished = simulate_with(folder, plot);
  CHECK(finished.code == 2);
  CHECK(says(finished.error, "error[SP921]: `gnuplot` did not draw the picture: exit code 0"));
  put_program(folder, "gnuplot", "kill -9 $$");
  CHECK(says(simulate_with(folder, plot).error, "ended by signal 9"));
  put_program(folder, "gnuplot", "exec /bin/sleep 60");
  finished = simulate_with(folder, plot);
  CHECK(finished.code == 2);
  CHECK(says(finished.error, "error[SP921]: `gnuplot` did not draw the picture within 300 ms"));
  put_program(folder, "gnuplot", "exec >&- 2>&-; exec /bin/sleep 60");
  CHECK(says(simulate_with(folder, plot).error, "within 300 ms"));
  CHECK_FALSE(std::filesystem::exists(folder.path("out.svg")));
}

TEST_CASE("a program that hangs ends with what it started") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  put_program(folder, "gnuplot", "/bin/sleep 60 & echo $! > " + folder.path("child") + "; wait");
  const Finished finished =
      simulate_with(folder, {"plot", file, "--kind", "share", "--timeout", "300ms", "-o", folder.path("out.svg")});
  CHECK(finished.code == 2);
  const std::string child = contents(folder.path("child"));
  REQUIRE_FALSE(child.empty());
  // Killed, though perhaps nobody has asked for its exit code yet.
  const std::string status = contents("/proc/" + child.substr(0, child.find('\n')) + "/status");
  INFO(status);
  CHECK((status.empty() || says(status, "State:\tZ")));
}

TEST_CASE("plot refuses what makes no picture, with a code") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  struct Refusal {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Refusal> refusals{
      {{}, "error[SP903]: `spillway plot` needs a kind"},
      {{"--kind", "share"}, "error[SP903]: `spillway plot` needs a file, -o"},
      {{"--kind", "shares", "-o", "a.svg"},
       "error[SP904]: `shares` is not a valid value for --kind\n  = help: did you mean `share`?"},
      {{"--kind", "share", "-o", "a.pdf"}, "error[SP904]: `a.pdf` is not a valid value for --output"},
      {{"--kind", "share", "-o", "a"}, "error[SP904]: `a` is not a valid value for --output"},
      {{"--kind", "share", "-o", "a.dot"}, "gnuplot draws all but a topology"},
      {{"--kind", "share,topology", "-o", "a.gp"}, "Graphviz draws a topology"},
      {{"--kind", "share,topology", "-o", "-"}, "standard output takes pictures of one kind"},
      {{"--kind", "share", "--at", "1s", "-o", "a.svg"}, "error[SP904]: `--at` without a topology"},
      {{"--kind", "topology", "--at", "1h", "-o", "a.svg"}, "error[SP904]: --at is not within the scenario"},
      {{"--kind", "share", "--sample", "1s", "-o", "a.svg"}, "error[SP904]: `--sample` without load or latency"},
      {{"--kind", "load", "--sample", "1ns", "-o", "a.svg"}, "the interval of --sample is too short"},
      {{"--kind", "latency", "--mode", "exact", "-o", "a.svg"}, "latency in mode exact"},
      {{"--kind", "share", "--client", "frontent", "-o", "a.svg"}, "did you mean `frontend`?"},
      {{"--kind", "share", "--timeout", "0s", "-o", "a.svg"}, "error[SP904]: `0s` is not a valid value for --timeout"},
      {{"--kind", "share", "-o", folder.path("nowhere/a.svg")}, "error[SP908]: cannot write"},
  };
  for (const Refusal& refusal : refusals) {
    std::vector<std::string> arguments{"plot", file};
    arguments.insert(arguments.end(), refusal.arguments.begin(), refusal.arguments.end());
    const Finished finished = run_program(arguments);
    CAPTURE(refusal.message, finished.error);
    CHECK(finished.code == 2);
    CHECK(says(finished.error, refusal.message));
    CHECK(finished.output.empty());
  }
}
