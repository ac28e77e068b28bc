// The program as people and scripts meet it: what goes where, and which exit code says what.
#include "tests/support/program.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/small_scenario_file.hpp"

using namespace spillway::support;

namespace {

bool has_part(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::vector<std::vector<std::string>> formats{
    {"-o", "table"}, {"-o", "wide"}, {"-o", "markdown"}, {"-o", "csv"}, {"-o", "json"}};

}  // namespace

TEST_CASE("the version option names the version, SimGrid and the profiles") {
  const Finished finished = run_program({"--version"});
  CHECK(finished.code == 0);
  CHECK(has_part(finished.output, "spillway 0."));
  CHECK(has_part(finished.output, "SimGrid 3."));
  CHECK(has_part(finished.output, "release-2.14"));
  CHECK(finished.error.empty());
}

TEST_CASE("every command's help goes to standard output and holds an example and the exit codes") {
  for (const char* command : {"run", "share", "check", "tables", "plan", "compare", "explain", "subsets", "plot",
                              "export", "import", "validate", "schema"}) {
    const Finished finished = run_program({command, "--help"});
    CHECK(finished.code == 0);
    CHECK(has_part(finished.output, std::string("Usage: spillway ") + command));
    CHECK(has_part(finished.output, "Example:"));
    CHECK(has_part(finished.output, "Exit codes:"));
    CHECK(finished.error.empty());
  }
}

TEST_CASE("a cluster without subsets is refused with a code and the reason") {
  const Finished finished = run_program({"subsets", SPILLWAY_SOURCE_DIR "/scenarios/documented/panic-two-levels.yaml"});
  CHECK(finished.code == 2);
  CHECK(has_part(finished.error, "error[SP909]: no cluster has subsets"));
  CHECK(finished.output.empty());
}

TEST_CASE("bad usage is refused with a code, a hint and exit code 2, and nothing on standard output") {
  struct Refusal {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Refusal> refusals{
      {{}, "error[SP903]: `spillway` needs a command"},
      {{"run", "a.yaml", "--from", "5s", "--to", "3s"}, "it is before --from 5s"},
      {{"rn"}, "error[SP901]: unknown command `rn`\n  = help: did you mean `run`?"},
      {{"--vrsion"}, "error[SP902]: unknown option `--vrsion`\n  = help: did you mean `--version`?"},
      {{"run"}, "error[SP903]: `spillway run` needs a SCENARIO"},
      {{"validate"}, "error[SP903]: `spillway validate` needs a FILE"},
      {{"subsets"}, "error[SP903]: `spillway subsets` needs a FILE"},
      {{"compare", "--clusters", "a"}, "error[SP903]: `spillway compare` needs a FILE"},
      {{"compare", "a"}, "error[SP903]: `spillway compare` needs counts"},
      {{"compare", "a", "--clusters", "b", "--clusters", "c", "--clusters", "d"},
       "error[SP905]: `--clusters` appears 3"},
      {{"import"}, "error[SP903]: `spillway import` needs a FILE"},
      {{"import", "a", "--clusters", "b", "--clusters", "c"}, "error[SP903]: two moments need the time between them"},
      {{"import", "a", "--apart", "60s"}, "error[SP905]: `--apart` needs two moments"},
      {{"import", "a", "--mesh", "b"}, "error[SP905]: `--mesh` and files are mutually exclusive"},
      {{"subsets", "a", "-o", "dott"},
       "error[SP904]: `dott` is not a valid value for --output\n  = help: did you mean `dot`?"},
      {{"run", "a", "b"}, "error[SP905]: unexpected argument `b`"},
      {{"run", "--seeed", "3", "a"},
       "error[SP902]: unknown option `--seeed` of `run`\n  = help: did you mean `--seed`?"},
      {{"run", "a", "--seed"}, "error[SP903]: `--seed` needs a value"},
      {{"run", "a", "--seed", "1", "--seed", "2"}, "error[SP905]: `--seed` is given more than once"},
      {{"run", "a", "--seed", "-1"}, "error[SP904]: `-1` is not a valid value for --seed"},
      {{"run", "a", "--seed", "18446744073709551616"}, "is not a valid value for --seed"},
      {{"run", "a", "--seed", ""}, "is not a valid value for --seed"},
      {{"run", "a", "-o", "tabel"},
       "error[SP904]: `tabel` is not a valid value for --output\n  = help: did you mean `table`?"},
      {{"run", "a", "--by", "zone,nod"},
       "error[SP904]: `nod` is not a valid value for --by\n  = help: did you mean `node`?"},
      {{"run", "a", "--mode", "exakt"},
       "error[SP904]: `exakt` is not a valid value for --mode\n  = help: did you mean `exact`?"},
      {{"run", "a", "--width", "0"}, "error[SP904]: `0` is not a valid value for --width"},
      {{"run", "a", "--color", "perhaps"}, "error[SP904]: `perhaps` is not a valid value for --color"},
      {{"check", "a", "--jobs", "0"}, "error[SP904]: `0` is not a valid value for --jobs"},
      {{"check", "nowhere"}, "error[SP906]: cannot read `nowhere`: No such file or directory"},
      {{"run", "nowhere.yaml"}, "error[SP001]"},
      {{"run", "/"}, "error[SP001]"},
      {{"validate", "--explain", "SP000"}, "error[SP904]: `SP000` is not a diagnostic code"},
      {{"run", "\x1b[2J\xff", "a"}, "`a`"},
  };
  for (const Refusal& refusal : refusals) {
    const Finished finished = run_program(refusal.arguments);
    CAPTURE(refusal.message, finished.error);
    CHECK(finished.code == 2);
    CHECK(has_part(finished.error, refusal.message));
    CHECK(finished.output.empty());
    CHECK_FALSE(has_part(finished.error, "\x1b"));
  }
}

TEST_CASE("a bad scenario is refused with its place, exit code 2 and nothing on standard output, in every format") {
  const TemporaryFolder folder;
  const std::string file = folder.write("bad.yaml", replaced(small_scenario, "zone: zone-2", "zone: zone-3"));
  for (const char* command : {"run", "share", "check", "tables"}) {
    for (std::vector<std::string> arguments : formats) {
      arguments.insert(arguments.begin(), {command, file});
      const Finished finished = run_program(arguments);
      CHECK(finished.code == 2);
      CHECK(finished.output.empty());
      CHECK(has_part(finished.error, "error[SP104]: unknown zone `zone-3`"));
      CHECK(has_part(finished.error, "bad.yaml:10:28"));
    }
  }
  CHECK(run_program({"validate", file}).code == 2);
}

TEST_CASE("run prints its results alone on standard output, the same bytes every time") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  for (std::vector<std::string> arguments : formats) {
    arguments.insert(arguments.begin(), {"run", file});
    const Finished finished = run_program(arguments);
    CHECK(finished.code == 0);
    CHECK(finished.error.empty());
    CHECK_FALSE(finished.output.empty());
    CHECK(run_program(arguments, "LC_ALL=de_DE.UTF-8 TERM=dumb COLUMNS=20 {}").output == finished.output);
  }
}

TEST_CASE("run in JSON: seed, mode and grouping are those asked for") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  const auto requests = nlohmann::json::parse(run_program({"run", file, "-o", "json", "--seed", "7"}).output);
  CHECK(requests["seed"] == 7);
  CHECK(requests["mode"] == "requests");
  CHECK(requests["unseed"].get<std::string>().size() == 16);
  const auto exact =
      nlohmann::json::parse(run_program({"run", file, "-o", "json", "--mode", "exact", "--by", "priority"}).output);
  CHECK(exact["mode"] == "exact");
  CHECK(exact["outcomes"].empty());
  REQUIRE(exact["shares"].size() == 3);
  CHECK(exact["shares"][1]["exact"] == 0.7);
  CHECK(exact["shares"][2]["exact"] == 0.3);
  CHECK(exact["shares"][1]["zone"] == "");
}

TEST_CASE("share prints what exact mode computes and asks for no expectations") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", replaced(small_scenario, "70%, 30%", "71%, 29%"));
  const Finished finished = run_program({"share", file});
  CHECK(finished.code == 0);
  CHECK(has_part(finished.output, "70 %"));
  CHECK_FALSE(has_part(finished.output, "expectations"));
}

TEST_CASE("a dash reads standard input") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  const Finished finished = run_program({"run", "-"}, "{} < " + file);
  CHECK(finished.code == 0);
  CHECK(finished.output == run_program({"run", file}).output);
  CHECK(run_program({"run", "-"}, "{} <&-").code == 2);
}

TEST_CASE("a full disk and a closed standard output are errors that are said") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  for (std::vector<std::string> arguments : formats) {
    arguments.insert(arguments.begin(), {"run", file});
    const Finished full = run_program(arguments, "{} > /dev/full");
    CHECK(full.code == 2);
    CHECK(has_part(full.error, "error[SP908]: cannot write to standard output: No space left on device"));
  }
  const Finished closed = run_program({"--version"}, "{} >&-");
  CHECK(closed.code == 2);
  CHECK(has_part(closed.error, "error[SP908]"));
}

TEST_CASE("a reader that exits early ends every command as SIGPIPE does, without a word") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{{"schema"},
                                                                                         {"run", file},
                                                                                         {"run", file, "-o", "csv"},
                                                                                         {"share", file, "-o", "json"},
                                                                                         {"--help"},
                                                                                         {"--version"}}) {
    INFO(arguments.front());
    const Finished finished = run_program(arguments, "{ sleep 0.2; {}; echo \"code $?\" >&2; } | true");
    CHECK(has_part(finished.error, "code 141"));
    CHECK_FALSE(has_part(finished.error, "error"));
  }
}

TEST_CASE("color is for terminals, and for those who ask") {
  const TemporaryFolder folder;
  const std::string file = folder.write("small.yaml", small_scenario);
  CHECK_FALSE(has_part(run_program({"run", file}).output, "\x1b["));
  CHECK(has_part(run_program({"run", file, "--color", "always"}).output, "\x1b["));
}

TEST_CASE("schema prints JSON, and validate --explain a code of its own") {
  CHECK(nlohmann::json::accept(run_program({"schema"}).output));
  CHECK(has_part(run_program({"validate", "--explain", "SP104"}).output, "SP104: an unknown zone"));
  CHECK(has_part(run_program({"validate", "--explain", "sp901"}).output, "SP901: an unknown command"));
}

TEST_CASE("an interrupt ends a run with 130") {
  const TemporaryFolder folder;
  const std::string file = folder.write("long.yaml", replaced(small_scenario, "rate: 100rps", "rate: 100000000rps"));
  const Finished finished = run_program({"run", file}, "timeout --foreground --signal=INT --preserve-status 0.5 {}");
  CHECK(finished.code == 130);
  CHECK(finished.output.empty());
}
