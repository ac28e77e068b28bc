// What admission says of ServiceEntries beside the addresses of their endpoints. Expected: docs/behaviour/istio.md 11;
// istiod's pkg/config/validation/validation.go (ValidateServiceEntry).
#include <catch2/catch.hpp>
#include <string>

#include "models/istio/validation.hpp"
#include "tests/models/istio/findings.hpp"

namespace spillway::istio {

namespace {

using EntryLines = test::Lines;

ServiceEntry entry_of_dns() {
  ServiceEntry entry;
  entry.hosts = {"a.example"};
  entry.ports = {{.number = 80, .name = "http", .protocol = "HTTP"}};
  entry.resolution = EntryResolution::dns;
  return entry;
}

EntryLines lines_with(void (*change)(ServiceEntry&)) {
  ServiceEntry entry = entry_of_dns();
  change(entry);
  return test::lines_of(validate(entry));
}

}  // namespace

TEST_CASE("istio admission: a service entry has hosts that are domains") {
  CHECK(lines_with([](ServiceEntry&) {}).empty());
  CHECK(lines_with([](ServiceEntry& entry) { entry.hosts.clear(); }) ==
        EntryLines{"refused entry-without-hosts at spec"});
  CHECK(lines_with([](ServiceEntry& entry) {
          entry.hosts = {"a.example", "*", "b_c"};
          entry.resolution = EntryResolution::none;
        }) == EntryLines{"refused host-name at spec.hosts[1]", "refused host-name at spec.hosts[2]"});
}

TEST_CASE("istio admission: hosts that are looked up have no wildcards, unless there are endpoints") {
  CHECK(lines_with([](ServiceEntry& entry) { entry.hosts = {"*.example"}; }) ==
        EntryLines{"refused wildcard-without-endpoints at spec.hosts"});
  CHECK(lines_with([](ServiceEntry& entry) {
          entry.hosts = {"*.example"};
          entry.endpoints = {{.address = "b.example"}};
        }).empty());
}

TEST_CASE("istio admission: ports of a service entry differ in name and number and have known protocols") {
  CHECK(lines_with([](ServiceEntry& entry) {
          entry.ports.push_back({.number = 80, .name = "other", .protocol = "grpc-Web"});
        }) == EntryLines{"refused port-twice at spec.ports[1].number"});
  CHECK(lines_with([](ServiceEntry& entry) { entry.ports.push_back({.number = 81, .name = "http"}); }) ==
        EntryLines{"refused port-twice at spec.ports[1].name"});
  CHECK(lines_with([](ServiceEntry& entry) { entry.ports[0].protocol = "FOO"; }) ==
        EntryLines{"refused port-protocol at spec.ports[0].protocol"});
  CHECK(lines_with([](ServiceEntry& entry) { entry.ports[0] = {.number = 0, .name = "a_b", .targetPort = 70'000}; }) ==
        EntryLines{"refused port-number at spec.ports[0].targetPort", "refused port-name at spec.ports[0].name",
                   "refused port-number at spec.ports[0].number"});
}

TEST_CASE("istio admission: endpoints of a service entry have its ports, labels and an address") {
  CHECK(lines_with([](ServiceEntry& entry) {
          entry.endpoints = {{.address = "b.example", .ports = {{"http", 8080}}, .labels = {{"v", "1"}}}};
        }).empty());
  CHECK(lines_with([](ServiceEntry& entry) {
          entry.endpoints = {{.address = "b_c", .ports = {{"grpc", 0}}, .labels = {{"v", "-"}}}};
        }) == EntryLines{"refused endpoint-address at spec.endpoints[0].address",
                         "refused endpoint-port at spec.endpoints[0].ports",
                         "refused port-number at spec.endpoints[0].ports",
                         "refused label-value at spec.endpoints[0].labels"});
}

TEST_CASE("istio admission: a service entry selects workloads or lists endpoints") {
  CHECK(lines_with([](ServiceEntry& entry) { entry.workloadSelector = Labels{{"app", "a"}}; }).empty());
  CHECK(lines_with([](ServiceEntry& entry) {
          entry.workloadSelector = Labels{{"app", "a"}};
          entry.endpoints = {{.address = "b.example"}};
        }) == EntryLines{"refused selector-and-endpoints at spec.endpoints"});
  // A bad selector is all that is told.
  CHECK(lines_with([](ServiceEntry& entry) {
          entry.workloadSelector = Labels{{"app", "*"}};
          entry.hosts.clear();
        }) == EntryLines{"refused selector-wildcard at spec.workloadSelector"});
}

TEST_CASE("istio admission: several hosts need a protocol that tells them apart") {
  const auto with = [](const char* protocol, EntryResolution resolution) {
    ServiceEntry entry = entry_of_dns();
    entry.hosts = {"a.example", "b.example"};
    entry.ports[0].protocol = protocol;
    entry.resolution = resolution;
    return test::lines_of(validate(entry));
  };
  const EntryLines refused = {"refused hosts-of-tcp at spec.hosts"};
  CHECK(with("HTTP", EntryResolution::dns).empty());
  CHECK(with("TLS", EntryResolution::dns).empty());
  CHECK(with("TCP", EntryResolution::dns) == refused);
  CHECK(with("", EntryResolution::static_addresses) == refused);
  CHECK(with("TCP", EntryResolution::none).empty());
}

TEST_CASE("istio admission: a service entry may be exported to nobody, but not to somebody too") {
  CHECK(lines_with([](ServiceEntry& entry) { entry.exportTo = {"~"}; }).empty());
  CHECK(lines_with([](ServiceEntry& entry) { entry.exportTo = {"~", "x"}; }) ==
        EntryLines{"refused export-to-none-and-more at spec.exportTo"});
}

}  // namespace spillway::istio
