#include "sim/scenario/code_examples.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "sim/scenario/code_examples_of_meshes.hpp"

namespace spillway::scenario {
namespace {

constexpr std::array of_scenarios = std::to_array<CodeExample>({
    {"SP007", R"(zones:
  - name: a
 - name: b
)",
     R"(zones:
  - name: a
  - name: b
)"},
    {"SP010", R"(seed: 1
seed: 2
)",
     R"(seed: 2
)"},
    {"SP011", R"(timeline: [{ at: 5s, zone: a, fails: .inf }]
)",
     R"(timeline: [{ at: 5s, zone: a, fails: 10% }]
)"},
    {"SP012", R"(seed: 99999999999999999999
)",
     R"(seed: 7
)"},
    {"SP013", R"(seed: !!int 7
)",
     R"(seed: 7
)"},
    {"SP020", R"(durration: 10s
)",
     R"(duration: 10s
)"},
    {"SP021", R"(services: [{ name: cart, endpoints: [{ count: 2 }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ count: 2, zone: a }] }]
)"},
    {"SP022", R"(duration: 10
)",
     R"(duration: 10s
)"},
    {"SP023", R"(services: [{ name: cart, endpoints: [{ count: 0, zone: a }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ count: 1, zone: a }] }]
)"},
    {"SP024", R"(clients: [{ name: shop, zone: a, workload: { service: cart, rate: 10 per second } }]
)",
     R"(clients: [{ name: shop, zone: a, workload: { service: cart, rate: 10rps } }]
)"},
    {"SP025", R"(mode: fast
)",
     R"(mode: requests
)"},
    {"SP026", R"(links: [{ between: [a], latency: 2ms }]
)",
     R"(links: [{ between: [a, b], latency: 2ms }]
)"},
    {"SP027", R"(services: [{ name: cart, endpoints: [{ id: cart-blue, count: 2, zone: a }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ id: cart-blue, zone: a }] }]
)"},
    {"SP028", R"(clusters: [{ name: cart, hosts: [] }]
)",
     R"(clusters: [{ name: cart, lb_policy: RANDOM }]
)"},
    {"SP101", R"(zones: [{ name: a }, { name: a }, { name: b }]
)",
     R"(zones: [{ name: a }, { name: b }]
)"},
    {"SP102", R"(services: [{ name: "a\u001bb", endpoints: [{ count: 2, zone: a }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ count: 2, zone: a }] }]
)"},
    {"SP104", R"(services: [{ name: cart, endpoints: [{ count: 2, zone: c }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ count: 2, zone: b }] }]
)"},
    {"SP105", R"(services: [{ name: cart, endpoints: [{ count: 2, node: a-1 }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ count: 2, node: a }] }]
)"},
    {"SP106", R"(links: []
timeline: [{ at: 5s, link: [a, b], outage: true }]
)",
     R"(links: [{ between: [a, b], latency: 2ms }]
timeline: [{ at: 5s, link: [a, b], outage: true }]
)"},
    {"SP107", R"(clusters: [{ name: card, lb_policy: RANDOM }]
)",
     R"(clusters: [{ name: cart, lb_policy: RANDOM }]
)"},
    {"SP108", R"(timeline: [{ at: 5s, endpoints: [cart-9], healthy: 0% }]
)",
     R"(timeline: [{ at: 5s, endpoints: [cart-1], healthy: 0% }]
)"},
    {"SP109", R"(expect: [{ table: t, client: shops, columns: [P0], rows: [[100%]] }]
)",
     R"(expect: [{ table: t, client: shop, columns: [P0], rows: [[100%]] }]
)"},
    {"SP110", R"(expect: [{ share: { sub_zone: rack-1, at: 1s, equals: 100% } }]
)",
     R"(expect: [{ share: { zone: a, at: 1s, equals: 50% } }]
)"},
    {"SP111", R"(timeline: [{ at: 5s, zone: a, outage: true, fails: 10% }]
)",
     R"(timeline: [{ at: 5s, zone: a, fails: 10% }]
)"},
    {"SP112", R"(timeline: [{ at: 10s, zone: a, outage: true }]
)",
     R"(timeline: [{ at: 9s, zone: a, outage: true }]
)"},
    {"SP113", R"(services: [{ name: cart, endpoints: [{ count: 2, zone: a, healthy: "100% 10s, 50%" }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ count: 2, zone: a, healthy: "100% 5s, 50%" }] }]
)"},
    {"SP114", R"(timeline: [{ at: 5s, zone: a, priority: 1, healthy: 0% }]
)",
     R"(timeline: [{ at: 5s, zone: a, healthy: 0% }]
)"},
    {"SP115", R"(services: [{ name: cart, endpoints: [{ count: 3, zone: a, healthy: 4 }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ count: 3, zone: a, healthy: 2 }] }]
)"},
    {"SP116", R"(clients: [{ name: shop, zone: a, workload: { service: cart, rate: 0rps } }]
)",
     R"(clients: [{ name: shop, zone: a, workload: { service: cart, rate: 1rps } }]
)"},
    {"SP118", R"(services:
  - { name: cart, endpoints: [{ count: 2, zone: a }] }
  - { name: order, endpoints: [{ count: 2, zone: a }] }
timeline: [{ at: 5s, healthy: 50% }]
)",
     R"(services:
  - { name: cart, endpoints: [{ count: 2, zone: a }] }
  - { name: order, endpoints: [{ count: 2, zone: a }] }
timeline: [{ at: 5s, service: cart, healthy: 50% }]
)"},
    {"SP119", R"(expect: [{ table: t, columns: [zone-c], rows: [[100%]] }]
)",
     R"(expect: [{ table: t, columns: [P0], rows: [[100%]] }]
)"},
    {"SP120",
     R"(zones: [{ name: a }, { name: b, nodes: [{ name: a2 }, { name: big }] }, { name: big, nodes: [{ name: n }] }]
expect: [{ table: t, columns: [big], rows: [[0%]] }]
)",
     R"(zones: [{ name: a }, { name: b, nodes: [{ name: a2 }, { name: big }] }, { name: big, nodes: [{ name: n }] }]
expect: [{ table: t, columns: [node big], rows: [[25%]] }]
)"},
    {"SP121", R"(links: [{ between: [a, a], latency: 2ms }]
)",
     R"(links: [{ between: [a, b], latency: 2ms }]
)"},
    {"SP122", R"(services: [{ name: cart, endpoints: [{ count: 1000000, zone: a }, { zone: a }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ count: 100, zone: a }] }]
)"},
    {"SP123", R"(expect: [{ table: t, columns: [P0 panic], rows: [[50%]] }]
)",
     R"(expect: [{ table: t, columns: [P0 panic], rows: [[no]] }]
)"},
    {"SP124", R"(expect: [{ table: t, columns: [P0, total], rows: [[100%]] }]
)",
     R"(expect: [{ table: t, columns: [P0, total], rows: [[100%, 100%]] }]
)"},
    {"SP125",
     R"(clusters: [{ name: cart, outlier_detection: { base_ejection_time: 60s, max_ejection_time: 30s, max_ejection_percent: 50 } }]
)",
     R"(clusters: [{ name: cart, outlier_detection: { base_ejection_time: 30s, max_ejection_time: 60s, max_ejection_percent: 50 } }]
)"},
    {"SP126", R"(duration: 0s
)",
     R"(duration: 10s
)"},
    {"SP127", R"(expect: [{ always: { from: 1s } }]
)",
     R"(expect: [{ always: { ok: 1, from: 1s } }]
)"},
    {"SP128", R"(services:
  - { name: cart, endpoints: [{ count: 2, zone: a }] }
  - { name: order }
)",
     R"(services:
  - { name: cart, endpoints: [{ count: 2, zone: a }] }
  - { name: order, endpoints: [{ zone: a }] }
)"},
    {"SP129", R"(services: [{ name: cart, endpoints: [{ count: 2, zone: a }, { count: 2, zone: b, priority: 1 }] }]
local_cluster: cart
)",
     R"(services: [{ name: cart, endpoints: [{ count: 2, zone: a }, { count: 2, zone: b }] }]
local_cluster: cart
)"},
    {"SP130",
     R"(clusters: [{ name: cart, load_balancing_policy: { policies: [{ typed_extension_config: { name: x, typed_config: { '@type': type.googleapis.com/my.own.Policy } } }] } }]
)",
     R"(clusters: [{ name: cart, load_balancing_policy: { policies: [{ typed_extension_config: { name: x, typed_config: { '@type': type.googleapis.com/envoy.extensions.load_balancing_policies.random.v3.Random } } }] } }]
)"},
    {"SP131", R"(clusters: [{ name: cart, lb_policy: CLUSTER_PROVIDED }]
)",
     R"(clusters: [{ name: cart, lb_policy: RANDOM }]
)"},
    {"SP132",
     R"(load_assignments: [{ cluster_name: cart, endpoints: [{ locality: { zone: c }, load_balancing_weight: 2 }] }]
)",
     R"(clusters: [{ name: cart, common_lb_config: { locality_weighted_lb_config: {} } }]
load_assignments: [{ cluster_name: cart, endpoints: [{ locality: { zone: a }, load_balancing_weight: 2 }] }]
)"},
    {"SP133", R"(timeline: [{ at: 5s, add: [{ zone: a, healthy: 50% }] }]
)",
     R"(timeline: [{ at: 5s, add: [{ zone: a }] }]
)"},
    {"SP138", R"(clients: [{ name: shop, count: 10000, zone: a, workload: { service: cart, rate: 999999999rps } }]
)",
     R"(clients: [{ name: shop, zone: a, workload: { service: cart, rate: 100rps } }]
)"},
    {"SP139", R"(clusters: [{ name: cart, lb_policy: MAGLEV, maglev_lb_config: { table_size: 8 } }]
)",
     R"(clusters: [{ name: cart, lb_policy: MAGLEV, maglev_lb_config: { table_size: 7 } }]
)"},
    {"SP143", R"(profile: { envoy: seed }
clusters: [{ name: cart, lb_subset_config: { subset_selectors: [{ keys: [v] }] }, common_lb_config: { locality_weighted_lb_config: {} } }]
)",
     R"(profile: { envoy: seed }
clusters: [{ name: cart, lb_subset_config: { subset_selectors: [{ keys: [v] }] } }]
)"},
    {"SP168", R"(profile: { envoy: seed }
load_assignments: [{ cluster_name: cart, policy: { overprovisioning_factor: 200 } }]
)",
     R"(load_assignments: [{ cluster_name: cart, policy: { overprovisioning_factor: 200 } }]
)"},
    {"SP153", R"(clients: [{ name: shop, zone: a, workload: { service: cart, trace: /etc/hosts } }]
)",
     R"(clients: [{ name: shop, zone: a, workload: { service: cart, rate: 10rps } }]
)"},
    {"SP154", R"(expect: [{ share: { priority: 3, at: 1s, at_most: 5% } }]
)",
     R"(expect: [{ share: { priority: 0, at: 1s, equals: 100% } }]
)"},
    {"SP201", R"(services: [{ name: cart, endpoints: [{ count: 7, zone: a, healthy: 60% }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ count: 10, zone: a, healthy: 60% }] }]
)"},
    {"SP206", R"(clusters: [{ name: cart, maglev_lb_config: {} }]
)",
     R"(clusters: [{ name: cart, lb_policy: MAGLEV, maglev_lb_config: {} }]
)"},
    {"SP231",
     R"(services: [{ name: cart, endpoints: [{ zone: a, address: 10.0.0.1:80 }, { zone: a, address: 10.0.0.1:80 }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ zone: a, address: 10.0.0.1:80 }, { zone: a, address: 10.0.0.2:80 }] }]
)"},
    {"SP301", R"(services: [{ name: cart, endpoints: [{ count: 2, zone: a, fails: 1% }] }]
)",
     R"(services: [{ name: cart, endpoints: [{ count: 2, zone: a }] }]
timeline: [{ at: 5s, service: cart, fails: 1% }]
)"},
    {"SP302",
     R"(clusters: [{ name: cart, load_balancing_policy: { policies: [{ typed_extension_config: { name: x, typed_config: { '@type': type.googleapis.com/envoy.extensions.load_balancing_policies.load_aware_locality.v3.LoadAwareLocality } } }] } }]
)",
     R"(clusters: [{ name: cart, load_balancing_policy: { policies: [{ typed_extension_config: { name: x, typed_config: { '@type': type.googleapis.com/envoy.extensions.load_balancing_policies.random.v3.Random } } }] } }]
)"},
    {"SP303", R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }]
timeline: [{ at: 5s, zone: a, weight: 2 }]
)",
     R"(policies:
  - type: MeshLoadBalancingStrategy
    name: near
    mesh: default
    spec:
      targetRef: { kind: Mesh }
      to: [{ targetRef: { kind: MeshService, name: cart }, default: { localityAwareness: { crossZone: { failover: [{ to: { type: Any } }] } } } }]
timeline: [{ at: 5s, zone: a, healthy: 50% }]
)"},
});

// Where the example of a lint has the first, the second is right.
constexpr std::array of_settings = std::to_array<CodeExample>({
    {"SP750", R"(consecutive_5xx: 5)", R"(consecutive_5xx: 5, max_ejection_percent: 34)", ExampleOf::setting},
    {"SP751", R"(max_ejection_percent: 100)", R"(max_ejection_percent: 50)", ExampleOf::setting},
    {"SP752", R"(max_ejection_percent: 10)", R"(max_ejection_percent: 17)", ExampleOf::setting},
    {"SP753", R"(unhealthy_threshold: 3)", R"(unhealthy_threshold: 3
        unhealthy_edge_interval: 5s)",
     ExampleOf::setting},
    {"SP754", R"(clusters:
)",
     R"(clusters:
  - { name: near, outlier_detection: { max_ejection_percent: 50 } }
)",
     ExampleOf::setting},
    {"SP755", R"(num_retries: 1)",
     R"(num_retries: 1, retry_host_predicate: [{ name: envoy.retry_host_predicates.previous_hosts }])",
     ExampleOf::setting},
    {"SP756", R"(min_retry_concurrency: 0)", R"(min_retry_concurrency: 1)", ExampleOf::setting},
    {"SP757", R"(max_requests: 10)", R"(max_requests: 41)", ExampleOf::setting},
    {"SP758", R"(120s } })", R"(60s } })", ExampleOf::setting},
    {"SP760", R"(count: 50)", R"(count: 5)", ExampleOf::setting},
    {"SP763", R"(, detect_degraded_hosts: true)", R"()", ExampleOf::setting},
    {"SP773", R"(RING_HASH)", R"(RANDOM)", ExampleOf::setting},
    {"SP783", R"(duration: 60s)", R"(duration: 60s
local_cluster: shop)",
     ExampleOf::setting},
});

constexpr std::array of_commands = std::to_array<CodeExample>({
    {"SP901", "spillway rnu shop.yaml", "spillway run shop.yaml", ExampleOf::command},
    {"SP902", "spillway run shop.yaml --sed 7", "spillway run shop.yaml --seed 7", ExampleOf::command},
    {"SP903", "spillway run", "spillway run shop.yaml", ExampleOf::command},
    {"SP904", "spillway run shop.yaml --seed seven", "spillway run shop.yaml --seed 7", ExampleOf::command},
    {"SP905", "spillway run shop.yaml cart.yaml", "spillway run shop.yaml", ExampleOf::command},
    {"SP906", "spillway check shpo", "spillway check shop.yaml", ExampleOf::command},
    {"SP909", "spillway subsets shop.yaml", "spillway explain shop.yaml", ExampleOf::command},
    {"SP910", "spillway explain shop.yaml --key user-7", "spillway explain shop.yaml", ExampleOf::command},
    {"SP930", "spillway diff shop.yaml shop.yaml --scenario shop.yaml", "spillway diff shop.yaml shop.yaml",
     ExampleOf::command},
    {"SP933", "spillway diff - -", "spillway diff shop.yaml shop.yaml", ExampleOf::command},
    {"SP940", "spillway run shop.yaml --trace shop.yaml", "spillway run shop.yaml --trace requests.csv",
     ExampleOf::command},
    {"SP950", "spillway sweep shop.yaml --over clients[gw].workload.rate=5,10 -o sweep.sqlite",
     "spillway sweep shop.yaml --over clients[0].workload.rate=5,10 -o sweep.sqlite", ExampleOf::command},
    {"SP951", "spillway sweep shop.yaml --over duration=2s..1s/3 -o sweep-2.sqlite",
     "spillway sweep shop.yaml --over duration=1s..2s/3 -o sweep-2.sqlite", ExampleOf::command},
    {"SP952", "spillway sweep shop.yaml --over seed=1..999999 --replications 5 -o sweep-3.sqlite",
     "spillway sweep shop.yaml --over seed=1..9 --replications 5 -o sweep-3.sqlite", ExampleOf::command},
});

}  // namespace

const CodeExample* find_code_example(std::string_view code) noexcept {
  for (const std::span<const CodeExample> table :
       {std::span<const CodeExample>(of_scenarios), more_code_examples_of_scenarios(), code_examples_of_meshes(),
        code_examples_of_istio(), code_examples_of_envoy(), code_examples_of_worlds(),
        std::span<const CodeExample>(of_settings), std::span<const CodeExample>(of_commands),
        code_examples_of_situations()}) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const CodeExample& one) { return one.code == code; });
    if (found != table.end()) {
      return &*found;
    }
  }
  return nullptr;
}

}  // namespace spillway::scenario
