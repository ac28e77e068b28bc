// What the program does with the documents of a proxy: simulated at once, all clusters, upgraded, compared in a report.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/program.hpp"

using namespace spillway::support;

namespace {

std::string cluster(const std::string& name, const std::string& first, const std::string& rest = "") {
  const auto host = [](const std::string& address) {
    return R"({"endpoint": {"address": {"socket_address": {"address": ")" + address + R"(", "port_value": 80}}}})";
  };
  return R"({"name": ")" + name + R"(", "type": "STATIC")" + rest + R"(, "load_assignment": {"cluster_name": ")" +
         name + R"(", "endpoints": [{"locality": {"zone": "a"}, )" + R"("lb_endpoints": [)" + host(first + ".1") +
         ", " + host(first + ".2") + "]}]}}";
}

std::string bootstrap(const std::string& rest = "") {
  return R"({"node": {"id": "sidecar", "cluster": "web", "locality": {"zone": "a"}, "user_agent_build_version": )"
         R"({"version": {"major_number": 1, "minor_number": 26, "patch": 3}}}, "static_resources": {"clusters": [)" +
         cluster("one", "10.0.1") + ", " + cluster("two", "10.0.2", rest) + "]}}";
}

}  // namespace

TEST_CASE("run and plan simulate the documents of a proxy at a rate, without a file in between") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("bootstrap.json", bootstrap());
  const Finished run = run_program({"run", documents, "--rate", "50rps", "--mode", "requests", "-o", "json"});
  INFO(run.error);
  REQUIRE(run.code == 0);
  const auto root = nlohmann::json::parse(run.output);
  std::map<std::string, double> sent;
  for (const auto& row : root["shares"]) {
    CHECK(row["exact"] == 0.5);
    sent[row["service"].get<std::string>()] += row["requests"].get<double>();
  }
  REQUIRE(sent.size() == 2);
  const std::string scenario = folder.path("scenario.yaml");
  REQUIRE(run_program({"import", documents, "--rate", "50rps", "-o", scenario}).code == 0);
  const auto written = nlohmann::json::parse(run_program({"run", scenario, "--mode", "requests", "-o", "json"}).output);
  CHECK(written["unseed"] == root["unseed"]);
  CHECK(run_program({"run", documents, "--rate", "50rps", "--cluster", "two"}).output.find("one") == std::string::npos);
  const Finished plan = run_program({"plan", documents, "--rate", "50rps"});
  CHECK(plan.error.find("error") == std::string::npos);
  CHECK_FALSE(plan.output.empty());
}

TEST_CASE("run refuses a rate for a scenario, which says itself what is sent") {
  const TemporaryFolder folder;
  const std::string scenario =
      folder.write("s.yaml",
                   "duration: 1s\nzones: [{ name: a }]\nservices: [{ name: s, endpoints: [{ count: 2, zone: a }] }]\n"
                   "clients: [{ name: c, zone: a, workload: { service: s, rate: 5rps } }]\n");
  const Finished refused = run_program({"run", scenario, "--rate", "5rps"});
  CHECK(refused.code == 2);
  CHECK(refused.error.find("SP905") != std::string::npos);
}

TEST_CASE("share of all clusters is that of each, one after another") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("bootstrap.json", bootstrap());
  const auto root = nlohmann::json::parse(run_program({"share", documents, "--all-clusters", "-o", "json"}).output);
  REQUIRE(root["clusters"].size() == 2);
  CHECK(root["clusters"][0] ==
        nlohmann::json::parse(run_program({"share", documents, "--cluster", "one", "-o", "json"}).output));
  CHECK(root["clusters"][1] ==
        nlohmann::json::parse(run_program({"share", documents, "--cluster", "two", "-o", "json"}).output));
  const std::string csv = run_program({"share", documents, "--all-clusters", "-o", "csv"}).output;
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
  const std::string table = run_program({"share", documents, "--all-clusters"}).output;
  CHECK(table.find("cluster one\n") < table.find("cluster two\n"));
  CHECK(run_program({"share", documents, "--all-clusters", "--cluster", "one"}).code == 2);
}

TEST_CASE("share of all clusters has the aggregates among them") {
  const TemporaryFolder folder;
  const std::string aggregate =
      R"(, {"name": "both", "lb_policy": "CLUSTER_PROVIDED", "cluster_type": {"name": "envoy.clusters.aggregate", )"
      R"("typed_config": {"@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig", )"
      R"("clusters": ["two", "one"]}}}]}})";
  std::string text = bootstrap();
  text.replace(text.size() - 3, 3, aggregate);
  const std::string documents = folder.write("bootstrap.json", text);
  const auto root = nlohmann::json::parse(run_program({"share", documents, "--all-clusters", "-o", "json"}).output);
  REQUIRE(root["clusters"].size() == 3);
  CHECK(root["clusters"][2] ==
        nlohmann::json::parse(run_program({"share", documents, "--cluster", "both", "-o", "json"}).output));
}

TEST_CASE("diff says what an upgrade of Envoy moves for the documents of a proxy", "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("bootstrap.json", bootstrap(R"(, "lb_policy": "MAGLEV")"));
  const Finished found = run_program({"diff", documents, "--to-profile", "envoy=release-1.40"});
  CHECK(found.code == 1);
  CHECK(found.output.find("1 of 2 clusters is affected by changes from release-1.26 (named by the documents) to "
                          "release-1.40") == 0);
  CHECK(found.output.find("hashed keys") != std::string::npos);
  for (const std::string format : {"wide", "markdown", "csv", "json"}) {
    CHECK(run_program({"diff", documents, "--to-profile", "envoy=release-1.40", "-o", format}).code == 1);
  }
  const auto json = nlohmann::json::parse(
      run_program({"diff", documents, "--to-profile", "envoy=release-1.40", "-o", "json"}).output);
  CHECK(json["clusters"][1]["changes"][0]["since"] == "release-1.27");
  CHECK(json["same_shares"] == false);
  const Finished nothing =
      run_program({"diff", documents, "--from-profile", "envoy=release-1.36", "--to-profile", "envoy=release-1.40"});
  CHECK(nothing.code == 0);
  CHECK(nothing.output.find("Shares and hashed keys are the same") != std::string::npos);
  CHECK(run_program({"diff", documents, "--to-profile", "envoy=release-1.99"}).code == 2);
  CHECK(run_program({"diff", documents, "--from-profile", "envoy=release-1.36"}).code == 2);
}

TEST_CASE("diff does not call a cluster unchanged that a release cannot read") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("cluster.json", R"({"name": "c", "lb_policy": "LEAST_REQUEST",
        "least_request_lb_config": {"selection_method": "FULL_SCAN"}, "load_assignment": {"cluster_name": "c",
        "endpoints": [{"lb_endpoints": [{"endpoint": {"address": {"socket_address": {"address": "10.0.0.1",
        "port_value": 80}}}}]}]}})");
  // 1.30 came before `selection_method`.
  const Finished found =
      run_program({"diff", documents, "--from-profile", "envoy=release-1.29", "--to-profile", "envoy=release-1.30"});
  CHECK(found.output.find("Unknown: 1 cluster could not be read by both releases") == 0);
  CHECK(found.output.find("not read: cluster c: ") != std::string::npos);
  CHECK(found.output.find("Nothing changes") == std::string::npos);
}

TEST_CASE("diff does not call shares the same between releases of which one ignores what they follow from") {
  const TemporaryFolder folder;
  const auto endpoint = [](int number, const std::string& rest) {
    return R"({"endpoint": {"address": {"socket_address": {"address": "10.0.0.)" + std::to_string(number) +
           R"(", "port_value": 80}}}, "load_balancing_weight": )" + rest + "}";
  };
  // Three quarters of the hosts of priority 0 are healthy: 105 %; of their weights three eighths: 52 %.
  const std::string documents = folder.write("cluster.json", R"({"name": "c", "load_assignment": {"cluster_name": "c",
        "policy": {"weighted_priority_health": true}, "endpoints": [
        {"lb_endpoints": [)" + endpoint(1, R"(5, "health_status": "UNHEALTHY")") +
                                                                 ", " + endpoint(2, "1") + ", " + endpoint(3, "1") +
                                                                 ", " + endpoint(4, "1") + R"(]},
        {"priority": 1, "lb_endpoints": [)" + endpoint(5, "1") + "]}]}}");
  const Finished found =
      run_program({"diff", documents, "--from-profile", "envoy=release-1.26", "--to-profile", "envoy=release-1.29"});
  CHECK(found.code == 1);
  CHECK(found.output.find("1 of 1 cluster is affected") == 0);
  CHECK(found.output.find("`weighted_priority_health` counts; before, it was ignored") != std::string::npos);
  CHECK(found.output.find("What moves between the two") != std::string::npos);
  CHECK(found.output.find("52 %") != std::string::npos);
}

TEST_CASE("diff of all clusters shows those that change, and names the new and the gone ones") {
  const TemporaryFolder folder;
  const std::string before = folder.write("before.json", bootstrap());
  const std::string after = folder.write(
      "after.json", R"({"node": {"id": "sidecar", "cluster": "web", "locality": {"zone": "a"}}, "static_resources": )"
                    R"({"clusters": [)" +
                        cluster("one", "10.0.1") + ", " + cluster("two", "10.0.9") + ", " + cluster("three", "10.0.3") +
                        "]}}");
  const Finished found = run_program({"diff", before, after, "--all-clusters"});
  INFO(found.error);
  CHECK(found.code == 1);
  CHECK(found.output.find("1 of 3 clusters changes: two\n1 of 3 clusters is new: three\n") == 0);
  CHECK(found.output.find("\ncluster two\n") != std::string::npos);
  CHECK(found.output.find("\ncluster one\n") == std::string::npos);
  const auto json = nlohmann::json::parse(run_program({"diff", before, after, "--all-clusters", "-o", "json"}).output);
  REQUIRE(json["clusters"].size() == 3);
  CHECK(json["clusters"][0]["changed"] == false);
  CHECK_FALSE(json["clusters"][1]["difference"]["moves"].empty());
  const std::string csv = run_program({"diff", before, after, "--all-clusters", "-o", "csv"}).output;
  CHECK(csv.starts_with("cluster,"));
  CHECK(csv.find("\ntwo,") != std::string::npos);
  const Finished same = run_program({"diff", before, before, "--all-clusters"});
  CHECK(same.code == 0);
  CHECK(same.output == "no traffic moves in 2 clusters\n");
}

TEST_CASE("an import takes phases from a range query, and the duration with them") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("bootstrap.json", bootstrap());
  const std::string range = folder.write(
      "range.json",
      R"({"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {"envoy_cluster_name": "two", )"
      R"("envoy_endpoint_address": "10.0.2.1:80"}, "values": [[1000, "0"], [1030, "300"], [1060, "1200"]]}]}})");
  const Finished imported = run_program({"import", documents, "--prometheus", range, "--rate", "7rps"});
  INFO(imported.error);
  REQUIRE(imported.code == 0);
  CHECK(imported.output.find("duration: 60s  # as long as requests were counted") != std::string::npos);
  CHECK(imported.output.find("phases: \"10rps 30s, 30rps 30s\"") != std::string::npos);
  CHECK(imported.output.find("rate: \"7rps\"") != std::string::npos);
  const std::string scenario = folder.write("s.yaml", imported.output);
  CHECK(run_program({"validate", scenario}).code == 0);
}

TEST_CASE("an import of a described request has its route, with the shares that the documents have") {
  const TemporaryFolder folder;
  const std::string manager =
      R"({"@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.)"
      R"(HttpConnectionManager", "stat_prefix": "x", "route_config": {"virtual_hosts": [{"name": "v", "domains": )"
      R"(["shop.example"], "routes": [{"match": {"prefix": "/cart"}, "route": {"weighted_clusters": {"clusters": )"
      R"([{"name": "one", "weight": 30}, {"name": "two", "weight": 70}]}, "retry_policy": {"retry_on": "5xx"}}}]}]}})";
  const std::string documents = folder.write(
      "bootstrap.json",
      R"({"static_resources": {"listeners": [{"name": "in", "filter_chains": [{"filters": [{"name": "hcm", )"
      R"("typed_config": )" +
          manager + R"(}]}]}], "clusters": [)" + cluster("one", "10.0.1") + ", " + cluster("two", "10.0.2") + "]}}");
  const std::string scenario = folder.path("s.yaml");
  const Finished imported = run_program({"import", documents, "--host", "shop.example", "--path", "/cart/1", "--header",
                                         "x-user=u7", "--rate", "80rps", "-o", scenario});
  INFO(imported.error);
  REQUIRE(imported.code == 0);
  const Finished share = run_program({"share", scenario, "-o", "json"});
  INFO(share.error);
  REQUIRE(share.code == 0);
  std::map<std::string, double> shares;
  const auto of_scenario = nlohmann::json::parse(share.output);
  for (const auto& row : of_scenario["shares"]) {
    shares[row["cluster"].get<std::string>()] += row["exact"].get<double>();
  }
  std::map<std::string, double> reported;
  const Finished straight = run_program(
      {"share", documents, "--host", "shop.example", "--path", "/cart/1", "--header", "x-user=u7", "-o", "json"});
  const auto of_documents = nlohmann::json::parse(straight.output);
  for (const auto& row : of_documents["shares"]) {
    reported[row["cluster"].get<std::string>()] += row["exact"].get<double>();
  }
  CHECK(shares.size() == 2);
  CHECK(shares == reported);
  CHECK(run_program({"run", documents, "--rate", "50rps", "--cluster", "one"}).code == 0);
}

TEST_CASE("a hash policy that reads where a request comes from needs --source for one host") {
  const auto host = [](int number) {
    return R"({"endpoint": {"address": {"socket_address": {"address": "127.181.0.)" + std::to_string(number) +
           R"(", "port_value": 21182}}}})";
  };
  const TemporaryFolder folder;
  const std::string documents = folder.write(
      "bootstrap.json",
      R"({"static_resources": {"listeners": [{"name": "in", "filter_chains": [{"filters": [{"name": "hcm", "typed_config": )"
      R"({"@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager", )"
      R"("route_config": {"name": "r", "virtual_hosts": [{"name": "v", "domains": ["*"], "routes": [{"match": {"prefix": "/"}, )"
      R"("route": {"cluster": "b", "hash_policy": [{"connection_properties": {"source_ip": true}}, )"
      R"({"header": {"header_name": "x-b"}}]}}]}]}}}]}]}], "clusters": [{"name": "b", "type": "STATIC", )"
      R"("lb_policy": "RING_HASH", "load_assignment": {"cluster_name": "b", "endpoints": [{"lb_endpoints": [)" +
          host(1) + "," + host(2) + "," + host(3) + "," + host(4) + "]}]}}]}}");
  std::vector<std::string> asked = {"share",    documents, "--host", "h",        "--path", "/b/",
                                    "--header", "x-b=k",   "--by",   "endpoint", "-o",     "json"};
  auto from = asked;
  from.insert(from.end(), {"--source", "127.0.0.1"});
  const auto reported = nlohmann::json::parse(run_program(from).output);
  // Where a real Envoy 1.40 sent 300 such requests of 300.
  for (const auto& row : reported["shares"]) {
    CHECK(row["exact"].get<double>() == (row["endpoint"] == "127.181.0.3:21182" ? 1.0 : 0.0));
  }
  const auto of_any = nlohmann::json::parse(run_program(asked).output);
  for (const auto& row : of_any["shares"]) {
    CHECK(row["exact"].get<double>() > 0.1);
  }
  asked.resize(asked.size() - 2);
  CHECK(run_program(asked).output.find("without --source it may be any") != std::string::npos);
  CHECK(run_program({"share", documents, "--source", "nowhere"}).error.find("error[SP904]") != std::string::npos);
}

TEST_CASE("a report of a comparison holds names, addresses and counts, and nothing else of the documents") {
  const TemporaryFolder folder;
  const std::string documents = folder.write(
      "bootstrap.json", bootstrap(R"(, "metadata": {"filter_metadata": {"x": {"token": "s3cr3t-of-nobody"}}})"));
  const auto reported = [](const std::string& first, const std::string& second) {
    std::string text = "two::added_via_api::false\n";
    for (const auto& [address, requests] : {std::pair{"10.0.2.1:80", first}, std::pair{"10.0.2.2:80", second}}) {
      const std::string head = std::string("two::") + address + "::";
      text += head + "rq_total::" + requests + "\n" + head + "health_flags::healthy\n" + head + "weight::1\n" + head +
              "region::\n" + head + "zone::a\n" + head + "sub_zone::\n" + head + "priority::0\n";
    }
    return text;
  };
  const std::string counts = folder.write("clusters.txt", reported("1800", "200"));
  const std::string server =
      folder.write("server.json", R"({"version": "abc/1.26.3/Clean/RELEASE/BoringSSL", "state": "LIVE"})");
  const std::string page = folder.path("report.html");
  const Finished finished =
      run_program({"compare", documents, "--clusters", counts, "--server-info", server, "--report", page});
  INFO(finished.error);
  CHECK(finished.code == 1);
  CHECK(finished.output.find("shares are predicted by the rules of Envoy 1.26") != std::string::npos);
  std::ifstream file(page);
  const std::string html{std::istreambuf_iterator<char>(file), {}};
  CHECK(html.find("Does not fit: 1 cluster is not as configured: two.") != std::string::npos);
  CHECK(html.find("10.0.2.1:80") != std::string::npos);
  CHECK(html.find("s3cr3t-of-nobody") == std::string::npos);
}

TEST_CASE("an import keeps the shares of names under hash policies, and of localities beside empty ones") {
  const TemporaryFolder folder;
  const auto host = [](const std::string& name) {
    return "{ endpoint: { address: { socket_address: { address: " + name + ", port_value: 80 } } } }";
  };
  const std::string documents =
      folder.write("b.yaml",
                   "static_resources:\n  clusters:\n"
                   "  - { name: names, type: STRICT_DNS, lb_policy: RING_HASH, load_assignment: { cluster_name: names, "
                   "endpoints: [{ lb_endpoints: [" +
                       host("redis-a") + ", " + host("redis-b") + ", " + host("redis-c") +
                       "] }] } }\n"
                       "  - { name: gap, type: STATIC, common_lb_config: { locality_weighted_lb_config: {} }, "
                       "load_assignment: { cluster_name: gap, endpoints: ["
                       "{ locality: { zone: nobody }, load_balancing_weight: 5, lb_endpoints: [] }, "
                       "{ locality: { zone: a }, load_balancing_weight: 1, lb_endpoints: [" +
                       host("10.0.0.1") + "] }, { locality: { zone: b }, load_balancing_weight: 3, lb_endpoints: [" +
                       host("10.0.0.2") + "] }] } }\n");
  const auto shares_of = [](const nlohmann::json& rows, const std::string& cluster) {
    std::vector<double> shares;
    for (const auto& row : rows) {
      if (row["cluster"] == cluster) {
        shares.push_back(row["exact"].get<double>());
      }
    }
    std::sort(shares.begin(), shares.end());
    return shares;
  };
  const auto reported = nlohmann::json::parse(run_program({"share", documents, "--all-clusters", "-o", "json"}).output);
  const std::string scenario = folder.path("scenario.yaml");
  REQUIRE(run_program({"import", documents, "--rate", "50rps", "-o", scenario}).code == 0);
  const Finished run = run_program({"run", scenario, "--mode", "exact", "-o", "json"});
  INFO(run.error);
  REQUIRE(run.code == 0);
  const auto rows = nlohmann::json::parse(run.output)["shares"];
  const std::vector<double> names = shares_of(reported["clusters"][0]["shares"], "names");
  REQUIRE(names.size() == 3);
  CHECK(names[0] < names[2]);  // a ring of 1,024 is not even: the keys are those of the names
  CHECK(shares_of(rows, "names") == names);
  CHECK(shares_of(rows, "gap") == std::vector<double>{0.25, 0.75});
}

TEST_CASE("routes without a listener and without clusters are refused with their place") {
  const TemporaryFolder folder;
  const std::string routes = folder.write("r.yaml",
                                          "name: r\nvirtual_hosts: [{ name: v, domains: ['*'], routes: [{ match: { "
                                          "prefix: / }, route: { cluster: a } }] }]\n");
  const Finished refused = run_program({"import", routes, "--rate", "5rps"});
  CHECK(refused.code == 2);
  CHECK(refused.error.find("error[SP136]: no cluster in the documents") != std::string::npos);
  CHECK(refused.error.find("r.yaml:1:1") != std::string::npos);
}

TEST_CASE("documents are read behind the command that printed them") {
  const TemporaryFolder folder;
  const std::string text =
      R"({"cluster_statuses": [{"name": "one", "host_statuses": [{"address": {"socket_address": )"
      R"({"address": "10.0.1.1", "port_value": 80}}, "stats": [{"name": "rq_total", "value": "WHAT"}], )"
      R"("locality": {"zone": "a"}, "health_status": {"eds_health_status": "HEALTHY"}}, {"address": {"socket_address": )"
      R"({"address": "10.0.1.2", "port_value": 80}}, "stats": [{"name": "rq_total", "value": "WHAT"}], )"
      R"("locality": {"zone": "a"}, "health_status": {"eds_health_status": "HEALTHY"}}]}]})";
  const auto counted = [&](const std::string& value) {
    std::string changed = text;
    for (std::size_t found = changed.find("WHAT"); found != std::string::npos; found = changed.find("WHAT")) {
      changed.replace(found, 4, value);
    }
    return changed;
  };
  const std::string documents = folder.write("b.json", bootstrap());
  for (const char* const command : {"$ curl localhost:9901/clusters?format=json\n",
                                    "root@web-7:/# curl -s localhost:15000/clusters?format=json\n\n"}) {
    const std::string before = folder.write("before.txt", command + counted("10"));
    const std::string after = folder.write("after.txt", command + counted("510") + "\n$ ");
    const Finished compared =
        run_program({"compare", documents, "--clusters", before, "--clusters", after, "-o", "json"});
    INFO(compared.error);
    CHECK(compared.code == 0);
    CHECK(compared.output.find("1000") != std::string::npos);
    // Alone it is a cluster, and beside a configuration it says what the proxy's hosts are.
    const Finished alone = run_program({"validate", after});
    CHECK(alone.code == 0);
    CHECK(alone.output.find("1 of 1 clusters are read") != std::string::npos);
  }
  // What is wrong keeps its line.
  const std::string wrong = folder.write("wrong.txt", "$ curl localhost:9901/config_dump\n{\"static_resources\": 7}\n");
  const Finished refused = run_program({"validate", wrong});
  CHECK(refused.code == 2);
  CHECK((refused.output + refused.error).find("wrong.txt:2:") != std::string::npos);
}

TEST_CASE("what /clusters printed counts wherever it lies beside the documents") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path("bundle"));
  folder.write("bundle/b.yaml",
               "static_resources: { clusters: [{ name: dns, type: STRICT_DNS, load_assignment: { cluster_name: dns, "
               "endpoints: [{ lb_endpoints: [{ endpoint: { address: { socket_address: { address: dns, port_value: 80 "
               "} } } }] }] } }] }\n");
  folder.write("bundle/clusters.txt",
               "dns::10.0.0.1:80::rq_total::1\ndns::10.0.0.1:80::health_flags::healthy\n"
               "dns::10.0.0.2:80::rq_total::1\ndns::10.0.0.2:80::health_flags::healthy\n"
               "dns::10.0.0.3:80::rq_total::1\ndns::10.0.0.3:80::health_flags::healthy\n");
  REQUIRE(std::system(
              ("tar -C " + folder.path("bundle") + "/.. -czf " + folder.path("bug.tar.gz") + " bundle").c_str()) == 0);
  const auto hosts_of = [](const std::string& documents) {
    const auto root = nlohmann::json::parse(run_program({"share", documents, "-o", "json"}).output);
    std::vector<std::string> hosts;
    for (const auto& row : root["shares"]) {
      hosts.push_back(row["endpoint"].get<std::string>());
    }
    return hosts;
  };
  const std::vector<std::string> reported = {"10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"};
  CHECK(hosts_of(folder.path("bundle")) == reported);
  CHECK(hosts_of(folder.path("bug.tar.gz")) == reported);
  const std::string imported = run_program({"import", folder.path("bundle"), "--rate", "5rps"}).output;
  CHECK(imported.find("count: 3") != std::string::npos);
}

TEST_CASE("an import takes rates from two outputs of /stats, in each of its formats") {
  const TemporaryFolder folder;
  const std::string documents = folder.write("b.json", bootstrap());
  const auto rate_of = [&](const std::string& before, const std::string& after) {
    const Finished imported =
        run_program({"import", documents, "--stats", folder.write("before.txt", before), "--stats",
                     folder.write("after.txt", after), "--apart", "60s", "--rate", "7rps"});
    INFO(imported.error);
    REQUIRE(imported.code == 0);
    CHECK(imported.output.find("service: two, rate: \"7rps\"") != std::string::npos);
    const std::size_t found = imported.output.find("service: one, rate: \"");
    REQUIRE(found != std::string::npos);
    return imported.output.substr(found + 20, imported.output.find('"', found + 21) - found - 19);
  };
  // 1,200 requests in a minute.
  CHECK(rate_of("cluster.one.upstream_rq_total: 300\n", "cluster.one.upstream_rq_total: 1500\n") == "\"20rps\"");
  CHECK(rate_of(R"({"stats": [{"name": "cluster.one.upstream_rq_total", "value": 300}]})",
                R"({"stats": [{"name": "cluster.one.upstream_rq_total", "value": 1500}]})") == "\"20rps\"");
  const std::string exposition =
      "# TYPE envoy_cluster_upstream_rq_total counter\n"
      "envoy_cluster_upstream_rq_total{envoy_cluster_name=\"one\"} ";
  CHECK(rate_of(exposition + "300\n", exposition + "1500\n") == "\"20rps\"");
  const Finished untimed =
      run_program({"import", documents, "--stats", folder.path("before.txt"), "--stats", folder.path("after.txt")});
  CHECK(untimed.code == 2);
  CHECK(untimed.error.find("SP903") != std::string::npos);
  // For --prometheus it is of one moment, which tells no rate.
  const Finished misplaced = run_program({"import", documents, "--prometheus", folder.path("after.txt")});
  CHECK(misplaced.code == 2);
  CHECK(misplaced.error.find("--stats BEFORE --stats AFTER") != std::string::npos);
}

TEST_CASE("an import of a dump without endpoints of EDS has the clusters that are told, and names the others") {
  const TemporaryFolder folder;
  const std::string eds = R"({"name": "later", "type": "EDS", "eds_cluster_config": {"eds_config": {"ads": {}}}})";
  const std::string both = folder.write(
      "both.json", R"({"static_resources": {"clusters": [)" + cluster("one", "10.0.1") + ", " + eds + "]}}");
  const Finished imported = run_program({"import", both, "--rate", "5rps"});
  CHECK(imported.code == 0);
  CHECK(imported.output.find("# Left out: cluster later: its endpoints are unknown\n") != std::string::npos);
  CHECK(imported.output.find("- name: one\n") != std::string::npos);
  CHECK(imported.error.find("warning[SP136]") != std::string::npos);
  CHECK(run_program({"run", both, "--rate", "5rps"}).code == 0);
  // Where nothing is left there is nothing to write.
  const std::string alone = folder.write("alone.json", R"({"static_resources": {"clusters": [)" + eds + "]}}");
  const Finished refused = run_program({"import", alone, "--rate", "5rps"});
  CHECK(refused.code == 2);
  CHECK(refused.error.find("error[SP136]") != std::string::npos);
  const std::string empty = folder.write("empty.yaml",
                                         "static_resources: { clusters: [{ name: s, type: STATIC, load_assignment: { "
                                         "cluster_name: s, endpoints: [] } }] }\n");
  const Finished without = run_program({"import", empty, "--rate", "5rps"});
  CHECK(without.code == 2);
  CHECK(without.error.find("error[SP136]: no cluster that can be imported") != std::string::npos);
  CHECK(without.error.find("= note: cluster s: s has no endpoints") != std::string::npos);
  CHECK(run_program({"import", both, "--cluster", "later", "--rate", "5rps"}).code == 2);
}

TEST_CASE("an import names routes that no request's path can meet, and finds paths that begin with a slash") {
  const TemporaryFolder folder;
  const std::string documents = folder.write(
      "bootstrap.yaml",
      "static_resources:\n  listeners:\n    - name: in\n      filter_chains:\n        - filters:\n"
      "            - name: hcm\n              typed_config:\n"
      "                \"@type\": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3."
      "HttpConnectionManager\n"
      "                stat_prefix: x\n                route_config:\n                  virtual_hosts:\n"
      "                    - name: v\n                      domains: ['*']\n                      routes:\n"
      "                        - { name: never, match: { prefix: cart }, route: { cluster: one } }\n"
      "                        - { name: sold, match: { safe_regex: { regex: '.*sold' } }, route: { cluster: two } }\n"
      "  clusters: [" +
          cluster("one", "10.0.1") + ", " + cluster("two", "10.0.2") + "]\n");
  const std::string scenario = folder.path("s.yaml");
  const Finished imported = run_program({"import", documents, "--rate", "5rps", "-o", scenario});
  INFO(imported.error);
  REQUIRE(imported.code == 0);
  const Finished text = run_program({"import", documents, "--rate", "5rps"});
  INFO(text.output);
  CHECK(text.output.find("route `never`: no request for its match is known") != std::string::npos);
  CHECK(text.output.find("sold") != std::string::npos);
  const Finished run = run_program({"run", scenario});
  INFO(run.error);
  CHECK(run.code == 0);
}
