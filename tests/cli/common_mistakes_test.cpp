// Commands and options as people type them who come from other programs: refused, with what to type instead.
#include "cli/common_mistakes.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "models/documents/diagnostic_pages.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;
using spillway::documents::DiagnosticCode;
using spillway::documents::ExampleKind;

namespace {

constexpr const char* small =
    "duration: 10s\nzones: [{ name: a }]\nservices: [{ name: cart, endpoints: [{ count: 2, zone: a }] }]\n"
    "clients: [{ name: shop, zone: a, workload: { service: cart, rate: 10rps } }]\n";

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  return words;
}

Finished simulate_in(const std::string& folder, const std::vector<std::string>& arguments) {
  return run_program(arguments, "cd " + shell_quoted(folder) + " && {}");
}

}  // namespace

TEST_CASE("what people type by habit is refused with what to type instead", "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string file = folder.write("shop.yaml", small);
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"shop.yaml", "did you mean `spillway run shop.yaml`?"},
      {"simulate shop.yaml", "did you mean `spillway run shop.yaml`?"},
      {"apply -f shop.yaml", "did you mean `spillway run shop.yaml`?"},
      {"test shop.yaml", "did you mean `spillway check shop.yaml`?"},
      {"lint shop.yaml", "did you mean `spillway validate shop.yaml`?"},
      {"describe shop.yaml", "did you mean `spillway explain shop.yaml`?"},
      {"get zones", "did you mean `spillway share`?"},
      {"Run shop.yaml", "did you mean `run`?"},
      {"SP104", "did you mean `spillway help SP104`?"},
      {"-v", "did you mean `--version`?"},
      {"run -f shop.yaml", "files need no option: `spillway run FILE`"},
      {"run shop.yaml --format json", "did you mean `--output`?"},
      {"run shop.yaml --json", "did you mean `-o json`?"},
      {"run shop.yaml -n 5", "did you mean `--replications`?"},
      {"run shop.yaml -q", "did you mean `--quiet`?"},
      {"run shop.yaml --threads 2", "did you mean `--jobs`?"},
      {"run shop.yaml --no-color", "did you mean `--color never`?"},
      {"run shop.yaml --duration 20s", "the scenario sets the length of a run: `duration: 60s`"},
      {"run shop.yaml --vus 10", "the scenario sets the load: `workload"},
      {"run shop.yaml --verbose", "--show endpoints, events or requests prints more"},
      {"run shop.yaml --debug", "`spillway explain` says why"},
      {"run shop.yaml --dry-run", "`spillway validate` reads a scenario"},
      {"plan shop.yaml --lose a", "the scenario lists failures: `failures"},
      {"run shop.yaml --report", "for example --report report.html"},
      {"run shop.yaml --report out.pdf", "name it report.html"},
      {"run shop.yaml --every 5", "did you mean `5s`?"},
      {"run shop.yaml --limit-time 5min", "did you mean `5m`?"},
      {"run shop.yaml --limit-memory 2G", "did you mean `2GB`?"},
      {"explain shop.yaml --at 5", "did you mean `5s`?"},
      {"run shop", "did you mean `shop.yaml`?"},
      {"run shop.yml", "did you mean `shop.yaml`?"},
      {"run shpo.yaml", "did you mean `shop.yaml`?"},
      {"check shpo.yaml", "did you mean `shop.yaml`?"},
      {"run .", "it is a folder: `spillway check`"},
      {"run http://example.com/shop.yaml", "only files are read"},
      {"diff", "needs an OLD and a NEW"},
      {"export shop.yaml", "`spillway export envoy SCENARIO -o FOLDER`"},
      {"import shop.yaml", "it is one already: `spillway run` simulates it"},
  };
  for (const auto& [line, suggestion] : mistakes) {
    const Finished finished = simulate_in(folder.path(""), words_of(line));
    INFO("spillway " << line << '\n' << finished.error);
    CHECK(finished.code == 2);
    CHECK(finished.error.find(suggestion) != std::string::npos);
    CHECK(finished.output.empty());
  }
}

TEST_CASE("every row of the table of common mistakes gives its text, and none hides another") {
  using namespace spillway::cli;
  const std::string help = run_program({"--help"}).output;
  std::set<std::pair<MistakeAt, std::string_view>> known;
  std::set<std::string> commands;
  for (const CommonMistake& row : common_mistakes()) {
    INFO(row.written << " -> " << row.meant);
    CHECK(known.emplace(row.at, row.written).second);
    const std::string written(row.written);
    const std::string meant(row.meant);
    const std::string first = meant.substr(0, meant.find(' '));
    switch (row.at) {
      case MistakeAt::command:
        commands.insert(first);
        CHECK(help.find("\n  " + written + " ") == std::string::npos);
        CHECK(instead_of_command({written, "-f", "shop.yaml"}, {}) ==
              "did you mean `spillway " + meant + " shop.yaml`?");
        break;
      case MistakeAt::option:
        CHECK(instead_of_option(written, "run", {first, "--output"}) == "did you mean `" + meant + "`?");
        CHECK(instead_of_option(written, "run", {"--output"}).find("did you mean `" + first) ==
              (first == "--output" ? 0 : std::string::npos));
        break;
      case MistakeAt::advice: {
        const std::string advice = instead_of_option(written, "run", {"--output"});
        CHECK(advice.substr(0, meant.find("{}")) == meant.substr(0, meant.find("{}")));
        CHECK(advice.find("{}") == std::string::npos);
        break;
      }
      case MistakeAt::example:
        CHECK(example_of_option(row.written) == "for example " + written + " " + meant);
        break;
    }
  }
  for (const std::string& command : commands) {
    INFO(command);
    CHECK(run_program({command, "--help"}).code == 0);
  }
}

TEST_CASE("a factor and a rate may stand without their unit, and files behind two dashes") {
  const TemporaryFolder folder;
  const std::string file = folder.write("shop.yaml", small);
  CHECK(run_program({"plan", file, "--growth", "1.5"}).output ==
        run_program({"plan", file, "--growth", "1.5x"}).output);
  CHECK(run_program({"run", "--", file}).output == run_program({"run", file}).output);
}

TEST_CASE("codes of the command line have examples that do what is said of them") {
  const TemporaryFolder folder;
  folder.write("shop.yaml", small);
  std::size_t tried = 0;
  for (const DiagnosticCode& entry : spillway::documents::diagnostic_codes()) {
    if (entry.of != ExampleKind::command) {
      continue;
    }
    const auto arguments = [](const std::string& line) {
      std::vector<std::string> words = words_of(line);
      words.erase(words.begin());
      return words;
    };
    INFO(entry.code);
    const Finished wrong = simulate_in(folder.path(""), arguments(entry.wrong));
    CHECK(wrong.error.find("[" + entry.code + "]") != std::string::npos);
    CHECK(simulate_in(folder.path(""), arguments(entry.right)).code == 0);
    ++tried;
  }
  CHECK(tried >= 14);
}

TEST_CASE("help explains a code as validate does") {
  const Finished help = run_program({"help", "sp104"});
  CHECK(help.code == 0);
  CHECK(help.output == run_program({"validate", "--explain", "SP104"}).output);
  CHECK(help.output.find("Wrong:") != std::string::npos);
}
