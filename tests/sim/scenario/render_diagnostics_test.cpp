// What people see of a refusal.
#include "models/documents/render_diagnostics.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

Diagnostic diagnostic_at(Span where) {
  return {Severity::error,           "SP104",
          "unknown zone `zone-4`",   where,
          "no zone of this name",    {"the zones are zone-1, zone-2 (line 7)"},
          {"did you mean `zone-2`?"}};
}

}  // namespace

TEST_CASE("A refusal shows code, place, line, caret, note and help", "[render]") {
  const std::string text = test::scenario_with("", "      - { count: 5, zone: zone-4, service_time: 4ms }\n");
  CHECK(test::rendered(text, "failover.yaml") ==
        "error[SP104]: unknown zone `zone-4`\n"
        "  --> failover.yaml:10:27\n"
        "   |\n"
        "10 |       - { count: 5, zone: zone-4, service_time: 4ms }\n"
        "   |                           ^^^^^^ no zone of this name\n"
        "   = note: the zones are zone-1, zone-2, zone-3 (line 3)\n"
        "   = help: did you mean `zone-3`?\n"
        "\n");
}

TEST_CASE("Several mistakes and a warning are shown in the order of the file", "[render]") {
  const std::string text =
      test::scenario_with("timelin: []\n", "      - { count: 7, zone: zone-1, healthy: 60%, coers: 1 }\n");
  CHECK(test::rendered(text) ==
        "warning[SP201]: a fraction of an endpoint\n"
        "  --> test.yaml:10:44\n"
        "   |\n"
        "10 |       - { count: 7, zone: zone-1, healthy: 60%, coers: 1 }\n"
        "   |                                            ^^^ 4.2 of 7 endpoints; 4 are taken\n"
        "   = help: write the number of endpoints instead of a percentage to say which one is meant\n"
        "\n"
        "error[SP020]: unknown key `coers`\n"
        "  --> test.yaml:10:49\n"
        "   |\n"
        "10 |       - { count: 7, zone: zone-1, healthy: 60%, coers: 1 }\n"
        "   |                                                 ^^^^^ no such key here\n"
        "   = help: did you mean `cores`?\n"
        "\n"
        "error[SP020]: unknown key `timelin`\n"
        "  --> test.yaml:13:1\n"
        "   |\n"
        "13 | timelin: []\n"
        "   | ^^^^^^^ no such key here\n"
        "   = help: did you mean `timeline`?\n"
        "\n");
}

TEST_CASE("A caret stands under its character after tabs and wide characters", "[render]") {
  const Sources sources = {{"x.yaml", "\t漢字é: bad\n"}};
  CHECK(documents::render_diagnostics({diagnostic_at({0, 1, 7, 3})}, sources) ==
        "error[SP104]: unknown zone `zone-4`\n"
        " --> x.yaml:1:7\n"
        "  |\n"
        "1 |     漢字é: bad\n"
        "  |            ^^^ no zone of this name\n"
        "  = note: the zones are zone-1, zone-2 (line 7)\n"
        "  = help: did you mean `zone-2`?\n"
        "\n");
}

TEST_CASE("A long line is cut around its place", "[render]") {
  // A run of letters as long would be taken for a key and hidden.
  const std::string line = std::string(300, ',') + "WRONG" + std::string(300, ';');
  const std::string shown = documents::render_diagnostics({diagnostic_at({0, 1, 301, 5})}, {{"x.yaml", line}});
  CHECK(shown.find("1 | ..." + std::string(60, ',') + "WRONG" + std::string(55, ';') + "...\n") != std::string::npos);
  CHECK(shown.find("  | " + std::string(63, ' ') + "^^^^^ no zone") != std::string::npos);
  const std::string huge = std::string(10'000'000, ',') + "WRONG";
  CHECK(documents::render_diagnostics({diagnostic_at({0, 1, 10'000'001, 5})}, {{"x.yaml", huge}}).size() < 1'000);
}

TEST_CASE("What could drive a terminal is shown as an escape", "[render]") {
  const Sources sources = {{"evil\x1b[31m.yaml", "name: \x1b]0;x\x07 \xE2\x80\xAE and \xFF\r\n"}};
  Diagnostic diagnostic = diagnostic_at({0, 1, 7, 1});
  diagnostic.message = "about `\x1b[2J`";
  const std::string shown = documents::render_diagnostics({diagnostic}, sources);
  CHECK(shown.find('\x1b') == std::string::npos);
  CHECK(shown.find('\x07') == std::string::npos);
  CHECK(shown.find('\r') == std::string::npos);
  CHECK(shown.find("about `\\x1b[2J`") != std::string::npos);
  CHECK(shown.find("--> evil\\x1b[31m.yaml:1:7") != std::string::npos);
  CHECK(shown.find("name: \\x1b]0;x\\x07 \\u{202e} and \\xff") != std::string::npos);
  CHECK(shown.find("^^^^ no zone") != std::string::npos);
}

TEST_CASE("A place without a line shows its label all the same", "[render]") {
  CHECK(documents::render_diagnostics(
            {{Severity::error, "SP001", "cannot read `x`", {}, "No such file or directory", {}, {}}}, {{"x", ""}}) ==
        "error[SP001]: cannot read `x`\n"
        " --> x:1:1\n"
        "  | No such file or directory\n"
        "\n");
}

TEST_CASE("Colours are used on demand only", "[render]") {
  const Sources sources = {{"x.yaml", "zone-4\n"}};
  CHECK(documents::render_diagnostics({diagnostic_at({0, 1, 1, 6})}, sources).find('\x1b') == std::string::npos);
  const std::string shown = documents::render_diagnostics({diagnostic_at({0, 1, 1, 6})}, sources, {true, 100});
  CHECK(shown.find("\x1b[1;31merror[SP104]\x1b[0m") == 0);
}

TEST_CASE("Beyond a hundred diagnostics the others are counted", "[render]") {
  const Diagnostics many(250, diagnostic_at({0, 1, 1, 1}));
  const std::string shown = documents::render_diagnostics(many, {{"x.yaml", "a\n"}});
  CHECK(shown.find("... and 150 more\n") != std::string::npos);
}

TEST_CASE("Diagnostics come as JSON too", "[render]") {
  const auto list = nlohmann::json::parse(documents::diagnostics_json({diagnostic_at({0, 7, 3, 6})}, {{"x.yaml", ""}}));
  REQUIRE(list.size() == 1);
  CHECK(list[0] == nlohmann::json{{"severity", "error"},
                                  {"code", "SP104"},
                                  {"message", "unknown zone `zone-4`"},
                                  {"file", "x.yaml"},
                                  {"line", 7},
                                  {"column", 3},
                                  {"length", 6},
                                  {"label", "no zone of this name"},
                                  {"notes", {"the zones are zone-1, zone-2 (line 7)"}},
                                  {"helps", {"did you mean `zone-2`?"}}});
  CHECK(documents::diagnostics_json({}, {}) == "[]\n");
}
