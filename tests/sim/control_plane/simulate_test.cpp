// Small control planes, worked out by hand from the rules of sim/control_plane/simulate.hpp.
#include "sim/control_plane/simulate.hpp"

#include <catch2/catch.hpp>

#include "tests/sim/control_plane/planes.hpp"

using namespace std::chrono_literals;
using spillway::control_plane::SettingResults;
using spillway::scenario::AssignmentSharing;
using spillway::scenario::ControlPlaneSetting;
using spillway::scenario::MeshChange;
using spillway::scenario::Ramp;

TEST_CASE("A proxy alone waits for nothing: its latency is work over speed", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(1, 1, 0);
  setting.cost.generation = 10ms;
  setting.cost.service = 5ms;  // there is one
  const SettingResults results = test::simulated(setting);
  CHECK(results.counts.generations == 1);
  CHECK(results.counts.changed == 1);
  CHECK(results.samples[1].latency.p50 == Approx(0.015));
  CHECK(results.samples[1].latency.p99 == Approx(0.015));
  CHECK(!results.samples[0].latency.p50);  // it is examined a second after it has joined, and then there is work
  setting.speed = 3.0;
  CHECK(test::simulated(setting).samples[1].latency.p50 == Approx(0.005));
}

TEST_CASE("Configurations that are due at once share the cores", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(10, 1, 0);
  setting.cores = 4;
  setting.cost.generation = 10ms;
  // Ten pieces of 10 ms on four cores: all end after 25 ms.
  const SettingResults alike = test::simulated(setting);
  CHECK(alike.counts.changed == 10);
  CHECK(alike.samples[1].latency.p50 == Approx(0.025));
  CHECK(alike.samples[1].latency.p99 == Approx(0.025));
  setting.cores = 10;
  CHECK(test::simulated(setting).samples[1].latency.p99 == Approx(0.01));
}

TEST_CASE("Who comes later ends later, and those before are slowed down", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(2, 1, 0);
  setting.cores = 1;
  setting.join = {0s, 40ms};
  setting.cost.generation = 60ms;
  // Alone for 40 ms, then both: the first has 20 ms left, which take 40; the second 60, of which 20 are done by then.
  const SettingResults results = test::simulated(setting);
  CHECK(results.samples[1].latency.p50 == Approx(0.08));
  CHECK(results.samples[1].latency.p99 == Approx(0.08));
}

TEST_CASE("Who asks while the mesh's context is made waits for it", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(2, 1, 0);
  setting.join = {0s, 50ms};
  setting.cost.mesh_context = 100ms;  // of two resources: from 1 s to 1.2 s, and the second tick is at 1.05 s
  const SettingResults results = test::simulated(setting);
  CHECK(results.samples[1].latency.p50 == Approx(0.15));
  CHECK(results.samples[1].latency.p99 == Approx(0.2));
}

TEST_CASE("A context serves for the expiration time, and no proxy sees what is newer", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(2, 1, 0);
  setting.join = {0s, 500ms};
  setting.cache_expiration = 3s;
  const SettingResults results = test::simulated(setting);
  // The first asks at 1 s, when both have joined; the second at 1.5 s, of the same context.
  CHECK(results.counts.generations == 2);
  setting.join = {0s, 1100ms};
  // The context of 1 s lacks the second, which has nothing to do with the first: it is generated all the same, of the
  // context that serves, and again by the next one; that makes the first's anew too, and changes neither.
  const SettingResults late = test::simulated(setting);
  CHECK(late.counts.generations == 4);
  CHECK(late.counts.changed == 2);
}

TEST_CASE("A tick during an examination is kept, and only one of them", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(1, 1, 0);
  setting.cost.generation = 3500ms;
  setting.changes = {{1500ms, MeshChange::What::dataplane}};
  // Generated from 1 s to 4.5 s; the tick of 2 s is kept, those of 3 s and 4 s are lost; generated again until 8 s, by
  // a change that changes nothing.
  const SettingResults results = test::simulated(setting, 12s);
  CHECK(results.counts.generations == 2);
  CHECK(results.counts.changed == 1);
  CHECK(results.samples[10].latency.p99 == Approx(3.5));
}

TEST_CASE("A change of the mesh makes all configurations anew; those whom it concerns change", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(4, 2, 0);
  setting.changes = {{5s, MeshChange::What::dataplane}};
  const SettingResults touched = test::simulated(setting);
  CHECK(touched.counts.generations == 16);
  CHECK(touched.counts.changed == 8);
  setting.changes = {{5s, MeshChange::What::mesh_policy}};
  const SettingResults policy = test::simulated(setting);
  CHECK(policy.counts.generations == 16);
  CHECK(policy.counts.changed == 16);
  setting.changes = {};
  setting.leave = Ramp{10s, 10s};
  CHECK(test::simulated(setting).counts.generations == 8);
}

TEST_CASE("Those who ask for a service change when it gets another instance, and nobody else", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(2, 2, 1);
  setting.join = {0s, 9s};  // at 0, 3, 6 and 9 s: two of the first service, two of the second
  const SettingResults results = test::simulated(setting);
  CHECK(results.counts.proxies == 4);
  // Four are the first of a proxy; both of the first service change with each instance of the second.
  CHECK(results.counts.changed == 4 + 2 + 2);
  // All who are there are examined anew after each: 1, 2, 3 and 4 of them.
  CHECK(results.counts.generations == 1 + 2 + 3 + 4);
}

TEST_CASE("The cache's hits and misses of two services are those counted by hand", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(2, 3, 1);
  const SettingResults at_once = test::simulated(setting);
  CHECK(at_once.counts.asked == 6);
  CHECK(at_once.counts.made == 2);
  // The first service's instances ask at 1.0, 1.2 and 1.4 s for the second's assignment, which expires after 0.3 s; the
  // second's at 1.6, 1.8 and 2.0 s for the first's.
  setting.join = {0s, 1s};
  setting.cache_expiration = 300ms;
  const SettingResults apart = test::simulated(setting);
  CHECK(apart.counts.asked == 6);
  CHECK(apart.counts.made == 4);
  setting.sharing = AssignmentSharing::shared_object;
  CHECK(test::simulated(setting).counts.made == 4);
  setting.sharing = AssignmentSharing::none;
  CHECK(test::simulated(setting).counts.made == 6);
}

TEST_CASE("Clients that a policy tells apart share nothing by reusable keys", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(3, 2, 2);
  setting.policies.push_back({0.5, {}});
  setting.policies[0].conf.localityAwareness.emplace().localZone.emplace();
  // The policy is that of the first and third service. Those of the second are asked for by both kinds alike; the
  // first's and the third's by a kind each of its own and by the second.
  CHECK(test::simulated(setting).counts.made == 5);
  setting.sharing = AssignmentSharing::shared_object;
  CHECK(test::simulated(setting).counts.made == 3);
}

TEST_CASE("Work that is asked for and made adds up to latency", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(2, 2, 1);
  setting.cost.lookup = 1ms;
  setting.cost.assignment = 10ms;
  // A core for each: those who make one take 11 ms, those who find one 1 ms.
  const SettingResults results = test::simulated(setting);
  CHECK(results.samples[1].latency.p50 == Approx(0.001));
  CHECK(results.samples[1].latency.p90 == Approx(0.011));
}

TEST_CASE("Proxies that nothing concerns any more cost nothing", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(5, 2, 2);
  setting.leave = Ramp{5s, 6s};
  const SettingResults results = test::simulated(setting, 1000s);
  CHECK(results.counts.mesh_changes == 20);
  CHECK(results.counts.mesh_contexts < 10);
}

TEST_CASE("Certificates take the time that two primes take: the mean as said, half its variance", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(4000, 1, 0);
  setting.cores = 1024;
  setting.join = {0s, 400s};  // ten a second find a free core each
  setting.cost.proxy_certificate = 1s;
  ControlPlaneSetting sampled = setting;
  const SettingResults results = test::simulated(sampled, 420s);
  CHECK(results.counts.changed == 4000);
  // The quantiles of a sum of two exponentials of mean 1/2: 1 - (1 + 2x) exp(-2x). Within 4 standard errors of 4000.
  CHECK(results.samples.back().latency.p50.value() == Approx(0.8392).margin(0.05));
  CHECK(results.samples.back().latency.p90.value() == Approx(1.9449).margin(0.1));
  CHECK(results.samples.back().latency.p99.value() == Approx(3.3192).margin(0.35));
}

TEST_CASE("A client's edit of a shared object is wrong for the others who hold it", "[control_plane]") {
  // Of three services the first and the last have a policy that keeps them in their zone; all ask for each other.
  ControlPlaneSetting setting = test::plane_of(3, 2, 2);
  setting.zones = 2;
  setting.sharing = AssignmentSharing::shared_object;
  setting.policies.push_back({0.5, {}});
  setting.policies[0].conf.localityAwareness.emplace().localZone.emplace();
  // At 1 s the first edits those of the second and third; the second, without policy, gets a third without its remote
  // instance, and a first that the last then edits. It is wrong from there to the end.
  const SettingResults results = test::simulated(setting);
  CHECK(results.counts.proxies == 3);
  CHECK(results.hazard.proxies == 1);
  CHECK(results.hazard.most_at_once == 1);
  CHECK(results.hazard.proxies_at_end == 1);
  CHECK(results.hazard.periods == 1);
  CHECK(results.hazard.longest == 19s);
  CHECK(results.hazard.together == 19s);

  // Each comes after what the one before it has edited is gone.
  ControlPlaneSetting slow = setting;
  slow.join = {0s, 1s};
  slow.cache_expiration = 300ms;
  CHECK(test::simulated(slow).hazard.proxies == 0);

  ControlPlaneSetting isolated = setting;
  isolated.sharing = AssignmentSharing::reusable;
  CHECK(test::simulated(isolated).hazard.proxies == 0);
}

TEST_CASE("A wrong assignment ends when the configuration is made anew and nobody is in between", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(3, 2, 2);
  setting.zones = 2;
  setting.sharing = AssignmentSharing::shared_object;
  setting.policies.push_back({0.5, {}});
  setting.policies[0].conf.localityAwareness.emplace().localZone.emplace();
  setting.leave = Ramp{10s, 10s};
  // All leave at 10 s, the one who is wrong too.
  const SettingResults results = test::simulated(setting);
  CHECK(results.hazard.proxies == 1);
  CHECK(results.hazard.proxies_at_end == 0);
  CHECK(results.hazard.longest == 9s);
}

TEST_CASE("Other work takes cores away, and configurations take turns on those that are left", "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(4, 1, 0);
  setting.cores = 2;
  setting.cost.generation = 30ms;
  setting.other_work = 1;
  // Four that begin at 1 s on one core: evenly shared all end at 1.12 s; in turns of 10 ms at 1.09, 1.10, 1.11
  // and 1.12.
  const auto latest = [&] { return test::simulated(setting).samples.back().latency; };
  CHECK(latest().p50 == 0.12);
  CHECK(latest().p99 == 0.12);
  setting.time_slice = 10ms;
  CHECK(latest().p50 == 0.1);
  CHECK(latest().p99 == 0.12);
  setting.other_work = 0;
  CHECK(latest().p99 == 0.06);
}

TEST_CASE("What a joining proxy costs beside its configuration takes a core, and nothing waits for it",
          "[control_plane]") {
  ControlPlaneSetting setting = test::plane_of(1, 1, 0);
  setting.cost.generation = 100ms;
  setting.cost.join = 10s;
  const auto latest = [&] { return test::simulated(setting).samples.back().latency; };
  CHECK(latest().p99 == 0.1);
  // Both share the one core.
  setting.cores = 1;
  CHECK(latest().p99 == 0.2);
}
