// Rows of several clients, and of clients together: two clients, of which the second sends three times as much.
#include "reports/shares/table_rows.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "reports/document/document.hpp"
#include "reports/expectations/expectations.hpp"
#include "reports/shares/documented_table.hpp"
#include "tests/reports/small_report.hpp"

using namespace spillway;
using namespace spillway::reports;

namespace {

struct TwoUnequalClients {
  scenario::Scenario scenario = testing::small_scenario();
  run::Results results;
  scenario::ExpectedTable table;

  TwoUnequalClients() {
    scenario.clients.resize(2);
    scenario.clients[0].name = "first";
    scenario.clients[1].name = "second";
    results.mode = scenario::Mode::requests;
    add_client(0, 1000, 1.0);
    add_client(1, 3000, 0.0);
    scenario::Selector endpoint;
    endpoint.endpoint = "backend-1";
    table.title = "t";
    table.columns = {{"backend-1", scenario::Quantity::share, endpoint}};
    table.client = config::ClientEntryIndex{0};
    table.further_clients = {config::ClientEntryIndex{1}};
  }

  void add_client(std::uint32_t index, std::uint64_t sent, double to_first) {
    run::Epoch epoch;
    epoch.client = config::ClientEntryIndex{index};
    epoch.end = std::chrono::seconds{10};
    epoch.expected_requests = static_cast<double>(sent);
    epoch.health = std::make_shared<const run::EpochHealth>();
    results.epochs.push_back(epoch);
    std::vector<run::Share> rows;
    for (const auto& [endpoint, exact] : {std::pair{"backend-1", to_first}, {"backend-2", 1.0 - to_first}}) {
      run::Share share;
      share.client = epoch.client;
      share.endpoint = endpoint;
      share.exact = share.simulated = exact;
      share.requests = share.attempts = static_cast<std::uint64_t>(exact * static_cast<double>(sent));
      rows.push_back(share);
    }
    testing::edit_shares(results,
                         [&](std::vector<run::Share>& all) { all.insert(all.end(), rows.begin(), rows.end()); });
    run::Outcomes outcomes;
    outcomes.client = epoch.client;
    outcomes.sent = outcomes.counts[scenario::Outcome::ok] = sent;
    results.outcomes.push_back(outcomes);
  }
};

}  // namespace

TEST_CASE("rows of several clients follow each other and say whose they are") {
  TwoUnequalClients two;
  two.table.rows = {{testing::cell("100%", 100)}, {testing::cell("0%", 0)}};
  two.scenario.expectations = {two.table};
  const auto tables = documented_tables(two.scenario, two.results);
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].rows[1].title == "row 2 (second, 0 - 10 s)");
  CHECK_FALSE(has_differences(tables[0]));
  CHECK(format({.page = [&](Page& page) { add_documented_table(page, tables[0], CellLayout::differences); }},
               Format::table, {}) ==
        " client   backend-1\n"
        " first        100 %\n"
        " second         0 %\n");
  const Tally tally = reports::tally(evaluate(two.scenario, two.results));
  CHECK(tally.hold == 2);
  CHECK(tally.fail == 0);
}

TEST_CASE("clients together are weighted by the requests that each is expected to send, and has sent") {
  TwoUnequalClients two;
  two.table.together = true;
  two.table.rows = {{testing::cell("25%", 25)}};
  two.scenario.expectations = {two.table};
  const auto tables = documented_tables(two.scenario, two.results);
  REQUIRE(tables.at(0).rows.size() == 1);
  CHECK(tables[0].rows[0].title == "row 1 (0 - 10 s)");
  CHECK(*tables[0].rows[0].cells[0].exact == Approx(25.0));
  CHECK(*tables[0].rows[0].cells[0].simulated == Approx(25.0));
  CHECK(tally(evaluate(two.scenario, two.results)).hold == 1);
}

TEST_CASE("a column of attempts counts retries too and has no exact figure") {
  TwoUnequalClients two;
  testing::edit_shares(two.results, [](std::vector<run::Share>& shares) {
    for (run::Share& share : shares) {
      *share.attempts *= share.client.value == 0 ? 1 : 2;
    }
    shares[1].attempts = 1000;  // every request of the first client was tried again at the second host
  });
  two.table.columns[0].quantity = scenario::Quantity::attempts;
  two.table.rows = {{testing::cell("50%", 50)}, {testing::cell("0%", 0)}};
  two.scenario.expectations = {two.table};
  const auto tables = documented_tables(two.scenario, two.results);
  CHECK_FALSE(tables.at(0).rows[0].cells[0].exact);
  CHECK(*tables[0].rows[0].cells[0].simulated == Approx(50.0));
  CHECK(tally(evaluate(two.scenario, two.results)).fail == 0);
  two.table.rows[0] = {testing::cell("60%", 60)};
  two.scenario.expectations = {two.table};
  CHECK(tally(evaluate(two.scenario, two.results)).fail == 1);
}

TEST_CASE("a client without a row in the table is missed") {
  TwoUnequalClients two;
  two.table.rows = {{testing::cell("100%", 100)}};
  two.scenario.expectations = {two.table};
  const Verdicts verdicts = evaluate(two.scenario, two.results);
  CHECK(tally(verdicts).fail == 1);
  CHECK(verdicts.back().title == "table \"t\" row 2 (second, 0 - 10 s)");
}
