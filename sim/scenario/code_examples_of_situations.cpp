// What only the system, a size, a file of another program or a plan can cause: in words what is typed or written, and
// in brackets where it stands. No test plays them; those that follow from the command line alone are of kind `command`.
#include <array>

#include "sim/scenario/code_examples_of_meshes.hpp"

namespace spillway::scenario {
namespace {

constexpr std::array of_situations = std::to_array<CodeExample>({
    {"SP001", R"(spillway run shpo.yaml (no file has this name)
)",
     R"(spillway run shop.yaml
)",
     ExampleOf::situation},
    {"SP002", R"(spillway validate dump.json (a dump of 80 MiB)
)",
     R"(jq '.configs[1]' dump.json > clusters.json; spillway validate clusters.json
)",
     ExampleOf::situation},
    {"SP003", R"(spillway run shop.yaml (all of it is commented out)
)",
     R"(spillway run scenarios/examples/three-zones.yaml
)",
     ExampleOf::situation},
    {"SP004", R"(spillway run shop.yaml (saved as ISO 8859-1, with an umlaut in a name)
)",
     R"(iconv -f latin1 -t utf-8 shop.yaml > shop-utf8.yaml; spillway run shop-utf8.yaml
)",
     ExampleOf::situation},
    {"SP005", R"(description: a bell between quotes, as the byte 0x07
)",
     R"(description: "a bell: \u0007"
)",
     ExampleOf::situation},
    {"SP006", R"({ "duration": "10s" "seed": 7 } (shop.json)
)",
     R"({ "duration": "10s", "seed": 7 }
)",
     ExampleOf::situation},
    {"SP008", R"([[[[ ... 200 lists in one another ... ]]]]
)",
     R"(lists and objects of at most 128 levels
)",
     ExampleOf::situation},
    {"SP009", R"(ten aliases of ten aliases of ten aliases, seven levels of them: ten million values of a kilobyte
)",
     R"(the values that are meant, once each
)",
     ExampleOf::situation},
    {"SP142", R"(spillway run shop.yaml (2,000 clients, each with 1,000 paths)
)",
     R"(fewer paths each, or one client entry with a `count`
)",
     ExampleOf::situation},
    {"SP144", R"(time
0.5
0,7 (a line of the trace file)
)",
     R"(time
0.5
0.7
)",
     ExampleOf::situation},
    {"SP146", R"(a client with `cookie: 's=CgsxMC4wLjAuMTo4MBBp'`, which has a moment of expiry
)",
     R"(the cookie of a session without a ttl: `cookie: 's=CgsxMC4wLjAuMTo4MA=='`
)",
     ExampleOf::situation},
    {"SP147",
     R"(a request with the header `content-type: application/grpc` by a route with `grpc_timeout_header_max: 1s`
)",
     R"(the same route with `timeout: 1s`
)",
     ExampleOf::situation},
    {"SP150", R"(spillway share envoy.yaml --host shop.example --path /crat (no route has this path)
)",
     R"(spillway share envoy.yaml --host shop.example --path /cart
)",
     ExampleOf::situation},
    {"SP151", R"(spillway share envoy.yaml --path /old (its route is a redirect to /new)
)",
     R"(spillway share envoy.yaml --path /new
)",
     ExampleOf::situation},
    {"SP152", R"(spillway share envoy.yaml --path /cart (two listeners take it, to different clusters)
)",
     R"(spillway share envoy.yaml --path /cart --listener public
)",
     ExampleOf::situation},
    {"SP160", R"(spillway run shop.yaml (20,000 zones)
)",
     R"(up to 4,000 zones: name those that requests cross
)",
     ExampleOf::situation},
    {"SP212", R"(spillway share bootstrap.yaml (it has listeners)
)",
     R"(spillway share bootstrap.yaml --host shop.example --path /cart
)",
     ExampleOf::situation},
    {"SP219", R"(an `error_matcher` of outlier detection that looks at a header of the answer
)",
     R"(none: endpoints fail by a status, which `consecutive_5xx` counts
)",
     ExampleOf::situation},
    {"SP232", R"(spillway validate config_dump.json (of an Envoy that is newer than 1.40)
)",
     R"(the same: the field is left out, which the warning says
)",
     ExampleOf::situation},
    {"SP234", R"(spillway share config_dump.json stats.txt (the lines of /stats)
)",
     R"(spillway share config_dump.json
)",
     ExampleOf::situation},
    {"SP236", R"(spillway share config_dump.json clusters.txt (`locality_weighted_lb_config: {}`, endpoints by EDS)
)",
     R"(spillway share config_dump.json (of /config_dump?include_eds)
)",
     ExampleOf::situation},
    {"SP237", R"(spillway share cluster.yaml clusters.txt (of type STATIC; /clusters has a host that failed its check)
)",
     R"(spillway share cluster.yaml (with `health_status: UNHEALTHY` of that endpoint)
)",
     ExampleOf::situation},
    {"SP401", R"(spillway export envoy old.yaml -o proxy (`profile: { envoy: seed }`, the behaviour of Envoy 1.6)
)",
     R"(`profile: { envoy: current }`
)",
     ExampleOf::situation},
    {"SP607",
     R"(a MeshMultiZoneService with `status: { meshServices: [{ name: b3, zone: zone-2 }] }`, where no MeshService is b3
)",
     R"(the MeshService among the `resources`, or no `status`
)",
     ExampleOf::situation},
    {"SP701", R"(failures: [{ each: zone, zone: b }] (no endpoint is in zone b)
)",
     R"(failures: [{ each: zone }]
)",
     ExampleOf::situation},
    {"SP702", R"(failures: [{ any: 5, of: endpoints }]  (60 endpoints of a MAGLEV cluster: 5,461,512 ways)
)",
     R"(failures: [{ any: 1, of: endpoints }]
)",
     ExampleOf::situation},
    {"SP703", R"(spillway plan users.yaml (workload: { service: cart, users: 50, think_time: 1s })
)",
     R"(workload: { service: cart, rate: 40rps }
)",
     ExampleOf::situation},
    {"SP704", R"(spillway plan shop.yaml --at 0s (workload: { phases: "0rps 10s, 50rps" })
)",
     R"(spillway plan shop.yaml --at 10s
)",
     ExampleOf::situation},
    {"SP705", R"(spillway plan shop.yaml (workload: { trace: requests.csv }, objectives: [{ p99: 200ms }])
)",
     R"(workload: { rate: 40rps }
)",
     ExampleOf::situation},
    {"SP706", R"(spillway plan shop.yaml --rate 999999999rps (objectives: [{ p99: 200ms }])
)",
     R"(spillway plan shop.yaml --rate 4000rps
)",
     ExampleOf::situation},
    {"SP738", R"(spillway share control-plane.yaml
)",
     R"(spillway run control-plane.yaml
)",
     ExampleOf::situation},
    {"SP790", R"(spillway compare envoy.yaml --clusters stats.txt
)",
     R"(spillway compare envoy.yaml --clusters before.txt --clusters after.txt
)",
     ExampleOf::situation},
    {"SP791", R"(cart::10.0.0.1:80::rq_total::many  (a line of /clusters)
)",
     R"(cart::10.0.0.1:80::rq_total::12
)",
     ExampleOf::situation},
    {"SP792", R"(cart::10.0.0.1:80::health_flags::/sleepy
)",
     R"(cart::10.0.0.1:80::health_flags::/failed_active_hc
)",
     ExampleOf::situation},
    {"SP793", R"(an access log of a format of one's own
)",
     R"(Envoy's or Istio's default format, or JSON with `upstream_host`
)",
     ExampleOf::situation},
    {"SP794", R"(spillway import --mesh dumps (two proxies were told of different endpoints of cart)
)",
     R"(the same: each has a service of its own; or dumps of one moment
)",
     ExampleOf::situation},
    {"SP795", R"(spillway compare shop.yaml rules.yaml --dump proxy.json
)",
     R"(spillway compare services.yaml rules.yaml --dump proxy.json
)",
     ExampleOf::situation},
    {"SP796", R"(spillway compare values.yaml --dump proxy.json
)",
     R"(kubectl get svc,endpointslices,destinationrules -o yaml > mesh.yaml; spillway compare mesh.yaml --dump proxy.json
)",
     ExampleOf::situation},
    {"SP797", R"(spillway compare mesh.yaml --dump clusters.json (a dump of clusters alone)
)",
     R"(spillway compare mesh.yaml --dump config_dump.json
)",
     ExampleOf::situation},
    {"SP798",
     R"(curl -s localhost:9901/clusters >> clusters.txt; sleep 60; curl -s localhost:9901/clusters >> clusters.txt
)",
     R"(curl -s localhost:9901/clusters > before.txt; sleep 60; curl -s localhost:9901/clusters > after.txt
)",
     ExampleOf::situation},
    {"SP907", R"(spillway check docs (no scenario is in it)
)",
     R"(spillway check scenarios
)",
     ExampleOf::situation},
    {"SP908", R"(spillway run shop.yaml > /dev/full
)",
     R"(spillway run shop.yaml > results.txt
)",
     ExampleOf::situation},
    {"SP920", R"(spillway plot shop.yaml --kind shares -o shares.svg (gnuplot is not installed)
)",
     R"(apt-get install gnuplot-nox, or -o shares.gp
)",
     ExampleOf::situation},
    {"SP921", R"(spillway plot shop.yaml --kind topology -o shop.svg --timeout 1s (of 4,000 zones, which takes longer)
)",
     R"(spillway plot shop.yaml --kind topology -o shop.svg --timeout 10m
)",
     ExampleOf::situation},
    {"SP925", R"(spillway run large.yaml --by client,endpoint (1,000 clients, 1,000 endpoints, 100 changes)
)",
     R"(spillway run large.yaml --by zone
)",
     ExampleOf::situation},
    {"SP928", R"(spillway run large.yaml --report page.html (1,000 clients, 1,000 endpoints)
)",
     R"(spillway run large.yaml --by zone
)",
     ExampleOf::situation},
    {"SP931", R"(spillway diff old-rule.yaml new-rule.yaml (DestinationRules)
)",
     R"(spillway diff old-rule.yaml new-rule.yaml --scenario shop.yaml
)",
     ExampleOf::situation},
    {"SP932", R"(spillway diff shop.yaml config_dump.json
)",
     R"(spillway import config_dump.json -o proxy.yaml; spillway diff shop.yaml proxy.yaml
)",
     ExampleOf::situation},
    {"SP941", R"(spillway run large.yaml --limit-memory 100MB
)",
     R"(spillway run large.yaml --limit-memory 2GB
)",
     ExampleOf::situation},
    {"SP942", R"(spillway run large.yaml --limit-time 1s
)",
     R"(spillway run large.yaml --limit-time 10m
)",
     ExampleOf::situation},
    {"SP943", R"(ulimit -u 1; spillway check scenarios --jobs 8
)",
     R"(spillway check scenarios --jobs 1
)",
     ExampleOf::situation},
    {"SP953", R"(spillway sweep shop.yaml --over duration=10s,20s -o /full/out.sqlite (no room on the disk)
)",
     R"(spillway sweep shop.yaml --over duration=10s,20s -o out.sqlite
)",
     ExampleOf::situation},
    {"SP954", R"(spillway sweep shop.yaml --over duration=10s,30s -o out.sqlite (out.sqlite has 10s and 20s)
)",
     R"(spillway sweep shop.yaml --over duration=10s,30s -o other.sqlite
)",
     ExampleOf::situation},
    {"SP955", R"(two machines: spillway sweep shop.yaml --over duration=10s,20s -o /nfs/out.sqlite
)",
     R"(spillway sweep shop.yaml --over duration=10s,20s -o /nfs/one.sqlite --shard 1/2
)",
     ExampleOf::situation},
    {"SP956", R"(spillway sweep plot out.sqlite --x rate --y p98 -o p.svg (p98 is not kept)
)",
     R"(spillway sweep plot out.sqlite --x rate --y p99 -o p.svg
)",
     ExampleOf::situation},
    {"SP957", R"(spillway find shop.yaml --maximise clients[shop].workload.rate=10..90 --such-that 'p99 below 200ms'
)",
     R"(spillway find shop.yaml --maximise clients[shop].workload.rate=10..90 --such-that 'p99 < 200ms'
)",
     ExampleOf::situation},
    {"SP967", R"(sqlite3 out.sqlite 'UPDATE points SET side = 5'; spillway sweep show out.sqlite
)",
     R"(spillway sweep shop.yaml --over duration=10s,20s -o new.sqlite
)",
     ExampleOf::situation},
    {"SP958", R"(spillway sweep shop.yaml --over seed=1..90000 -o out.sqlite --report page.html
)",
     R"(spillway sweep show out.sqlite --where seed=7
)",
     ExampleOf::situation},
});

}  // namespace

std::span<const CodeExample> code_examples_of_situations() noexcept {
  return of_situations;
}

}  // namespace spillway::scenario
