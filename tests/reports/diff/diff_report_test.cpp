// How differences are told. The snapshots' numbers are worked out in docs/diff.md and checked in tests/sim/diff.
#include "reports/diff/diff_report.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "reports/diff/context_words.hpp"
#include "reports/diff/diff_words.hpp"
#include "sim/diff/compare.hpp"
#include "sim/diff/read_sides.hpp"
#include "sim/scenario/service.hpp"
#include "tests/support/golden.hpp"

using namespace spillway;
using support::golden;

namespace {

const std::string kuma_examples = std::string(SPILLWAY_SOURCE_DIR) + "/scenarios/examples/kuma/";

diff::Difference documented_difference() {
  const diff::Sides sides = diff::read_sides({.before = kuma_examples + "failover-at-seventy-percent.yaml",
                                              .after = kuma_examples + "failover-at-fifty-percent.yaml"});
  diff::Difference made = diff::compare(*sides.before, *sides.after, {});
  made.name_before = "failover-at-seventy-percent.yaml";
  made.name_after = "failover-at-fifty-percent.yaml";
  return made;
}

void check_difference(const diff::Difference& difference, const std::string& name, reports::Format format) {
  const std::string text = reports::format_diff(difference, format, {});
  CHECK(golden("reports/golden/" + name, text) == text);
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

diff::Move move_between(const std::string& from, const std::string& to, double points) {
  diff::Move move;
  move.client = "shop";
  move.client_zone = "a";
  move.service = "cart";
  move.points = move.zone_points = points;
  move.zones = {{from, points, 0.0}, {to, 0.0, points}};
  move.endpoints = {{from + "-1", points, 0.0}, {to + "-1", 0.0, points}};
  return move;
}

diff::Difference with_move(diff::Move move) {
  diff::Difference difference;
  difference.name_after = "dir/shop.yaml";
  difference.contexts.emplace_back();
  difference.moves.push_back(std::move(move));
  return difference;
}

}  // namespace

TEST_CASE("golden: a difference in every format", "[unsanitized]") {
  const diff::Difference difference = documented_difference();
  check_difference(difference, "diff.txt", reports::Format::table);
  check_difference(difference, "diff.md", reports::Format::markdown);
  check_difference(difference, "diff.csv", reports::Format::csv);
  check_difference(difference, "diff.json", reports::Format::json);
}

TEST_CASE("the sentence says where requests go, seen from the client's zone") {
  const auto sentence = [](const diff::Move& move) { return reports::verdict_sentence(with_move(move)); };
  CHECK(sentence(move_between("a", "b", 0.4)) == "40 points of shop's traffic leave a for b");
  CHECK(sentence(move_between("b", "a", 0.125)) == "12.5 points of shop's traffic come back to a");
  CHECK(sentence(move_between("b", "c", 0.01)) == "1 point of shop's traffic goes from b to c");
  diff::Move lost = move_between("a", "b", 0.0);
  lost.zones = {{"a", 1.0, 0.25}};
  lost.no_host = {"no host", 0.0, 0.75};
  lost.points = lost.zone_points = 0.75;
  CHECK(sentence(lost) == "75 points of shop's traffic find no host");
  diff::Move within = move_between("a", "b", 0.1);
  within.zone_points = 0.0;
  within.zones.clear();
  CHECK(sentence(within) == "10 points of shop's traffic shift between endpoints of the same zones");
  within.endpoints.clear();
  CHECK(sentence(within) == "10 points of shop's traffic go to the same endpoints at another priority");
}

TEST_CASE("the sentence says when, and which endpoints exceed capacity") {
  diff::Difference difference = with_move(move_between("a", "b", 0.4));
  difference.contexts.front().kind = diff::Context::Kind::failure;
  difference.contexts.front().failure = "a with its clients";
  difference.overloads = {
      {0, "b-1", "b", 0.5, 1.2, 1.0}, {0, "b-2", "b", 0.5, 1.2, 1.0}, {0, "a-1", "a", 1.2, 0.5, 0.8}};
  CHECK(reports::verdict_sentence(difference) ==
        "40 points of shop's traffic leave a for b when a is lost with its clients; 2 endpoints exceed capacity, 1 "
        "endpoint is back under capacity");
  difference.moves.clear();
  CHECK(
      reports::verdict_sentence(difference) ==
      "no traffic moves in the situation compared, but 2 endpoints exceed capacity, 1 endpoint is back under capacity");
}

TEST_CASE("the sentence tells the latency that changes most, and p99 unless another one changes twice as much") {
  const auto sentence = [](double p50_after, double p99_after) {
    diff::Difference difference;
    difference.name_after = "shop.yaml";
    difference.contexts.emplace_back().kind = diff::Context::Kind::run;
    difference.simulated.replications = 10;
    difference.simulated.figures = {{.figure = diff::Figure::p50,
                                     .client = "ca",
                                     .service = "cart",
                                     .zone = {},
                                     .before = 0.010,
                                     .after = p50_after,
                                     .half_width = 1e-4},
                                    {.figure = diff::Figure::p99,
                                     .client = "ca",
                                     .service = "cart",
                                     .zone = {},
                                     .before = 0.0191,
                                     .after = p99_after,
                                     .half_width = 1e-4}};
    return reports::verdict_sentence(difference);
  };
  CHECK(says(sentence(0.020, 0.020), "p50 of successful answers of ca rises from 10 ms to 20 ms"));
  CHECK(says(sentence(0.011, 0.021), "p99 of successful answers of ca rises from 19.1 ms to 21 ms"));
}

TEST_CASE("where no traffic moves the sentence and a table say what changes between zones") {
  diff::Difference difference;
  difference.name_after = "shop.yaml";
  difference.contexts.emplace_back();
  difference.crossings.push_back({.context = 0, .service = "cart", .share = {"share", 0.3, 0.7}});
  CHECK(reports::verdict_sentence(difference) ==
        "no traffic moves in the situation compared, but another zone answers 40 points more of cart's requests");
  CHECK(says(reports::format_diff(difference, reports::Format::table, {}), "30 % -> 70 %"));
  difference.crossings.front().bytes = {"bytes_per_month", 1e9, 2e9};
  CHECK(reports::verdict_sentence(difference) ==
        "no traffic moves in the situation compared, but the bytes between zones change");
  difference.crossings.front().cost = {"cost_per_month", 1.0, 2.0};
  CHECK(reports::verdict_sentence(difference) ==
        "no traffic moves in the situation compared, but the cost of traffic between zones changes");
}

TEST_CASE("names of a scenario are no markup, and no commands") {
  diff::Move move = move_between("<b>|`x`", "z\x1b[2J", 0.5);
  move.client = "**c**\n::error::";
  diff::Difference difference = with_move(move);
  const std::string markdown = reports::format_diff(difference, reports::Format::markdown, {});
  CHECK_FALSE(says(markdown, "<b>"));
  CHECK_FALSE(says(markdown, "\n::error"));
  const std::string table = reports::format_diff(difference, reports::Format::table, {});
  CHECK_FALSE(says(table, "\x1b"));
  CHECK_FALSE(says(table, "\n::error"));
  const std::string annotations = reports::diff_annotations(difference, {{"a.yaml", ""}});
  CHECK_FALSE(says(annotations, "\n::error"));
  CHECK(nlohmann::json::parse(reports::format_diff(difference, reports::Format::json, {}))["moves"][0]["client"] ==
        move.client);
}

TEST_CASE("annotations stand where the newer file was edited, lints at their own lines") {
  diff::Difference difference = with_move(move_between("a", "b", 0.4));
  difference.edits = {{"x.y", {0, 7, 3, 1}}};
  difference.overloads = {{0, "b-1", "b", 0.5, 1.2, 1.0}};
  difference.lints = {{"SP231", "x", "words", {0, 9, 5, 1}, true}, {"SP232", "x", "words", {0, 1, 1, 1}, false}};
  CHECK(
      reports::diff_annotations(difference, {{"shop.yaml", ""}}) ==
      "::notice file=shop.yaml,line=7,col=3,title=spillway diff::40 points of shop's traffic leave a for b; 1 endpoint "
      "exceeds capacity\n"
      "::warning file=shop.yaml,line=7,col=3,title=over capacity::always: b-1 (b) 50 %25 -> 120 %25, at most 100 %25\n"
      "::warning file=shop.yaml,line=9,col=5,title=SP231::words\n");
  CHECK(reports::diff_annotations({}, {{"shop.yaml", ""}}).empty());
}

TEST_CASE("what changes alike under several failures is one row") {
  diff::Difference difference = with_move(move_between("a", "b", 0.4));
  for (const char* const failure : {"node n1 endpoints", "node n2 endpoints", "node n3 endpoints"}) {
    diff::Context context;
    context.kind = diff::Context::Kind::failure;
    context.failure = failure;
    difference.contexts.push_back(context);
    difference.moves.push_back(move_between("a", "b", 0.1));
    difference.moves.back().context = difference.contexts.size() - 1;
  }
  const std::string table = reports::format_diff(difference, reports::Format::table, {});
  CHECK(says(table, "node n1 endpoints lost, and 2 failures more"));
  CHECK_FALSE(says(table, "node n2"));
  CHECK(says(reports::format_diff(difference, reports::Format::csv, {}), "node n2"));
}

TEST_CASE("figures that were simulated come first where no share moves, with their intervals") {
  diff::Difference difference;
  difference.name_after = "shop.yaml";
  difference.contexts.emplace_back();
  difference.contexts.push_back({.kind = diff::Context::Kind::run, .end = 60.0, .failure = {}});
  difference.simulated.replications = 10;
  difference.simulated.requests = 120'000;
  difference.simulated.figures = {
      {1, diff::Figure::failed, "shop", "cart", "", 0.005, 0.0225, 0.001, false},
      {1, diff::figure_of(scenario::Outcome::upstream_error), "shop", "cart", "", 0.005, 0.0225, 0.001, false},
      {1, diff::Figure::p50, "shop", "cart", "", 0.012, 0.0121, 0.001, false},
      {1, diff::Figure::p99, "shop", "cart", "", 0.050, 0.040, 0.0, false},
  };
  difference.simulated.no_difference = {{diff::Figure::p50, 1, 0.001}, {diff::Figure::attempts, 1, 0.0}};
  difference.not_compared = {"what happens after 60 s"};
  CHECK(difference.changed());
  CHECK(reports::verdict_sentence(difference) == "failed requests of shop rise from 0.5 % to 2.25 % (x 4.5)");
  for (const reports::Format format : {reports::Format::table, reports::Format::markdown}) {
    const std::string text = reports::format_diff(difference, format, {});
    CAPTURE(text);
    CHECK(says(text, "0.5 %"));
    CHECK(says(text, "+1.75 points +- 0.1 points"));
    CHECK(says(text, "-10 ms in every replication"));
    CHECK(says(text, "failed requests: upstream errors"));  // the same requests: one row
    CHECK(says(text, "p50 of successful answers (within 1 ms)"));
    CHECK(says(text, "attempts for each request (identical)"));
    CHECK(says(text, "10 replications of each side with the same draws"));
    CHECK(says(text, "not compared: what happens after 60 s"));
  }
  const auto json = nlohmann::json::parse(reports::format_diff(difference, reports::Format::json, {}));
  CHECK(json["changed"] == true);
  CHECK(json["simulated"]["figures"][0]["figure"] == "failed");
  CHECK(json["simulated"]["figures"][0]["half_width"] == 0.001);
  CHECK(json["simulated"]["figures"][0]["differs"] == true);
  CHECK(json["simulated"]["figures"][2]["differs"] == false);
  CHECK(json["not_compared"][0] == "what happens after 60 s");
  CHECK(json["contexts"][1]["kind"] == "run");
  const std::string csv = reports::format_diff(difference, reports::Format::csv, {});
  CHECK(says(csv, "simulated,the whole run,shop,cart,failed,,0.005,0.0225,"));
  CHECK(says(csv, "no_difference,the whole run,shop,cart,p50,"));
  CHECK(says(csv, "not_compared,,,,,what happens after 60 s"));
  const std::string annotations = reports::diff_annotations(difference, {{"shop.yaml", ""}});
  CHECK(says(annotations, "failed requests of shop rise from"));
  CHECK(says(annotations, "not compared: what happens after 60 s"));
  CHECK(says(annotations, "::warning"));
}

TEST_CASE("the sentence says what becomes worse before what becomes better") {
  diff::Difference difference;
  difference.name_after = "shop.yaml";
  difference.contexts.emplace_back().kind = diff::Context::Kind::run;
  difference.simulated.replications = 10;
  difference.simulated.figures = {
      {0, diff::Figure::failed, "shop", "cart", "", 0.05, 0.01, 0.001, false},
      {0, diff::Figure::p99, "shop", "cart", "", 0.050, 0.100, 0.001, false},
  };
  CHECK(reports::verdict_sentence(difference) ==
        "p99 of successful answers of shop rises from 50 ms to 100 ms (x 2), but failed requests of shop fall from 5 % "
        "to 1 %");
  // What succeeds faster where more fails is no gain: the slow ones may be those that fail now.
  difference.simulated.figures[0].after = 0.10;
  difference.simulated.figures[1].after = 0.025;
  CHECK(reports::verdict_sentence(difference) == "failed requests of shop rise from 5 % to 10 % (x 2)");
  // Of another client it is one.
  difference.simulated.figures[1].client = "web";
  CHECK(reports::verdict_sentence(difference) ==
        "failed requests of shop rise from 5 % to 10 % (x 2), but p99 of successful answers of web falls from 50 ms to "
        "25 ms");
}

TEST_CASE("nothing changes is said only where nothing else could") {
  diff::Difference difference;
  difference.name_after = "shop.yaml";
  CHECK(reports::verdict_sentence(difference) == "nothing changes");
  difference.not_compared = {"latency: no client of both sends anything"};
  CHECK(reports::verdict_sentence(difference) == "nothing changes of what was compared");
  CHECK(says(reports::diff_annotations(difference, {{"shop.yaml", ""}}), "not compared: latency"));
  difference.simulated.replications = 10;
  CHECK(reports::verdict_sentence(difference) == "no difference found in 10 replications of each");
  // One answer of a hundred may take longer than what was compared.
  difference.simulated.no_difference = {{diff::Figure::p50, 1, 0.0}, {diff::Figure::p99, 1, 0.0}};
  CHECK(reports::verdict_sentence(difference) ==
        "no difference found in 10 replications of each, of latency up to p99");
}

TEST_CASE("the sentence says in how many situations nothing moved, and claims nothing about others") {
  diff::Difference difference;
  difference.edits.push_back({"policies[lb].spec", {}});
  difference.contexts.resize(7);
  CHECK(reports::verdict_sentence(difference) == "no traffic moves in the 7 situations compared");
  difference.not_compared = {"latency: no client of both sends anything"};
  CHECK(reports::verdict_sentence(difference) == "no traffic moves in the 7 situations compared");
  difference.contexts.emplace_back().kind = diff::Context::Kind::run;
  difference.simulated.replications = 10;
  difference.simulated.no_difference = {{diff::Figure::p99, 1, 0.0}};
  CHECK(reports::verdict_sentence(difference) ==
        "no traffic moves in the 8 situations compared, and 10 replications of each show no difference, of latency up "
        "to p99");
  difference.lints.push_back({.code = "SP611", .place = "", .message = "", .where = {}, .gained = false});
  CHECK(reports::verdict_sentence(difference) ==
        "no traffic moves in the 8 situations compared, but a warning is resolved");
  // A file that was only described otherwise changes nothing.
  difference = {};
  difference.contexts.resize(7);
  difference.edits.push_back({"description", {}});
  CHECK(reports::verdict_sentence(difference) == "nothing changes in the 7 situations compared");
}

// A canary from 90:10 to 50:50: its 40 points before the 16 that change their zone with them.
TEST_CASE("of requests for another service and of those for another zone the sentence says the larger number first") {
  diff::Difference difference = with_move(move_between("b", "a", 0.16));
  difference.splits = {{.context = 0, .client = "shop", .services = {{"v1", 0.9, 0.5}, {"v2", 0.1, 0.5}}}};
  CHECK(reports::verdict_sentence(difference) ==
        "40 points of shop's requests go from v1 to v2; 16 points of shop's traffic come back to a");
  difference.splits.front().services = {{"v1", 0.9, 0.8}, {"v2", 0.1, 0.2}};
  CHECK(reports::verdict_sentence(difference) ==
        "16 points of shop's traffic come back to a; 10 points of shop's requests go from v1 to v2");
}

TEST_CASE("shares that shift and keys that move are two figures, and both are said") {
  diff::Move move = move_between("a", "b", 0.0675);
  move.zone_points = 0.0;
  move.zones.clear();
  diff::Difference difference = with_move(move);
  difference.keys = {{0, "shop", "cart", true, 2000, 221, 0.1105, {}}};
  CHECK(reports::verdict_sentence(difference) ==
        "6.75 points of shop's traffic shift between endpoints of the same zones; 11.05 % of its keys move to another "
        "endpoint");
}

TEST_CASE("a failure of a zone without a name is one of all endpoints") {
  diff::Difference difference = with_move(move_between("a", "b", 0.4));
  difference.contexts.front().kind = diff::Context::Kind::failure;
  difference.contexts.front().failure = " endpoints";
  CHECK(reports::context_labels(difference).front() == "all endpoints lost");
  CHECK(says(reports::verdict_sentence(difference), " when all endpoints are lost"));
}

TEST_CASE("a moment of a zone without a name does not name it") {
  diff::Difference difference = with_move(move_between("a", "b", 0.4));
  difference.contexts.front().health = {{.service = "cart", .zone = "", .endpoints = 5, .members = 5, .healthy = 4}};
  CHECK(says(reports::verdict_sentence(difference), " when 1 of 5 endpoints is unhealthy"));
}

TEST_CASE("what another zone answers is said at every moment where several clients move") {
  diff::Difference difference = with_move(move_between("a", "b", 0.5));
  difference.contexts.emplace_back().failure = "a endpoints";
  difference.contexts.back().kind = diff::Context::Kind::failure;
  difference.crossings = {{.context = 0, .service = "cart", .share = {"share", 0.5, 0.714}}};
  const auto text = [&] { return reports::format_diff(difference, reports::Format::table, {}); };
  CHECK_FALSE(says(text(), "answered by another zone"));
  diff::Move other = move_between("b", "a", 0.2);
  other.client = "desk";
  difference.moves.push_back(other);
  CHECK(says(text(), "50 % -> 71.4 %"));
  difference.moves.pop_back();
  // One moment that no move says takes the other along.
  difference.crossings.push_back({.context = 1, .service = "cart", .share = {"share", 0.75, 0.714}});
  CHECK(says(text(), "50 % -> 71.4 %"));
  CHECK(says(text(), "75 % -> 71.4 %"));
}

TEST_CASE("endpoints that only stand at another priority shift nothing within zones") {
  diff::Difference difference;
  difference.contexts.emplace_back();
  diff::Move move;
  move.client = "shop";
  move.points = 1.0;
  move.priorities = {{"P0", 0.0, 1.0}, {"P1", 1.0, 0.0}};
  difference.moves = {move};
  const std::string text = reports::format_diff(difference, reports::Format::table, {});
  CHECK(says(text, "same endpoints at another priority"));
  CHECK_FALSE(says(text, "shares shift within zones by"));
}

TEST_CASE("requests that ask for another service are the first thing that the sentence says") {
  diff::Difference difference;
  difference.contexts.emplace_back();
  difference.presences.push_back({"request", "web -> old", false});
  difference.splits = {{.context = 0, .client = "web", .services = {{"be", 0.9, 0.5}, {"c1", 0.1, 0.5}}}};
  CHECK(reports::verdict_sentence(difference) == "40 points of web's requests go from be to c1");
  CHECK(says(reports::format_diff(difference, reports::Format::table, {}), "be 90 % -> 50 % (-40)"));
}
