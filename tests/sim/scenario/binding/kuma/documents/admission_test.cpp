// Every row of the table of admission (docs/behaviour/kuma.md 2): Kuma's own words, at the place in the file of the
// field that they name. The expected words are those of the table.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/sim/scenario/binding/kuma/documents/checked.hpp"

using namespace spillway;
using namespace spillway::scenario;
using test::KumaProfile;
using test::strategy;
using test::strategy_to;

namespace {

enum class In : std::uint8_t { both, release, head };

struct Row {
  In profiles;
  std::string marked;
  std::string message;
};

void check_row(const Row& row) {
  for (const KumaProfile profile : {KumaProfile::release_2_14, KumaProfile::head}) {
    const In own = profile == KumaProfile::head ? In::head : In::release;
    if (row.profiles == In::both || row.profiles == own) {
      INFO((profile == KumaProfile::head ? "head" : "2.14"));
      CHECK(test::the_only_document_problem(row.marked, "SP601", profile).label == row.message);
    }
  }
}

std::string mesh(const std::string& conf) {
  return strategy_to("{ kind: Mesh }", conf);
}
std::string awareness(const std::string& sections) {
  return mesh("{ localityAwareness: { " + sections + " } }");
}
std::string rule(const std::string& rule) {
  return awareness("crossZone: { failover: [" + rule + "] }");
}
std::string balancer(const std::string& fields) {
  return mesh("{ loadBalancer: { " + fields + " } }");
}
std::string hash(const std::string& fields) {
  return mesh("{ hashPolicies: [{ " + fields + " }] }");
}
std::string top(const std::string& target) {
  return strategy("{ targetRef: " + target + ", to: [] }");
}
std::string to(const std::string& target) {
  return strategy_to(target, "{}");
}

const std::string release_kinds =
    "in body should be one of [Mesh MeshSubset MeshGateway MeshService MeshExternalService MeshMultiZoneService "
    "MeshServiceSubset MeshHTTPRoute Dataplane]";

}  // namespace

TEST_CASE("A targetRef at the top is admitted as Kuma admits it", "[kuma]") {
  const std::vector<Row> rows = {
      {In::release, top("{ kind: «MeshHTTPRoute», name: r }"), "value 'MeshHTTPRoute' is not supported"},
      {In::release, top("{ kind: «Planet» }"), release_kinds},
      {In::head, top("{ kind: «MeshSubset» }"), "in body should be one of [Mesh Dataplane]"},
      {In::both, top("{ kind: Mesh, «labels»: { a: b } }"), "must not be set with kind Mesh"},
      {In::both, top("{ kind: Mesh, sectionName: «s» }"), "must not be set with kind Mesh"},
      {In::release, top("{ kind: Mesh, name: «n» }"), "using name with kind Mesh is not yet supported"},
      {In::release, top("{ kind: Mesh, mesh: «m» }"), "must not be set with kind Mesh"},
      {In::release, top("{ kind: Mesh, «tags»: { a: b } }"), "must not be set with kind Mesh"},
      {In::release, top("{ kind: Mesh, namespace: «n» }"), "must not be set with kind Mesh"},
      {In::both, top("{ kind: Dataplane, sectionName: «s» }"), "can only be used with inbound policies"},
  };
  for (const Row& row : rows) {
    check_row(row);
  }
}

TEST_CASE("A targetRef in `to` is admitted as Kuma admits it", "[kuma]") {
  const std::vector<Row> rows = {
      {In::release, to("{ kind: «Dataplane» }"), "value 'Dataplane' is not supported"},
      {In::release, to("{ kind: «MeshExternalService», name: e }"), "value 'MeshExternalService' is not supported"},
      {In::head, to("{ kind: «Dataplane» }"),
       "in body should be one of [Mesh MeshService MeshExternalService MeshMultiZoneService MeshHTTPRoute]"},
      {In::release,
       strategy("{ targetRef: { kind: MeshGateway, name: g }, to: [{ targetRef: { kind: «MeshService», name: b }, "
                "default: { loadBalancer: { type: Random } } }] }"),
       "value 'MeshGateway' is not supported, only Mesh is allowed if loadBalancer is set"},
      {In::head, strategy("{ to: [{ «targetRef»: { kind: MeshService } }] }"), "must be set when kind is MeshService"},
      {In::head, strategy("{ to: [{ «targetRef»: { kind: MeshHTTPRoute } }] }"),
       "must be set when kind is MeshHTTPRoute"},
      {In::head, strategy("{ to: [{ «targetRef»: { kind: MeshExternalService } }] }"),
       "must be set when kind is MeshExternalService"},
      {In::head, strategy("{ to: [{ «targetRef»: { kind: MeshMultiZoneService } }] }"),
       "must be set when kind is MeshMultiZoneService"},
      {In::release, strategy("{ to: [{ «targetRef»: { kind: MeshService } }] }"),
       "name or labels must be set when kind is MeshService"},
      {In::release, strategy("{ to: [{ «targetRef»: { kind: MeshHTTPRoute } }] }"),
       "name or labels must be set when kind is MeshHTTPRoute"},
      {In::release, to("{ kind: MeshService, name: b, «labels»: { a: b } }"),
       "either labels or name and namespace must be specified"},
      {In::release, to("{ kind: MeshHTTPRoute, name: b, «labels»: { a: b } }"),
       "either labels or name and namespace must be specified"},
      {In::both, strategy("{ to: [«{» default: {} }] }"), "in body is required"},
  };
  for (const Row& row : rows) {
    check_row(row);
  }
  test::clean_documents(to("{ kind: MeshMultiZoneService }"));
}

TEST_CASE("Affinity tags are admitted as Kuma admits them", "[kuma]") {
  const auto tags = [](const std::string& list) { return awareness("localZone: { affinityTags: [" + list + "] }"); };
  check_row({In::both, tags("{ key: «\"\"» }"), "must not be empty"});
  check_row({In::both, tags("«{» weight: 1 }"), "in body is required"});
  check_row({In::both, tags("{ key: a, weight: «0» }"), "must be greater than 0"});
  check_row({In::both, awareness("localZone: { «affinityTags»: [{ key: a, weight: 9 }, { key: b }] }"),
             "all or none affinity tags should have weight"});
  check_row({In::both, tags("{ key: a, weight: «2147483648» }"),
             "Checked value must be of type integer with format int32 in "
             "spec.to[0].default.localityAwareness.localZone.affinityTags[0].weight"});
}

TEST_CASE("Failover is admitted as Kuma admits it", "[kuma]") {
  const std::string labels = "{ kind: MeshService, labels: { a: b } }";
  const std::string conf = "{ localityAwareness: { «crossZone»: {} } }";
  const std::vector<Row> rows = {
      {In::both, strategy_to(labels, conf), "must not be set: MeshService traffic is local"},
      {In::release, strategy_to("{ kind: MeshService, name: b, sectionName: http }", conf),
       "must not be set: MeshService traffic is local"},
      {In::both, rule("{ from: { «zones»: [] }, to: { type: Any } }"), "must not be empty"},
      {In::both, rule("{ «from»: {}, to: { type: Any } }"), "in body is required"},
      {In::both, rule("{ from: { zones: [a, «\"\"»] }, to: { type: Any } }"), "must not be empty"},
      {In::both, rule("{ to: { type: Any, «zones»: [zone-1] } }"), "must be empty when type is Any"},
      {In::both, rule("{ to: { type: None, «zones»: [zone-1] } }"), "must be empty when type is None"},
      {In::both, rule("{ «to»: { type: Only } }"), "must not be empty when type is Only"},
      {In::both, rule("{ to: { type: AnyExcept, «zones»: [] } }"), "must not be empty when type is AnyExcept"},
      {In::both, rule("{ to: { type: «All» } }"), "in body should be one of [None Only Any AnyExcept]"},
      {In::both, rule("«{» from: { zones: [zone-1] } }"), "in body is required"},
  };
  for (const Row& row : rows) {
    check_row(row);
  }
}

TEST_CASE("Thresholds and biases are admitted as Kuma admits them", "[kuma]") {
  const auto threshold = [](const std::string& percentage) {
    return awareness("crossZone: { failoverThreshold: { percentage: " + percentage + " } }");
  };
  const std::string range = "must be in inclusive range [0.0, 100.0]";
  check_row({In::both, threshold("«hello»"), "string must be a valid number"});
  check_row({In::both, threshold("«5%»"), "string must be a valid number"});
  check_row({In::both, threshold("«-1»"), range});
  check_row({In::both, threshold("«101»"), range});
  check_row({In::both, threshold("«\"100.5\"»"), range});
  check_row({In::both, threshold("«0»"), "must be greater than 0"});
  check_row({In::both, balancer("type: LeastRequest, leastRequest: { activeRequestBias: «-1» }"),
             "must be greater or equal then: 0"});
  check_row({In::both, balancer("type: LeastRequest, leastRequest: { activeRequestBias: «much» }"),
             "string must be a valid number"});
}

TEST_CASE("Balancers are admitted as Kuma admits them", "[kuma]") {
  check_row({In::both, balancer("type: «Fastest»"),
             "in body should be one of [RoundRobin LeastRequest RingHash Random Maglev]"});
  check_row({In::both, mesh("{ «loadBalancer»: {} }"), "in body is required"});
  check_row({In::both, balancer("type: LeastRequest, leastRequest: { choiceCount: «1» }"),
             "in body should be greater than or equal to 2"});
  check_row({In::both, balancer("type: RingHash, ringHash: { minRingSize: «0» }"),
             "in body should be greater than or equal to 1"});
  check_row({In::both, balancer("type: RingHash, ringHash: { maxRingSize: «8000001» }"),
             "in body should be less than or equal to 8000000"});
  check_row({In::both, balancer("type: RingHash, ringHash: { hashFunction: «MD5» }"),
             "in body should be one of [XXHash MurmurHash2]"});
  check_row({In::both, balancer("type: Maglev, maglev: { tableSize: «5000012» }"),
             "in body should be less than or equal to 5000011"});
}

TEST_CASE("Hash policies are admitted as Kuma admits them", "[kuma]") {
  const std::vector<Row> rows = {
      {In::both, mesh("{ hashPolicies: [«{» type: Header }] }"), "must be defined"},
      {In::both, mesh("{ hashPolicies: [«{» type: Cookie }] }"), "must be defined"},
      {In::both, mesh("{ hashPolicies: [«{» type: Connection }] }"), "must be defined"},
      {In::both, mesh("{ hashPolicies: [«{» type: QueryParameter }] }"), "must be defined"},
      {In::both, mesh("{ hashPolicies: [«{» type: FilterState }] }"), "must be defined"},
      {In::release, mesh("{ hashPolicies: [«{» type: SourceIP }] }"), "must be defined"},
      {In::both, hash("type: Cookie, cookie: { name: c, path: «shop» }"), "must be an absolute path"},
      {In::both, hash("type: Header, header: { name: «\"\"» }"), "in body should be at least 1 chars long"},
      {In::head, hash("type: «SourceIP», connection: {}"),
       "in body should be one of [Header Cookie Connection QueryParameter FilterState]"},
      {In::release, hash("type: «Body»"),
       "in body should be one of [Header Cookie Connection SourceIP QueryParameter FilterState]"},
      {In::release, mesh("{ hashPolicies: [], loadBalancer: { type: RingHash, ringHash: { «hashPolicies»: [] } } }"),
       "hashPolicies already specified in the root level"},
      {In::release, mesh("{ hashPolicies: [], loadBalancer: { type: Maglev, maglev: { «hashPolicies»: [] } } }"),
       "hashPolicies already specified in the root level"},
  };
  for (const Row& row : rows) {
    check_row(row);
  }
}

TEST_CASE("Of a MeshHTTPRoute only hash policies are admitted", "[kuma]") {
  const std::string message =
      "field is not allowed when targetRef.kind is MeshHTTPRoute, only hashPolicies is supported";
  const std::string route = "{ kind: MeshHTTPRoute, labels: { a: b } }";
  check_row({In::both, strategy_to(route, "{ «loadBalancer»: { type: Random } }"), message});
  check_row({In::both, strategy_to(route, "{ «localityAwareness»: {} }"), message});
}
