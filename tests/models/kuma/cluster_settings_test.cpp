// docs/behaviour/kuma.md 2 (the table of fields), 6 (steps 7 and 8) and 11, and Envoy's defaults where Kuma writes
// none.
#include "models/kuma/cluster_settings.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/envoy/cluster.hpp"
#include "models/kuma/envoy_cluster.hpp"
#include "tests/support/kuma_confs.hpp"

using namespace spillway;
using config::KumaProfile;
using kuma::DestinationModel;
using kuma::LbPolicy;

namespace {

kuma::ClusterSettings settings_of(const kuma::Conf& conf) {
  return kuma::cluster_settings(conf, test::client("zone-1"), DestinationModel::mesh_service);
}

// Every body at once: only that of the type counts.
kuma::Conf with_bodies(const std::string& type) {
  kuma::Conf conf = test::balancer(type);
  conf.loadBalancer->leastRequest = kuma::LeastRequest{5U, kuma::IntOrString("1.5")};
  conf.loadBalancer->ringHash = kuma::RingHash{"MurmurHash2", 7U, 9U, {}};
  conf.loadBalancer->maglev = kuma::Maglev{11U, {}};
  return conf;
}

envoy::Cluster cluster_of(const kuma::Conf& conf) {
  envoy::Cluster cluster;
  kuma::apply(settings_of(conf), cluster);
  return cluster;
}

std::vector<kuma::HashPolicy> header_policy(const std::string& name) {
  return {{.type = "Header", .header = kuma::Header{name}}};
}

}  // namespace

TEST_CASE("each type of balancer takes its own body and Envoy's name") {
  const auto least = settings_of(with_bodies("LeastRequest"));
  CHECK(least == kuma::ClusterSettings{.lb_policy = LbPolicy::least_request,
                                       .least_request_lb_config = kuma::LeastRequestLbConfig{5U, 1.5}});
  const auto ring = settings_of(with_bodies("RingHash"));
  CHECK(ring == kuma::ClusterSettings{
                    .lb_policy = LbPolicy::ring_hash,
                    .ring_hash_lb_config = kuma::RingHashLbConfig{7U, 9U, kuma::HashFunction::murmur_hash_2}});
  const auto maglev = settings_of(with_bodies("Maglev"));
  CHECK(maglev == kuma::ClusterSettings{.lb_policy = LbPolicy::maglev, .maglev_lb_config = kuma::MaglevLbConfig{11U}});
  CHECK(settings_of(with_bodies("Random")) == kuma::ClusterSettings{.lb_policy = LbPolicy::random});
  CHECK(settings_of(with_bodies("RoundRobin")) == kuma::ClusterSettings{});
  CHECK(settings_of(kuma::Conf{}) == kuma::ClusterSettings{});
  kuma::Conf xx = test::balancer("RingHash");
  xx.loadBalancer->ringHash.emplace().hashFunction = "XXHash";
  CHECK(settings_of(xx).ring_hash_lb_config->hash_function == kuma::HashFunction::xx_hash);
  CHECK_FALSE(settings_of(test::balancer("RingHash")).ring_hash_lb_config);
  const std::vector<std::pair<LbPolicy, std::string>> names = {{LbPolicy::round_robin, "ROUND_ROBIN"},
                                                               {LbPolicy::least_request, "LEAST_REQUEST"},
                                                               {LbPolicy::ring_hash, "RING_HASH"},
                                                               {LbPolicy::random, "RANDOM"},
                                                               {LbPolicy::maglev, "MAGLEV"}};
  for (const auto& [policy, name] : names) {
    CHECK(kuma::envoy_name(policy) == name);
  }
}

TEST_CASE("localities are weighted if there are affinity tags, but for a zone proxy's egress") {
  const auto tags = test::local_zone({test::tag("node")});
  CHECK(settings_of(tags).locality_weighted);
  CHECK_FALSE(settings_of(test::local_zone()).locality_weighted);
  CHECK_FALSE(settings_of(test::cross_zone({})).locality_weighted);
  CHECK_FALSE(settings_of(test::disabled(false)).locality_weighted);
  kuma::Conf absent;
  absent.localityAwareness.emplace().localZone.emplace();
  CHECK_FALSE(settings_of(absent).locality_weighted);
  CHECK(std::holds_alternative<config::LocalityWeightedLbConfig>(
      cluster_of(tags).common_lb_config.locality_config_specifier));
  CHECK(std::holds_alternative<config::ZoneAwareLbConfig>(
      cluster_of(test::local_zone()).common_lb_config.locality_config_specifier));
}

TEST_CASE("an egress of 2.14 takes settings for external services alone") {
  const kuma::Client egress{.zone = "zone-1", .role = kuma::ProxyRole::zone_egress};
  const auto conf = test::balancer("Random");
  CHECK(kuma::cluster_settings(conf, egress, DestinationModel::mesh_external_service).lb_policy == LbPolicy::random);
  for (const auto model :
       {DestinationModel::tag, DestinationModel::mesh_service, DestinationModel::mesh_multi_zone_service}) {
    CHECK(kuma::cluster_settings(conf, egress, model) == kuma::ClusterSettings{});
    CHECK(kuma::cluster_settings(conf, test::client("zone-1"), model).lb_policy == LbPolicy::random);
  }
  CHECK(kuma::cluster_settings(std::nullopt, egress, DestinationModel::mesh_external_service) ==
        kuma::ClusterSettings{});
}

TEST_CASE("what Kuma does not write is Envoy's default") {
  namespace policies = envoy::policies;
  const auto least = std::get<policies::least_request::Config>(cluster_of(test::balancer("LeastRequest")).lb_policy);
  CHECK(least.choice_count == 2);
  CHECK(least.active_request_bias == 1.0);
  const auto given = std::get<policies::least_request::Config>(cluster_of(with_bodies("LeastRequest")).lb_policy);
  CHECK(given.choice_count == 5);
  CHECK(given.active_request_bias == 1.5);
  const auto ring = std::get<policies::ring_hash::Config>(cluster_of(test::balancer("RingHash")).lb_policy);
  CHECK(ring.minimum_ring_size == 1024);
  CHECK(ring.maximum_ring_size == 8388608);
  CHECK_FALSE(ring.hash_function);  // Envoy's own default is XX_HASH
  const auto murmur = std::get<policies::ring_hash::Config>(cluster_of(with_bodies("RingHash")).lb_policy);
  CHECK(murmur.minimum_ring_size == 7);
  CHECK(murmur.maximum_ring_size == 9);
  CHECK(murmur.hash_function == policies::ring_hash::HashFunction::murmur_hash_2);
  CHECK(std::get<policies::maglev::Config>(cluster_of(test::balancer("Maglev")).lb_policy).table_size == 65537);
  CHECK(std::get<policies::maglev::Config>(cluster_of(with_bodies("Maglev")).lb_policy).table_size == 11);
  CHECK(std::holds_alternative<policies::random::Config>(cluster_of(test::balancer("Random")).lb_policy));
  CHECK(std::holds_alternative<policies::round_robin::Config>(cluster_of(test::balancer("RoundRobin")).lb_policy));
}

TEST_CASE("hash policies inside a balancer count in 2.14, for its type, where none stand outside") {
  kuma::Conf conf = with_bodies("RingHash");
  conf.loadBalancer->ringHash->hashPolicies = header_policy("ring");
  conf.loadBalancer->maglev->hashPolicies = header_policy("maglev");
  const auto release = [](const kuma::Conf& of) { return kuma::hash_policies(of, KumaProfile::release_2_14); };
  CHECK(release(conf) == header_policy("ring"));
  conf.loadBalancer->type = "Maglev";
  CHECK(release(conf) == header_policy("maglev"));
  CHECK_FALSE(kuma::hash_policies(conf, KumaProfile::head));
  for (const std::string type : {"Random", "LeastRequest", "RoundRobin"}) {
    conf.loadBalancer->type = type;
    CHECK_FALSE(release(conf));
  }
  conf.hashPolicies = header_policy("outer");
  conf.loadBalancer->type = "RingHash";
  CHECK(release(conf) == header_policy("outer"));
  CHECK(kuma::hash_policies(conf, KumaProfile::head) == header_policy("outer"));
  CHECK_FALSE(release(test::balancer("RingHash")));
  CHECK_FALSE(release(test::balancer("Maglev")));
  const std::vector<std::optional<kuma::Conf>> confs = {std::nullopt, conf, kuma::Conf{}};
  CHECK(kuma::hash_policies(confs, KumaProfile::head) == header_policy("outer"));
  CHECK_FALSE(kuma::hash_policies(std::vector<std::optional<kuma::Conf>>{std::nullopt}, KumaProfile::head));
}

TEST_CASE("which requests make a hash") {
  const kuma::HashedRequest request{.headers = {{"x-user", "1"}},
                                    .cookies = {{"c", "1"}},
                                    .query_parameters = {{"q", "1"}},
                                    .filter_state = {{"f", "1"}}};
  const auto hashes = [](const kuma::HashPolicy& policy, const kuma::HashedRequest& of) {
    return kuma::makes_hash(std::vector{policy}, of);
  };
  const std::vector<kuma::HashPolicy> found = {{.type = "Header", .header = kuma::Header{"X-User"}},
                                               {.type = "Cookie", .cookie = kuma::Cookie{"c", {}, {}}},
                                               {.type = "Cookie", .cookie = kuma::Cookie{"new", "1h", {}}},
                                               {.type = "Connection", .connection = kuma::Connection{true}},
                                               {.type = "SourceIP", .connection = kuma::Connection{true}},
                                               {.type = "QueryParameter", .queryParameter = kuma::QueryParameter{"q"}},
                                               {.type = "FilterState", .filterState = kuma::FilterState{"f"}}};
  const std::vector<kuma::HashPolicy> missing = {
      {.type = "Header", .header = kuma::Header{"X-Other"}},
      {.type = "Header", .header = kuma::Header{}},
      {.type = "Header"},
      {.type = "Cookie", .cookie = kuma::Cookie{"new", {}, {}}},
      {.type = "Cookie"},
      {.type = "Connection", .connection = kuma::Connection{false}},
      {.type = "Connection", .connection = kuma::Connection{}},
      {.type = "Connection"},
      {.type = "QueryParameter", .queryParameter = kuma::QueryParameter{"other"}},
      {.type = "QueryParameter"},
      {.type = "FilterState", .filterState = kuma::FilterState{"other"}},
      {.type = "FilterState"},
      {.type = "Other", .filterState = kuma::FilterState{"f"}}};
  for (const kuma::HashPolicy& policy : found) {
    INFO(*policy.type);
    CHECK(hashes(policy, request));
  }
  for (const kuma::HashPolicy& policy : missing) {
    INFO(*policy.type);
    CHECK_FALSE(hashes(policy, request));
  }
  CHECK_FALSE(hashes(found[3], {.has_source_ip = false}));
  CHECK(kuma::makes_hash(std::vector{missing[0], found[0]}, request));
}

TEST_CASE("Kuma's hash policies are Envoy's, field by field") {
  namespace routes = envoy::routes;
  const auto made = [](const kuma::HashPolicy& policy) { return kuma::to_envoy(policy); };
  const auto header = made({.type = "Header", .terminal = true, .header = kuma::Header{"h"}});
  CHECK(std::get<routes::HeaderHash>(header.policy_specifier).header_name == "h");
  CHECK(header.terminal);
  const auto cookie = made({.type = "Cookie", .cookie = kuma::Cookie{"c", "1h", "/p"}});
  CHECK_FALSE(cookie.terminal);
  CHECK(std::get<routes::CookieHash>(cookie.policy_specifier).name == "c");
  CHECK(std::get<routes::CookieHash>(cookie.policy_specifier).path == "/p");
  CHECK(std::get<routes::CookieHash>(cookie.policy_specifier).ttl_seconds.has_value());
  const auto kept = made({.type = "Cookie", .cookie = kuma::Cookie{"c", {}, {}}});
  CHECK_FALSE(std::get<routes::CookieHash>(kept.policy_specifier).ttl_seconds.has_value());
  const auto query = made({.type = "QueryParameter", .queryParameter = kuma::QueryParameter{"q"}});
  CHECK(std::get<routes::QueryParameterHash>(query.policy_specifier).name == "q");
  const auto state = made({.type = "FilterState", .filterState = kuma::FilterState{"f"}});
  CHECK(std::get<routes::FilterStateHash>(state.policy_specifier).key == "f");
  const auto source = [&](const kuma::HashPolicy& policy) {
    return std::get<routes::ConnectionPropertiesHash>(made(policy).policy_specifier).source_ip;
  };
  CHECK(source({.type = "Connection", .connection = kuma::Connection{true}}));
  CHECK_FALSE(source({.type = "Connection", .connection = kuma::Connection{false}}));
  CHECK_FALSE(source({.type = "Connection"}));
}
