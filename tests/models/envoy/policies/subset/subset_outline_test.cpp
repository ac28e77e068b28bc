#include "models/envoy/policies/subset/subset_outline.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "models/envoy/cluster_state.hpp"
#include "tests/support/subset_example.hpp"

using namespace spillway;
using namespace spillway::support::subset_example;
namespace subset = envoy::policies::subset;

namespace {

// Envoy's document draws its tree so: a key, its values, and below each the next key or the hosts.
std::string drawn(const subset::Directory& directory, const std::vector<subset::KeyOutline>& keys) {
  std::string text;
  for (const subset::KeyOutline& key : keys) {
    text += key.name + "{";
    for (const subset::ValueOutline& value : key.values) {
      text += " " + config::text(value.value);
      if (value.subset) {
        text += ":";
        for (const config::HostIndex host : directory.subsets()[value.subset->value].hosts) {
          text += "e" + std::to_string(host.value + 1);
        }
      }
      text += value.keys.empty() ? "" : "(" + drawn(directory, value.keys) + ")";
    }
    text += " }";
  }
  return text;
}

subset::SubsetOutline outline_of(const subset::Config& config, const config::ClusterLoadAssignment& hosts) {
  const subset::Selectors selectors(config);
  const subset::Directory directory(config, selectors, envoy::make_priority_set(hosts, {}));
  return subset::outline_of(config, selectors, directory);
}

}  // namespace

TEST_CASE("the tree of the document's cluster is the one that its diagram draws") {
  const subset::Config config = example_config();
  const subset::Selectors selectors(config);
  const subset::Directory directory(config, selectors, envoy::make_priority_set(example_hosts(), {}));
  const auto outline = subset::outline_of(config, selectors, directory);
  CHECK(drawn(directory, outline.keys) ==
        "stage{ prod(type{ std:e1e2e3e4 bigmem:e5e6 }version{ 1.0:e1e2e5 1.1:e3e4e6 })"
        " dev(type{ std:e7 }version{ 1.2-pre:e7 }) }"
        "version{ 1.0:e1e2e5(xlarge{ true:e1 }) 1.1:e3e4e6 1.2-pre:e7 }");
}

TEST_CASE("an outline counts the subsets that each selector made") {
  const auto outline = outline_of(example_config(), example_hosts());
  REQUIRE(outline.selectors.size() == 4);
  CHECK(outline.selectors[0].keys == subset::KeySet{"stage", "type"});
  CHECK(outline.selectors[0].subsets == 3);
  CHECK(outline.selectors[1].subsets == 3);
  CHECK(outline.selectors[2].subsets == 3);
  CHECK(outline.selectors[3].keys == subset::KeySet{"version", "xlarge"});
  CHECK(outline.selectors[3].subsets == 1);
}

TEST_CASE("an outline says which selector has lost its fallback to an earlier one") {
  subset::Config config;
  const auto any = subset::SelectorFallbackPolicy::any_endpoint;
  config.subset_selectors = {{.keys = {"stage", "version"}}, {.keys = {"stage"}, .fallback_policy = any}};
  CHECK(outline_of(config, example_hosts()).selectors[1].fallback_is_lost);
  std::swap(config.subset_selectors[0], config.subset_selectors[1]);
  CHECK_FALSE(outline_of(config, example_hosts()).selectors[0].fallback_is_lost);
}

TEST_CASE("a single-host subset keeps its first host and counts the others") {
  subset::Config config;
  config.subset_selectors = {{.keys = {"version"}, .single_host_per_subset = true}};
  const subset::Selectors selectors(config);
  const subset::Directory directory(config, selectors, envoy::make_priority_set(example_hosts(), {}));
  CHECK(drawn(directory, subset::outline_of(config, selectors, directory).keys) ==
        "version{ 1.0:e1 1.1:e3 1.2-pre:e7 }");
  CHECK(directory.subsets()[0].duplicates == 2);
  CHECK(directory.subsets()[1].duplicates == 2);
  CHECK(directory.subsets()[2].duplicates == 0);
}
