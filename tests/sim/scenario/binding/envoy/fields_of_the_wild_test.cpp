// Fields that control planes write and that say nothing of where requests go, and the types of clusters beside `type`.
// What Envoy 1.40 accepts, refuses and does with them was asked of it, case by case.
#include <catch2/catch.hpp>

#include "models/envoy/cluster.hpp"
#include "sim/scenario/binding/envoy/read_envoy_documents.hpp"
#include "sim/scenario/service.hpp"
#include "tests/sim/scenario/reading.hpp"

using namespace spillway;
using namespace spillway::scenario;

namespace {

const std::string extensions = "'@type': type.googleapis.com/envoy.extensions.";

std::string host_at(const std::string& address) {
  return "{ endpoint: { address: { socket_address: { address: " + address + ", port_value: 80 } } } }";
}

std::string cluster_of(const std::string& entries, const std::string& rest) {
  return "name: c\n" + rest + "load_assignment: { cluster_name: c, endpoints: [" + entries + "] }\n";
}

std::string hosts(const std::vector<std::string>& addresses) {
  std::string list;
  for (const std::string& address : addresses) {
    list += (list.empty() ? "" : ", ") + host_at(address);
  }
  return "{ lb_endpoints: [" + list + "] }";
}

Reading reading_of(const std::string& text) {
  return read_envoy_texts({{"c.yaml", text}});
}

std::vector<std::string> codes(const std::string& text) {
  return test::codes_of(reading_of(text).diagnostics);
}

using Codes = std::vector<std::string>;

// The one problem of a text whose wrong part is marked.
std::string code_at_mark(const std::string& marked) {
  const test::Marked input = test::unmark(marked);
  const Reading reading = reading_of(input.text);
  INFO(input.text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.diagnostics.size() == 1);
  CHECK(reading.diagnostics.front().where.line == input.place.line);
  CHECK(reading.diagnostics.front().where.column == input.place.column);
  return reading.diagnostics.front().code;
}

std::string dns(const std::string& config, const std::string& name = "envoy.clusters.dns") {
  return "cluster_type: { name: " + name + ", typed_config: { " + extensions + "clusters.dns.v3.DnsCluster" +
         (config.empty() ? "" : ", " + config) + " } }\n";
}

std::string typed_message(const std::string& policy, const std::string& config) {
  return "{ policies: [{ typed_extension_config: { name: x, typed_config: { " + extensions +
         "load_balancing_policies." + policy + (config.empty() ? "" : ", " + config) + " } } }] }";
}

std::size_t hosts_read(const std::string& text) {
  const Reading reading = reading_of(text);
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  return reading.scenario->services[0].hosts.size();
}

}  // namespace

TEST_CASE("Metadata and transport socket matches of a cluster are accepted, as Envoy checks them", "[envoy]") {
  const std::string one = hosts({"10.0.0.1"});
  CHECK(codes(cluster_of(one,
                         "metadata: { filter_metadata: { envoy.lb: { a: [1, { b: null }] } }, "
                         "typed_filter_metadata: {} }\n"))
            .empty());
  const std::string tls_socket =
      "{ name: t, typed_config: { '@type': "
      "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext } }";
  CHECK(codes(cluster_of(one,
                         "transport_socket_matches: [{ name: a, match: { tls: true }, transport_socket: " + tls_socket +
                             " }, { name: a, transportSocket: " + tls_socket + " }]\ntransport_socket_matcher: {}\n"))
            .empty());
  CHECK(code_at_mark(cluster_of(one, "metadata: { filter_metadata: { a: «1» } }\n")) == "SP022");
  CHECK(code_at_mark(cluster_of(one, "metadata: { «x»: 1 }\n")) == "SP020");
  CHECK(code_at_mark(cluster_of(
            one, "transport_socket_matches: [«{» match: {}, transport_socket: " + tls_socket + " }]\n")) == "SP021");
  CHECK(code_at_mark(cluster_of(one, "transport_socket_matches: [«{» name: a, match: {} }]\n")) == "SP021");
}

TEST_CASE("Endpoints in fields that Envoy does not use are no hosts, with a warning", "[envoy]") {
  const std::string in_list = "load_balancer_endpoints: { lb_endpoints: [" + host_at("10.0.0.1") + "] }";
  CHECK(hosts_read(cluster_of("{ " + in_list + " }", "")) == 0);
  CHECK(hosts_read(cluster_of("{ " + in_list + " }, " + hosts({"10.0.0.2"}), "")) == 1);
  CHECK(hosts_read(cluster_of("{ " + in_list + ", lb_endpoints: [" + host_at("10.0.0.2") + "] }", "")) == 1);
  CHECK(codes(cluster_of("{ " + in_list + " }", "")) == Codes{"SP225"});
  CHECK(code_at_mark("name: c\nload_assignment: { cluster_name: c, «named_endpoints»: { a: {} }, endpoints: [" +
                     hosts({"10.0.0.2"}) + "] }\n") == "SP225");
  CHECK(code_at_mark(cluster_of("{ lb_endpoints: [{ «endpoint_name»: a }] }", "")) == "SP139");
}

TEST_CASE("A DNS cluster has a host for each name, like STRICT_DNS, or is like LOGICAL_DNS", "[envoy]") {
  const std::vector<std::string> names = {"a.example", "b.example"};
  CHECK(hosts_read(cluster_of(hosts(names), dns("dns_refresh_rate: 30s, respect_dns_ttl: true, dns_lookup_family: "
                                                "V4_PREFERRED"))) == 2);
  CHECK(codes(cluster_of(hosts(names), dns(""))) == Codes{"SP204"});
  CHECK(codes(cluster_of(hosts({"10.0.0.1"}), dns("", "any-name"))).empty());
  CHECK(codes(cluster_of(hosts({"a.example"}), dns("all_addresses_in_single_endpoint: true"))).empty());
  CHECK(codes(cluster_of(hosts(names), dns("all_addresses_in_single_endpoint: true"))) == Codes{"SP139"});
  CHECK(code_at_mark(cluster_of(hosts({"10.0.0.1"}), dns("dns_refresh_rate: «0s»"))) == "SP023");
  CHECK(code_at_mark(cluster_of(hosts({"10.0.0.1"}), dns("") + "lb_policy: «CLUSTER_PROVIDED»\n")) == "SP131");
  CHECK(code_at_mark(cluster_of(hosts({"10.0.0.1"}), dns("") + "«eds_cluster_config»: {}\n")) == "SP139");
  // Only a cluster whose `type` says STRICT_DNS may hash by hostname.
  CHECK(codes(cluster_of(hosts({"10.0.0.1"}), dns("") + "lb_policy: RING_HASH\ncommon_lb_config: "
                                                        "{ consistent_hashing_lb_config: { use_hostname_for_hashing: "
                                                        "true } }\n")) == Codes{"SP131"});
}

TEST_CASE("A cluster type without configuration goes by its name", "[envoy]") {
  CHECK(codes(cluster_of(hosts({"10.0.0.1"}), "cluster_type: { name: envoy.cluster.static }\n")).empty());
  CHECK(codes(cluster_of(hosts({"a.example"}), "cluster_type: { name: envoy.cluster.static }\n")) == Codes{"SP139"});
  CHECK(codes(cluster_of(hosts({"a.example"}), "cluster_type: { name: envoy.cluster.dns }\n")) == Codes{"SP204"});
  CHECK(codes(cluster_of(hosts({"a.example"}), "cluster_type: { name: envoy.cluster.logical_dns }\n")).empty());
  CHECK(code_at_mark(cluster_of(hosts({"10.0.0.1"}), "cluster_type: { name: «envoy.clusters.redis» }\n")) == "SP302");
}

TEST_CASE("Clusters whose requests name their hosts are read, and named as without a balancer", "[envoy]") {
  const std::string proxy = "cluster_type: { name: x, typed_config: { " + extensions +
                            "clusters.dynamic_forward_proxy.v3.ClusterConfig, dns_cache_config: { name: d } } }";
  CHECK(code_at_mark("name: c\n«cluster_type»" + proxy.substr(proxy.find(':')) + "\nlb_policy: CLUSTER_PROVIDED\n") ==
        "SP226");
  CHECK(codes("name: c\n" + proxy + "\n") == Codes{"SP131", "SP226"});
  CHECK(code_at_mark("name: c\n«type»: ORIGINAL_DST\nlb_policy: CLUSTER_PROVIDED\n") == "SP226");
}

TEST_CASE("Localities by weight over client-side weights are read, and nothing else below them", "[envoy]") {
  const std::string child = typed_message(
      "client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
      "enable_oob_load_report: true, oob_reporting_period: 5s, oob_reporting_config: { authority: a, port_value: "
      "9001 }, slow_start_config: { slow_start_window: 7s }");
  const auto policy = [](const std::string& of) {
    return cluster_of(
        "{ locality: { zone: a }, load_balancing_weight: 1, lb_endpoints: [" + host_at("10.0.0.1") + "] }",
        "load_balancing_policy: " + of + "\n");
  };
  const Reading reading =
      reading_of(policy(typed_message("wrr_locality.v3.WrrLocality", "endpoint_picking_policy: " + child)));
  INFO(documents::render_diagnostics(reading.diagnostics, reading.sources));
  REQUIRE(reading.scenario.has_value());
  CHECK(reading.diagnostics.empty());
  const envoy::Cluster& cluster = reading.scenario->services[0].cluster;
  CHECK(std::holds_alternative<config::LocalityWeightedLbConfig>(cluster.common_lb_config.locality_config_specifier));
  using envoy::policies::client_side_weighted_round_robin::Config;
  REQUIRE(std::holds_alternative<Config>(cluster.lb_policy));
  CHECK(std::get<Config>(cluster.lb_policy).slow_start_config.slow_start_window == std::chrono::seconds{7});
  CHECK(codes(policy(typed_message("wrr_locality.v3.WrrLocality", ""))) == Codes{"SP139"});
  CHECK(codes(policy(typed_message("wrr_locality.v3.WrrLocality",
                                   "endpoint_picking_policy: " + typed_message("round_robin.v3.RoundRobin", "")))) ==
        Codes{"SP139"});
  // Envoy 1.36 to 1.40 have none of these: their API does, or that of another proxy.
  CHECK(codes(policy(typed_message("random_subsetting.v3.RandomSubsetting", "subset_size: 2"))) == Codes{"SP130"});
  CHECK(codes(policy(typed_message("pick_first.v3.PickFirst", ""))) == Codes{"SP130"});
}

TEST_CASE("What is dropped is read as Envoy checks it", "[envoy]") {
  const auto drops = [](const std::string& list) {
    return "name: c\nload_assignment: { cluster_name: c, policy: { " + list + " }, endpoints: [] }\n";
  };
  const Reading reading = reading_of(
      drops("drop_overloads: [{ category: lb, dropPercentage: { numerator: 2500, denominator: TEN_THOUSAND } }]"));
  REQUIRE(reading.scenario.has_value());
  CHECK(reading.scenario->services[0].load_assignment.drop_overload.ratio() == 0.25);
  CHECK(code_at_mark(drops("drop_overloads: [«{» drop_percentage: { numerator: 1 } }]")) == "SP021");
  CHECK(code_at_mark(drops("«drop_overloads»: [{ category: a }, { category: b }]")) == "SP139");
  CHECK(code_at_mark(drops("drop_overloads: [{ category: a, drop_percentage: { numerator: «101» } }]")) == "SP139");
}

TEST_CASE("EDS keeps a repeated address where it is listed first, a static cluster keeps both", "[envoy]") {
  const std::string entries = "{ priority: 1, lb_endpoints: [" + host_at("10.0.0.1") + ", " + host_at("10.0.0.2") +
                              "] }, { priority: 0, lb_endpoints: [" + host_at("10.0.0.1") + ", " + host_at("10.0.0.3") +
                              "] }";
  const auto addresses = [&](const std::string& type) {
    const Reading reading = reading_of(cluster_of(entries, "type: " + type + "\n"));
    REQUIRE(reading.scenario.has_value());
    std::vector<std::vector<std::string>> by_entry;
    for (const auto& entry : reading.scenario->services[0].load_assignment.endpoints) {
      by_entry.emplace_back();
      for (const auto& endpoint : entry.lb_endpoints) {
        by_entry.back().push_back(endpoint.address);
      }
    }
    return by_entry;
  };
  using Lists = std::vector<std::vector<std::string>>;
  CHECK(addresses("EDS") == Lists{{"10.0.0.1:80", "10.0.0.2:80"}, {"10.0.0.3:80"}});
  CHECK(addresses("STATIC") == Lists{{"10.0.0.1:80", "10.0.0.2:80"}, {"10.0.0.1:80", "10.0.0.3:80"}});
}

TEST_CASE("Tables of an Envoy document that no machine has room for are refused, as those of a scenario are",
          "[envoy]") {
  const auto hashed = [](const std::string& policy) {
    return cluster_of(hosts({"10.0.0.1", "10.0.0.2"}), "load_balancing_policy: " + policy + "\n");
  };
  CHECK(codes(hashed(typed_message("maglev.v3.Maglev", "table_size: 2147483647"))) == Codes{"SP160"});
  CHECK(codes(hashed(typed_message("ring_hash.v3.RingHash",
                                   "minimum_ring_size: '1099511627776', maximum_ring_size: '2199023255552'"))) ==
        Codes{"SP160"});
  CHECK(codes(hashed(typed_message("maglev.v3.Maglev", "table_size: 65537"))).empty());
}

TEST_CASE("A cluster speaks HTTP/2 where it says so, and the newer options win over the older field", "[envoy]") {
  const auto speaks_http2 = [](const std::string& rest) {
    const Reading reading = reading_of(cluster_of(hosts({"10.0.0.1"}), rest));
    REQUIRE(reading.scenario.has_value());
    return reading.scenario->services[0].cluster.http2;
  };
  const auto options = [](const std::string& config) {
    return "typed_extension_protocol_options: { envoy.extensions.upstreams.http.v3.HttpProtocolOptions: { " +
           extensions + "upstreams.http.v3.HttpProtocolOptions, " + config + " } }\n";
  };
  CHECK_FALSE(speaks_http2(""));
  CHECK(speaks_http2("http2_protocol_options: {}\n"));
  CHECK(speaks_http2(options("explicit_http_config: { http2_protocol_options: { max_concurrent_streams: 100 } }")));
  CHECK_FALSE(speaks_http2(options("explicit_http_config: { http_protocol_options: {} }")));
  CHECK_FALSE(
      speaks_http2("http2_protocol_options: {}\n" + options("explicit_http_config: { http_protocol_options: {} }")));
}
