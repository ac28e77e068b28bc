// Options and files that would do nothing, or something else than they look like.
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/sweep_file.hpp"
#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

const std::string refused_together = R"(name: refused together
duration: 5s
zones: [{ name: z }]
services: [{ name: s, endpoints: [{ count: 10, zone: z, healthy: 5 }] }]
clients: [{ name: c, zone: z, workload: { service: s, rate: 10rps } }]
)";

const std::string static_cluster = R"(static_resources:
  clusters:
  - name: c
    type: STATIC
    load_assignment:
      cluster_name: c
      endpoints:
      - lb_endpoints:
        - endpoint: { address: { socket_address: { address: 10.0.0.1, port_value: 80 } } }
        - endpoint: { address: { socket_address: { address: 10.0.0.2, port_value: 80 } } }
)";

}  // namespace

TEST_CASE("a picture of points that were all refused says so") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("ref.yaml", refused_together);
  const std::string count = "services[s].endpoints[0].count";
  const std::string healthy = "services[s].endpoints[0].healthy";
  const std::string file = folder.path("r.db");
  REQUIRE(run_program({"sweep", scenario, "--over", count + "=9,6", "--over", healthy + "=5,8", "-o", file}).code == 0);
  for (const std::string ending : {".gp", ".svg"}) {
    const Finished drawn = run_program({"sweep", "plot", file, "--x", count, "--y", "failed", "--where", count + "=6",
                                        "--where", healthy + "=8", "-o", folder.path("p" + ending)});
    INFO(drawn.error);
    CHECK(drawn.code == 2);
    CHECK(has(drawn.error,
              "error[SP956]: nothing to draw: no simulated point is chosen; of 4 points in the file the "
              "scenario refuses 1"));
    CHECK_FALSE(std::filesystem::exists(folder.path("p" + ending)));
  }
  // No point has it: nothing is timed in mode exact.
  const Finished timed = run_program({"sweep", "plot", file, "--y", "p99", "-o", folder.path("p.gp"), "--x", count});
  INFO(timed.error);
  CHECK((timed.code == 0 || has(timed.error, "none of the chosen points has `p99`")));
  CHECK(run_program({"sweep", "show", file, "--where", count + "=6", "--where", healthy + "=8"}).code == 0);
}

TEST_CASE("a shard whose points were all refused is not drawn") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("ref.yaml", refused_together);
  const std::string file = folder.path("shard.db");
  REQUIRE(run_program({"sweep", scenario, "--over", "services[s].endpoints[0].count=9,6", "--over",
                       "services[s].endpoints[0].healthy=5,8", "--shard", "4/4", "-o", file})
              .code == 0);
  CHECK(run_program({"sweep", "plot", file, "--y", "failed", "-o", folder.path("p.gp")}).code == 2);
  const Finished page = run_program({"sweep", "show", file, "--report", folder.path("page.html")});
  CHECK(page.code == 0);
}

TEST_CASE("a sweep refuses a name that promises a table or a picture") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  for (const char* name : {"s.csv", "s.json", "s.svg", "s.html"}) {
    const Finished finished = run_program({"sweep", scenario, "--over", "duration=1s", "-o", folder.path(name)});
    INFO(finished.error);
    CHECK(finished.code == 2);
    CHECK(has(finished.error, "error[SP904]"));
    CHECK(has(finished.error, "stored as SQLite"));
    CHECK_FALSE(std::filesystem::exists(folder.path(name)));
  }
}

TEST_CASE("a sweep whose file is removed while it is written to ends with an error") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", with(queue_scenario, "duration: 2s", "duration: 20s"));
  const std::string file = folder.path("gone.db");
  const Finished finished =
      run_program({"sweep", scenario, "--over", "seed=1..300", "-o", file},
                  "{} & until [ -s " + file + " ]; do sleep 0.01; done; rm -f " + file + "*; wait $!");
  INFO(finished.output << finished.error);
  CHECK(finished.code == 2);
  CHECK(has(finished.error, "error[SP953]"));
}

TEST_CASE("the page of a sweep opens with a figure that varies, and names the command that sweeps") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const std::string file = folder.path("s.sqlite");
  REQUIRE(run_program({"sweep", scenario, "--over", "clients[shop].workload.rate=50,350", "-o", file}).code == 0);
  REQUIRE(run_program({"sweep", "show", file, "--report", folder.path("page.html")}).code == 0);
  const std::string page = contents(folder.path("page.html"));
  CHECK(has(page, R"("start":{"x":"rate","y":"p99","by":""})"));
  CHECK(has(page, "--over 'clients[shop].workload.rate=50,350'"));
  REQUIRE(run_program({"sweep", "show", file, "--y", "failed", "--report", folder.path("asked.html")}).code == 0);
  CHECK(has(contents(folder.path("asked.html")), R"("start":{"x":"rate","y":"failed","by":""})"));
}

TEST_CASE("run with a rate of a proxy's documents sends requests") {
  const TemporaryFolder folder;
  const std::string file = folder.write("b.yaml", static_cluster);
  const Finished run = run_program({"run", file, "--rate", "100rps", "-o", "json"});
  INFO(run.error);
  REQUIRE(run.code == 0);
  CHECK(has(run.output, "\"mode\": \"requests\""));
  const Finished exact = run_program({"run", file, "--rate", "100rps", "--mode", "exact", "-o", "json"});
  CHECK(has(exact.output, "\"mode\": \"exact\""));
  CHECK(has(run_program({"import", file, "--rate", "100rps"}).output, "mode: exact"));
}

TEST_CASE("an address that a name resolves to is an IP address") {
  const TemporaryFolder folder;
  const std::string file = folder.write("b.yaml", static_cluster);
  for (const char* text : {"db.example=banana", "db.example=10.0.0.1,10.0.0", "db.example=10.0.0.256", "db=1::2::3"}) {
    const Finished finished = run_program({"share", file, "--resolve", text});
    INFO(text);
    CHECK(finished.code == 2);
    CHECK(has(finished.error, "error[SP904]"));
    CHECK(has(finished.error, "is no IP address"));
  }
  CHECK(run_program({"share", file, "--resolve", "db.example=10.0.0.1,2001:db8::1"}).code == 0);
}

TEST_CASE("a file of a mesh's policies is refused by one code by commands that take no documents alone") {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "kuma.yaml",
      "type: Mesh\nname: default\n---\ntype: MeshLoadBalancingStrategy\nname: a\nmesh: default\nspec: {}\n");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check", file},
                                                  {"plot", file, "--kind", "share", "-o", folder.path("p.gp")},
                                                  {"export", "envoy", file, "-o", "x"},
                                                  {"sweep", file, "--over", "seed=1,2", "-o", folder.path("s.db")}}) {
    const Finished finished = run_program(command);
    INFO(command.front() << ": " << finished.error);
    CHECK(finished.code == 2);
    CHECK(has(finished.error, "error[SP149]"));
    CHECK(has(finished.error, "this is a Mesh of Kuma"));
  }
  const std::string two = folder.write("two.yaml", queue_scenario + "---\n" + queue_scenario);
  CHECK(has(run_program({"run", two}).error, "error[SP013]: more than one YAML document"));
}

TEST_CASE("a topology of many clients draws those of one zone and service as one") {
  const TemporaryFolder folder;
  std::string clients = "clients:\n";
  for (int client = 1; client <= 50; ++client) {
    clients += "  - { name: client-" + std::to_string(client) + ", zone: zone-" + std::to_string(client % 2 + 1) +
               ", workload: { service: cart, rate: 10rps } }\n";
  }
  const std::string text = with(two_zones_of_ten_hosts,
                                "clients: [{ name: shop, zone: zone-1, workload: { service: cart, "
                                "rate: 500rps } }]\n",
                                clients);
  const std::string file = folder.write("many.yaml", text);
  const Finished drawn = run_program({"plot", file, "--kind", "topology", "--at", "0s", "-o", folder.path("t.dot")});
  INFO(drawn.error);
  REQUIRE(drawn.code == 0);
  const std::string dot = contents(folder.path("t.dot"));
  CHECK(has(dot, "client-1 and 24 more"));
  CHECK(has(dot, "client-2 and 24 more"));
  CHECK_FALSE(has(dot, "client-3"));
  const Finished refused =
      run_program({"plot", file, "--kind", "topology", "--mode", "requests", "-o", folder.path("r.dot")});
  CHECK(refused.code == 2);
  CHECK(has(refused.error, "error[SP904]: a topology of 50 clients"));
}

TEST_CASE("a share plot of an aggregate names the levels that panic") {
  const TemporaryFolder folder;
  const std::string file = SPILLWAY_SOURCE_DIR "/scenarios/documented/aggregate.yaml";
  REQUIRE(run_program({"plot", file, "--kind", "share", "-o", folder.path("t.gp")}).code == 0);
  const std::string script = contents(folder.path("t.gp"));
  CHECK(has(script, "'panic: primary P0 P1 P2'"));
  CHECK(has(script, "'reported unhealthy'"));
}

TEST_CASE("rows of the load map name the service, where several are in one zone") {
  const TemporaryFolder folder;
  const std::string file = folder.write("shop.yaml", R"(name: shop
duration: 2s
mode: exact
zones: [{ name: zone-1 }, { name: zone-2 }]
services:
  - { name: cart, endpoints: [{ count: 60, zone: zone-1, capacity: 10rps }, { count: 60, zone: zone-2, capacity: 10rps }] }
  - { name: pay, endpoints: [{ count: 60, zone: zone-1, capacity: 10rps }] }
clients:
  - { name: one, zone: zone-1, workload: { service: cart, rate: 10rps } }
  - { name: two, zone: zone-1, workload: { service: pay, rate: 10rps } }
)");
  REQUIRE(run_program({"run", file, "--report", folder.path("page.html")}).code == 0);
  const std::string page = contents(folder.path("page.html"));
  for (const char* row : {"cart zone-1", "cart zone-2", "pay zone-1"}) {
    CHECK(has(page, "\"name\":\"" + std::string(row) + "\""));
  }
}
