// `help`, `docs`, `version`, `completion`: what the program says of itself.
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/program.hpp"

using namespace spillway::support;

TEST_CASE("help says what --help says") {
  CHECK(run_program({"help"}).output == run_program({"--help"}).output);
  CHECK(run_program({"help", "run"}).output == run_program({"run", "--help"}).output);
  CHECK(run_program({"version"}).output == run_program({"--version"}).output);
  const Finished unknown = run_program({"help", "rnu"});
  CHECK(unknown.code == 2);
  CHECK(unknown.error.find("did you mean `run`?") != std::string::npos);
  CHECK(run_program({"version", "x"}).code == 2);
  CHECK(run_program({"help", "--names"}).output.find("\nexplain\n") != std::string::npos);
}

TEST_CASE("docs lists the pages and prints one, however it is called") {
  const Finished all = run_program({"docs"});
  CHECK(all.code == 0);
  CHECK(all.output.find("\n  tutorial") != std::string::npos);
  const std::string page = contents(SPILLWAY_SOURCE_DIR "/docs/plot.md");
  CHECK(run_program({"docs", "plot"}).output == page);
  CHECK(run_program({"docs", "docs/plot.md"}).output == page);
  CHECK(run_program({"docs", "plot.md#anchor"}).output == page);
  const Finished unknown = run_program({"docs", "../README"});
  CHECK(unknown.code == 2);
  CHECK(unknown.error.find("error[SP906]") != std::string::npos);
}

TEST_CASE("completions know the commands, their options and values, and bash takes them") {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Finished printed = run_program({"completion", shell});
    CHECK(printed.code == 0);
    CHECK(printed.output.find("limit-memory") != std::string::npos);
    CHECK(printed.output.find("explain") != std::string::npos);
  }
  const TemporaryFolder folder;
  const std::string script = folder.write("completion.bash", run_program({"completion", "bash"}).output);
  const Finished sourced = run_program(
      {"version"}, "{} >/dev/null; bash -c '. " + script +
                       "; COMP_WORDS=(spillway run --mo); COMP_CWORD=2; _spillway; echo ${COMPREPLY[@]}; "
                       "COMP_WORDS=(spillway run --mode e); COMP_CWORD=3; _spillway; echo ${COMPREPLY[@]}'");
  CHECK(sourced.output == "--mode\nexact\n");
  CHECK(run_program({"completion", "tcsh"}).code == 2);
}

TEST_CASE("manual pages have the options of --help and no line that troff would take for a request of its own") {
  const std::string page = run_program({"help", "--man", "run"}).output;
  CHECK(page.starts_with(".TH spillway\\-run 1"));
  CHECK(page.find("\\fB\\-\\-replications\\fR") != std::string::npos);
  for (std::size_t begin = 0; begin < page.size(); begin = page.find('\n', begin) + 1) {
    const std::string line = page.substr(begin, page.find('\n', begin) - begin);
    INFO(line);
    if (line.starts_with('.')) {
      CHECK((line.starts_with(".TH") || line.starts_with(".SH") || line.starts_with(".SS") || line == ".TP" ||
             line == ".nf" || line == ".fi" || line == ".ad l" || line == ".nh"));
    }
    if (page.find('\n', begin) == std::string::npos) {
      break;
    }
  }
  CHECK(run_program({"help", "--man"}).output.find(".SH COMMANDS") != std::string::npos);
}
