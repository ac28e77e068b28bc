// Tables of several clients: which, and what is refused.
#include <catch2/catch.hpp>
#include <string>

#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;
using namespace spillway::scenario::test;

namespace {

// Two more clients: one of the same service, one of another.
std::string with_table(const std::string& whose) {
  std::string text = scenario_with(
      "expect:\n"
      "  - { table: t, " +
      whose + ", columns: [P0], rows: [[100%], [100%]] }\n");
  const std::string clients = "clients:\n";
  text.insert(text.find(clients) + clients.size(),
              "  - { name: second, zone: zone-2, workload: { service: backend, rate: 10rps } }\n"
              "  - { name: stranger, zone: zone-2, workload: { service: other, rate: 10rps } }\n");
  const std::string services = "services:\n";
  text.insert(text.find(services) + services.size(), "  - { name: other, endpoints: [{ count: 1, zone: zone-3 }] }\n");
  return text;
}

ExpectedTable table_of(const std::string& whose) {
  return std::get<ExpectedTable>(accepted(with_table(whose)).expectations.at(0));
}

}  // namespace

TEST_CASE("The clients of a table stand in the order in which it lists them", "[meaning]") {
  const ExpectedTable table = table_of("clients: [frontend, second]");
  CHECK(table.client == config::ClientEntryIndex{2});
  CHECK(table.further_clients == std::vector{config::ClientEntryIndex{0}});
  CHECK_FALSE(table.together);
  CHECK(table_of("clients: [second, frontend], together: true").together);
  CHECK(table_of("clients: [second]").further_clients.empty());
}

TEST_CASE("Clients of a table that do not go together are refused", "[meaning]") {
  the_only_diagnostic(with_table("clients: [second, «stranger»]"), "SP118");
  the_only_diagnostic(with_table("clients: [second, «second»]"), "SP118");
  the_only_diagnostic(with_table("clients: [second, «secnod»]"), "SP109");
  the_only_diagnostic(with_table("client: second, «together»: true"), "SP027");
}
