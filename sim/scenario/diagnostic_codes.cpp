#include "sim/scenario/diagnostic_codes.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "sim/scenario/code_examples.hpp"
#include "sim/scenario/lints/examples.hpp"

namespace spillway::scenario {
namespace {

constexpr std::array codes = std::to_array<DiagnosticCode>({
    {"SP001", "a file cannot be read",
     "The file does not exist, is a directory, or may not be read. The text after the place is the operating system's "
     "message."},
    {"SP002", "a file is too large", "Files are read up to 64 MiB, pipes and devices too."},
    {"SP003", "nothing in the file", "The file is empty, or contains only comments and white space."},
    {"SP004", "not UTF-8", "Files are UTF-8, with or without a byte order mark. Save the file in this encoding."},
    {"SP005", "a control character",
     "Apart from tabs and line ends, files may not contain control characters. Write an escape such as \\u0007 in a "
     "quoted text."},
    {"SP006", "not JSON",
     "The text breaks JSON's grammar (RFC 8259; comments with // and /* */ are allowed). The place is where reading "
     "stopped; the mistake may be a little before it, such as a missing comma or quote. Nothing after it was read."},
    {"SP007", "not YAML",
     "The text breaks YAML's grammar. The place is where reading stopped; the mistake may be a little before it, such "
     "as a missing quote, a tab used to indent, or a bracket that is never closed. Nothing after it was read."},
    {"SP008", "nested too deeply", "Lists and objects may be nested 128 levels deep."},
    {"SP009", "too many values",
     "A file may contain 2,000,000 values, including those that YAML's aliases repeat; aliases may repeat 64 MiB of "
     "text."},
    {"SP010", "a duplicate key",
     "A key may appear only once in an object; with two it would be undefined which one counts."},
    {"SP011", "not a finite number", "YAML's .inf and .nan have no meaning in a scenario."},
    {"SP012", "a number out of range", "Whole numbers must fit into 64 bits, others into a double."},
    {"SP013", "a part of YAML that is not read",
     "Tags, keys that are not texts, aliases within their own anchor, and more than one document in a file are "
     "refused. Anchors and aliases are followed."},
    {"SP020", "an unknown key",
     "An object has a key that does not exist. It is refused because it would have no effect; usually it is a typing "
     "error."},
    {"SP021", "a missing key", "An object lacks a key that it must have."},
    {"SP022", "a value of the wrong type",
     "For example a text where a number is expected. In YAML, anything in quotes is a text; without quotes, 12 is a "
     "number and true is a boolean."},
    {"SP023", "a number out of bounds", "The number must be within the bounds that the message names, both included."},
    {"SP024", "a text that cannot be read",
     "Durations are a number with a unit, such as 20ms, 1.5s or 2m; rates such as 200rps; bandwidths such as 1Gbps; "
     "percentages such as 70%, from 0% to 100%; health timelines such as \"100% 10s, 80% 10s, 0%\". Durations of "
     "Envoy's own messages are in seconds: 0.5s."},
    {"SP025", "an unknown value", "Only the listed values are allowed here."},
    {"SP026", "a list of the wrong length", "The list must have the number of items that is named."},
    {"SP027", "keys that do not go together",
     "Two keys are mutually exclusive, or one needs another one that is missing. In Envoy's messages snake_case and "
     "lowerCamelCase are two spellings of one key."},
    {"SP028", "a key or a value of an older Envoy",
     "Envoy's API had other names before version 3, and its documents still print some of them. Write its current "
     "name; what Envoy no longer accepts is not accepted here either."},
    {"SP101", "a duplicate name",
     "Zones, nodes, services, endpoints and clients are identified by their names, two zones have one link at most, "
     "and a service has one cluster and one load assignment. Endpoints without an id are called <service>-<number>, "
     "counted through the service."},
    {"SP102", "a name with a control character",
     "Names are printed in tables and on terminals, so control characters in them are refused."},
    {"SP103", "an unknown cluster",
     "The name is no cluster of the documents, or an aggregate cluster names itself. In a scenario the clusters of an "
     "aggregate are `services`."},
    {"SP104", "an unknown zone", "The name is not among the `zones`."},
    {"SP105", "an unknown node",
     "The name is not among the nodes of the `zones`. A node with a count of 5 named z1 stands for z1-1 to z1-5; a "
     "zone without nodes has one node of its own name."},
    {"SP106", "an unknown link",
     "No entry of `links` joins the two zones, in either direction. Events can only change links that the scenario "
     "has."},
    {"SP107", "an unknown service",
     "The name is not among the `services`. A cluster and a load assignment belong to the service of their name."},
    {"SP108", "an unknown endpoint",
     "The name is no endpoint's id. Endpoints without an id are called <service>-<number>, counted through the service "
     "from 1 in the order of the file."},
    {"SP109", "an unknown client", "The name is not among the `clients`."},
    {"SP110", "an unknown sub_zone", "No node says that it is in this sub_zone."},
    {"SP111", "an event that mixes two things",
     "An event of the timeline is about a link (latency, outage), about a zone or node (outage), or about endpoints "
     "(healthy, degraded, fails, answers_checks, slow, outage, add, remove). Keys of one kind have no effect in an "
     "event of another; write two events."},
    {"SP112", "a moment outside the run",
     "The run lasts from 0s up to its `duration`, the end not included: an event at the end would have no effect."},
    {"SP113", "a health timeline longer than the run",
     "The durations of its steps add up, from 0s. A step that begins at the end of the run or later would have no "
     "effect."},
    {"SP114", "an event about no endpoint",
     "service, priority, zone, node and endpoints select the endpoints of an event, and together they match none."},
    {"SP115", "more endpoints than there are",
     "A number of healthy or degraded endpoints, or both together, is larger than the number of selected endpoints."},
    {"SP116", "a client without requests", "The rate of a workload must be above 0, and so must one of its phases."},
    {"SP118", "a service or client is missing",
     "Where there are several services or clients, an event needs `service`, and an expectation `client`; the names "
     "must belong together."},
    {"SP119", "an unknown column",
     "A column's title is a priority (P0, P1, ...), a zone, sub_zone, node, endpoint or cluster, or several of them "
     "that narrow it, each with its kind before it if you like (zone NAME), and then what it shows: nothing for the "
     "share, or healthy, degraded, unhealthy; after a priority also load or panic. `total` is the normalized total "
     "availability."},
    {"SP120", "an ambiguous column",
     "The name stands for several things; write its kind before it, as in `zone NAME`."},
    {"SP121", "a link from a zone to itself", "Links join two different zones."},
    {"SP122", "too many endpoints", "A scenario has at most 1,000,000 endpoints."},
    {"SP123", "a figure that does not fit its column",
     "A column of panic contains yes or no, any other column numbers or percentages. A cell `-` has no expectation."},
    {"SP124", "a row that does not fit its columns", "Every row has a cell for each column; `-` has no expectation."},
    {"SP125", "an ejection that ends before it begins",
     "Envoy refuses a max_ejection_time below base_ejection_time (default: 30s)."},
    {"SP126", "no duration",
     "The duration must be above 0s. Envoy refuses intervals and ejection times of 0s as well."},
    {"SP127", "an expectation without an outcome",
     "`always` names at least one outcome: ok, no_healthy_upstream, upstream_error, timeout, overflow, queue_full, "
     "connect_failure, unfinished, drop_overload."},
    {"SP128", "a service without endpoints",
     "A service has endpoints of its own, or it is an aggregate of other clusters by cluster_type; not both, and not "
     "neither."},
    {"SP129", "a local cluster with several priorities",
     "Zone-aware routing compares the upstream zones with the callers' own cluster, in which Envoy accepts priority 0 "
     "only."},
    {"SP130", "no policy that Envoy knows",
     "Envoy takes the first policy of a load_balancing_policy that it knows, and refuses the cluster if it knows "
     "none."},
    {"SP131", "a policy that does not fit its cluster",
     "CLUSTER_PROVIDED is for aggregate clusters and original destinations, and they take no other. "
     "LOAD_BALANCING_POLICY_CONFIG needs load_balancing_policy. With a typed policy, the choice of the locality, "
     "hashing and subsets stand in the policy and not in common_lb_config and lb_subset_config. Envoy refuses "
     "everything else."},
    {"SP132", "a locality without endpoints",
     "A locality weight belongs to endpoints of the service at this priority. Parts of the locality that are left out "
     "match any."},
    {"SP133", "a health timeline of endpoints that are added later",
     "Endpoints that an event adds are healthy at first. Write further events to change that."},
    {"SP134", "not a document that can be read",
     "Spillway reads scenarios, and of Envoy a /config_dump, a Bootstrap, Clusters, ClusterLoadAssignments, "
     "RouteConfigurations and Listeners, alone, in lists, in discovery responses and in what istioctl, egctl and "
     "kumactl print."},
    {"SP135", "several clusters, none is chosen",
     "The documents contain several clusters. Choose the one that receives the traffic with --cluster."},
    {"SP136", "a cluster without its load assignment",
     "The endpoints of an EDS cluster are in a ClusterLoadAssignment, which must be among the documents. A "
     "/config_dump has them with include_eds; /clusters prints them too."},
    {"SP137", "a local cluster that is not there",
     "cluster_manager.local_cluster_name names no static cluster. Envoy refuses to start like this."},
    {"SP138", "more requests than can be simulated",
     "The clients of an entry would send more than 10,000,000,000 requests. A lower rate or a shorter duration gives "
     "the same shares."},
    {"SP139", "a configuration that Envoy refuses",
     "A real Envoy does not accept the message; the text under the place is Envoy's own. "
     "docs/behaviour/envoy-host-pick.md 22 lists what it refuses."},
    {"SP140", "a request that no route matches",
     "A workload without a `service` sends its requests by the `routes`: the first one whose match fits the path and "
     "the headers. Envoy answers a request without a route with a 404, and it reaches no endpoint. A last route with "
     "`match: { prefix: / }` takes everything else."},
    {"SP141", "a header that cannot be sent",
     "The name of a header may contain letters, digits and dashes, its value no control characters. The path is "
     "written as `path`."},
    {"SP142", "too many kinds of requests", "The workloads of a scenario have at most 1,000,000 kinds of requests."},
    {"SP143", "locality weights with subsets under profile seed",
     "The documents of 1.6 say that locality weighted load balancing and subsets exclude each other; Envoy combines "
     "them since 1.8. The profile `current` simulates both together."},
    {"SP144", "not an arrival",
     "A line of a trace file is a time in seconds, such as 12.5, from 0 to below 1,000,000,000 with at most 9 "
     "decimals, and after a comma the number of a client, from 1 to the `count` of the client entry. The first line "
     "may be `time` or `time,client`; empty lines and lines that begin with # are ignored. At most 20 lines are "
     "reported."},
    {"SP146", "a session cookie that expires",
     "A client brings a cookie of a stateful session with a moment of expiry, which Envoy compares with the date. A "
     "scenario has none. Bring a cookie without one."},
    {"SP147", "a gRPC request by a route with timeouts for gRPC",
     "A route's `grpc_timeout_header_max` and `max_grpc_timeout` make Envoy read the `grpc-timeout` of gRPC requests, "
     "which is not supported yet. Leave the fields out, or send other requests by this route."},
    {"SP148", "a message that Envoy does not know",
     "An `@type` of the document names no message of Envoy 1.40. Envoy cannot read the JSON of such a message and "
     "refuses the whole document, wherever it stands. Correct the name, or remove the message if it has no influence "
     "on where requests go."},
    {"SP149", "a document that is not read by itself",
     "Spillway knows this kind of document but does not read it by itself, such as a DestinationRule without its "
     "services, an HTTPProxy or a BackendTrafficPolicy: a control plane makes an Envoy's configuration of it, together "
     "with others. The help says what to give instead."},
    {"SP150", "no way for the request",
     "No listener of the documents is the one asked for, or none of its routes takes the request that --host, --path "
     "and --header describe. Envoy answers 404."},
    {"SP151", "a request that ends at the proxy",
     "The route that takes the request redirects it or answers it itself, so that no cluster gets it."},
    {"SP152", "a request with several ways to different clusters",
     "Several listeners, or filter chains of one, have routes for the request that lead to different clusters. Choose "
     "one: --listener LISTENER, or LISTENER/CHAIN."},
    {"SP153", "a trace outside of the scenario's folder",
     "A trace is read from below the folder of the scenario that names it, links followed, so that somebody else's "
     "scenario cannot read other files. `--allow-files` allows others."},
    {"SP154", "an unknown priority",
     "The service has endpoints at lower numbers only, so that the share there is 0 whatever happens. A priority that "
     "a "
     "`to_priority` of the timeline makes counts as one."},
    {"SP160", "a scenario that is too large",
     "It would need more memory or time than a machine has. Limits: 4,000 zones, 200,000 nodes, 40,000,000 entries of "
     "hash rings and tables, 1,000,000 subsets, or 200,000,000 outlier sweeps and active checks. Nothing was "
     "simulated; the help says what to reduce."},
    {"SP168", "a setting that the documents of profile seed exclude",
     "The documents of Envoy 1.6 hard-code an overprovisioning factor of 140 and hash nothing but headers. What they "
     "do not mention behaves as in `current`; what they exclude is refused. docs/profiles.md has every rule."},
    {"SP170", "a zone name that several regions have",
     "Zones are identified by region and name. Where a scenario has zones of one name in several regions, write "
     "`region/zone` wherever a zone is meant, such as `zone: us-east/a`; in a `locality` of `load_assignments` write "
     "both `region` and `zone`. Tables show these zones in the same way."},
    {"SP201", "a fraction of an endpoint",
     "The percentage of these endpoints is not a whole number. It is rounded to the nearest, halves up. Write the "
     "number of endpoints instead, or a percentage that gives a whole number."},
    {"SP204", "names that are resolved later",
     "A STRICT_DNS cluster has a host for each address that a name stands for. The document does not say how many; "
     "each name counts as one host."},
    {"SP205", "a cluster that is not there",
     "Envoy ignores clusters of an aggregate that do not exist. Their levels are missing from the result too. Requests "
     "for a cluster that a route names and that does not exist are answered with a 503 (flag NC). That is so for "
     "routes "
     "by RDS and with validate_clusters: false; other routes that name an unknown cluster are refused by Envoy."},
    {"SP206", "settings of another policy than the cluster's",
     "A cluster may have the settings of one lb_policy and use another, or a typed policy. Envoy checks these settings "
     "and then ignores them."},
    {"SP207", "a retry condition that Envoy does not know",
     "Envoy ignores unknown conditions in retry_on, so that a misspelt condition never retries."},
    {"SP208", "weights of localities without effect",
     "A load_balancing_weight of a locality counts only where the policy weighs localities: `common_lb_config: { "
     "locality_weighted_lb_config: {} }` of the cluster, the same field within a typed policy, and "
     "`locality_weight_aware: true` where there are subsets. Without it Envoy accepts the weight and ignores it."},
    {"SP209", "locality weighting without weights",
     "With locality_weighted_lb_config a locality gets its part by its load_balancing_weight. Where no locality has "
     "one, Envoy picks among all hosts of the priority as if the field were not there."},
    {"SP210", "priorities with a gap",
     "Endpoints have a priority although a smaller number has none. Envoy accepts that: the empty priority has no "
     "health and gets no requests, but while nothing at all is healthy priority 0 gets them even if it has no "
     "endpoints."},
    {"SP211", "a load assignment that Envoy ignores",
     "An EDS cluster takes its endpoints and their policy from its ClusterLoadAssignment document. One inside the "
     "cluster has no effect in Envoy, whatever its content; here the document is used too."},
    {"SP212", "a part of the bootstrap that is not read",
     "Listeners with their filters and routes decide which requests reach a cluster, with which hash, retries and "
     "subset metadata. `share`, `explain` and `diff` of Envoy documents answer for requests that reach the cluster "
     "without any of that. To see its effect, write a scenario with `routes`."},
    {"SP213", "a runtime value without effect",
     "Envoy uses the runtime keys that are read here as whole numbers from 0; it cuts fractions off and reads numbers "
     "in texts. A negative value, a boolean, any other text and a fractional percentage pass, and change nothing."},
    {"SP214", "an address that Envoy refuses",
     "Endpoints of an EDS cluster have IP addresses with a port's number, without a resolver, or pipes of at most 107 "
     "bytes. Envoy refuses the whole load assignment with any other address and keeps the previous one; here its "
     "endpoints are used as written."},
    {"SP215", "a load assignment that goes stale",
     "An EDS cluster whose load assignment has an `endpoint_stale_after` loses all of its endpoints when no new one "
     "arrives within that time. The shares of an Envoy document are those before."},
    {"SP216", "`endpoint_stale_after` without effect",
     "Envoy reads it only in clusters of type EDS, whose load assignments are sent repeatedly. Clusters of other "
     "types keep their endpoints."},
    {"SP217", "hosts with equal hash keys",
     "Ring hash and maglev identify hosts by the `hash_key` of their metadata, their hostname with "
     "`use_hostname_for_hashing`, or their address. Hosts with one key own the same places, and Envoy does not define "
     "their order: only their sum is printed."},
    {"SP218", "a timeout without effect",
     "Where a route has a `max_stream_duration`, even an empty one, Envoy's router ignores its `timeout`. "
     "Write the time as `max_stream_duration`, or leave that out."},
    {"SP219", "a rule about missing parts of answers",
     "An `error_matcher` may look at headers, trailers and bodies. Endpoints of a scenario answer with a status and "
     "nothing else, so that such a rule never matches."},
    {"SP225", "endpoints that Envoy ignores",
     "`named_endpoints` and `load_balancer_endpoints` are fields of Envoy's API that Envoy does not use: it accepts "
     "them, and they make no hosts. Write the hosts in `lb_endpoints`, each with its `endpoint`."},
    {"SP226", "a cluster without a balancer",
     "In a cluster of type ORIGINAL_DST and in a dynamic forward proxy each request names its own host, so no balancer "
     "divides requests and there are no shares to show. The cluster is read, and its table is empty."},
    {"SP230", "protocol options that Envoy ignores",
     "Envoy finds HttpProtocolOptions under the name of their message. It also accepts them under the older name "
     "`envoy.upstreams.http.http_protocol_options`, and then ignores them."},
    {"SP231", "an address that is listed again",
     "Of endpoints with the same address, proxies with EDS keep the one that is listed first, whatever its priority. "
     "The other one is not a host while an earlier endpoint has the address, and replaces it when that one is removed. "
     "In a cluster of `type: STATIC` both are hosts."},
    {"SP232", "an unknown field",
     "A document that a program wrote, such as a /config_dump, has a field that Envoy 1.40 does not know. It is "
     "ignored. In handwritten documents it is an error (SP020)."},
    {"SP233", "a part that is not in the documents",
     "A bootstrap says that clusters or runtime values are discovered. They are not in it; the proxy's admin interface "
     "prints them."},
    {"SP234", "a text without a configuration",
     "A file among Envoy's documents contains lines of /clusters or /stats, or a log. It is ignored."},
    {"SP235", "a document of Envoy's second API",
     "Releases up to 1.17 accepted resources of Envoy's second API (`envoy.api.v2.Cluster`, `hosts`, `tls_context`, "
     "filters with a `config`). Each is read as the same message of the third API: `hosts` are a `load_assignment` of "
     "one locality. Fields with another meaning today are refused by name (SP028), such as `regex`, which was for "
     "another engine."},
    {"SP236", "weights of localities that are unknown",
     "The endpoints of a cluster are those of /clusters, which does not say weights of localities, and the cluster "
     "weighs its localities. Shares are those without weights, and with an overprovisioning factor of 140."},
    {"SP237", "health in /clusters that is not used",
     "The output of /clusters is among the documents and tells another health of hosts than the load assignment of "
     "their "
     "cluster. The load assignment is used: /clusters gives endpoints only of clusters without one."},
    {"SP238", "a runtime key that is not simulated",
     "A static runtime layer has a key that Envoy asks for by itself, as `upstream.use_retry`, and whose effect is not "
     "simulated: requests go where they would go without it. Keys of `outlier_detection` and `circuit_breakers` are "
     "simulated, as the fields whose place they take."},
    {"SP301", "a key that is not supported yet",
     "The key is valid, but this version cannot simulate its effect. It is refused instead of ignored, so that results "
     "never silently leave out a part of the file."},
    {"SP302", "a value that is not supported yet",
     "The value is valid, but this version cannot simulate its effect. It is refused instead of ignored."},
    {"SP303", "a weight or priority under documents of a control plane",
     "Where `policies` or `resources` stand in the scenario, the control plane gives endpoints their weights and "
     "priorities, and an event that changed them would be overwritten."},
    {"SP401", "a part that a real Envoy cannot have",
     "The scenario has a part that does not fit into the bootstrap of a real Envoy, or that cannot be sent to it from "
     "outside. Nothing is written: an export without it would behave differently from the scenario."},
    {"SP601", "a policy that Kuma refuses",
     "Kuma checks a policy when it is applied, first by its schema and then by its validator, and the text under the "
     "place is Kuma's own, of the version in `profile.kuma`. docs/behaviour/kuma.md 2 lists them."},
    {"SP602", "a kind of Kuma document that is not supported yet",
     "The document may change where requests go, and this version cannot simulate how. It is refused instead of "
     "ignored, so that results never silently leave out a part of the file."},
    {"SP603", "a kind of Kuma document that is ignored",
     "The document does not change the shares. The text under the place says which of its effects are not supported."},
    {"SP604", "a duplicate document",
     "Two documents of one kind have the same name in the same mesh, zone and namespace. A control plane has only one "
     "of them at a time."},
    {"SP605", "an inconsistent resource",
     "Kuma refuses such a resource when it is applied: mTLS by a backend that the mesh does not have, an external "
     "address without a port, and the like. The text under the place says what is wrong."},
    {"SP606", "two meshes for one document",
     "The mesh of a document is in `mesh` or in the label kuma.io/mesh. If both are written they must agree."},
    {"SP607", "an unknown member of a MeshMultiZoneService",
     "`status.meshServices` is the list of members that a control plane found, and it takes precedence over the "
     "selector. Each member must be among the documents; remove the status to let the selector decide."},
    {"SP608", "a field that this version of Kuma drops",
     "The 3.0 line of Kuma (`profile: { kuma: head }`) has no more tags on inbounds and outbounds, references by "
     "labels only, and hash policies only next to the balancer. It silently drops the older fields, like every unknown "
     "field, so they have no effect."},
    {"SP611", "a failover threshold that acts as another one",
     "Kuma turns failoverThreshold.percentage into Envoy's overprovisioning factor by dividing 100 by it, cutting the "
     "result down to a whole number, and multiplying by 100. 51 to 99 thus act as 100, 34 to 49 as 50, 26 to 33 as "
     "33.3: traffic leaves the zone earlier than the number says. 100, 50, 25, 20 and 10 act as they are written."},
    {"SP612", "affinity tags and failover with a hash balancer",
     "RingHash and Maglev build their table from locality weights as soon as affinityTags is there, and endpoints of "
     "other zones have none. The table of a failover priority is empty, so that requests which fail over find no "
     "endpoint and get a 503. Remove the affinity tags, or use another balancer."},
    {"SP613", "localityAwareness without a section",
     "Only localZone and crossZone change endpoints, even if they are empty. `localityAwareness: {}` leaves other "
     "zones at priority 1 with Envoy's own factor of 140, though the design document means the zone only. "
     "Write `localZone: {}` to stay in the zone."},
    {"SP614", "crossZone without failover rules",
     "A crossZone that lists no rules admits no zone: endpoints of all other zones are dropped, whatever the "
     "threshold. Add a rule, `to: { type: Any }` for instance."},
    {"SP615", "a failover rule that is never reached",
     "For each zone the first rule that admits it decides, and earlier rules admit all that this one does. Its only "
     "effect is to count in the priorities of the rules after it."},
    {"SP616", "a zone that does not exist",
     "Kuma accepts any name of a zone and finds no endpoint there. The names that exist are those of `zones`."},
    {"SP617", "a failover that almost never triggers",
     "Endpoints that are not ready leave the list, and of those that stay all count as healthy, unless active checks "
     "(MeshHealthCheck), outlier detection (MeshCircuitBreaker) or the scenario itself mark some unhealthy. Without "
     "any of these the threshold is never met before the last endpoint of the zone is gone. Priorities of a "
     "MeshExternalService are never left without them."},
    {"SP618", "more unweighted affinity tags than weights fit",
     "Without weights the n-th tag from the end weighs 9 times 10 to the power of n - 1. From ten tags on the first "
     "weights do not fit 32 bits, and Kuma writes arbitrary values. Give the tags weights."},
    {"SP619", "an affinity key written twice",
     "An endpoint belongs to the first tag of the list that it shares with the client, so that a second entry of the "
     "same key never gets one."},
    {"SP620", "disabled without an effect",
     "`localityAwareness.disabled: true` counts only where neither localZone nor crossZone is written. Remove them to "
     "switch locality awareness off."},
    {"SP621", "a rule None that does not stop the search",
     "A failover rule of type None admits no zone, and the rules after it are still evaluated. To keep traffic from "
     "going further, end the list there."},
    {"SP622", "an affinity key that no tag can have",
     "Kuma accepts any text as the key of an affinity tag, but keys of tags and labels have letters, digits, dots, "
     "dashes, underscores, colons and slashes only. Such an entry never gets an endpoint; usually it contains a stray "
     "quote."},
    {"SP631", "traffic from one mesh to another",
     "Kuma does not support locality awareness across meshes (kumahq/kuma#14109), so that shares of such traffic would "
     "be meaningless. Simulate each mesh in a scenario of its own."},
    {"SP632", "a document that does not say its zone",
     "Dataplanes, ingresses and egresses belong to a zone: the tag or label kuma.io/zone names it, except where the "
     "scenario has only one zone."},
    {"SP633", "a destination that is not there",
     "An outbound leads to nothing that the scenario or its documents have (an error). Or a backendRef of a "
     "MeshHTTPRoute "
     "or MeshTCPRoute does, or to a protocol that the route does not take: a warning, since Kuma drops it and the "
     "others of its rule take its part, and an error where nothing is left that takes the requests."},
    {"SP634", "a document of a mesh that no client is in",
     "Clients are in one mesh: that of their Dataplanes, else of the Mesh that is written, else of the Dataplanes, "
     "else `default` or the one mesh that all policies name. A policy or resource of another mesh has no effect on "
     "them. Correct its `mesh`; or, if the clients are in that mesh, add a document `type: Mesh` of that name."},
    {"SP635", "clients of two meshes",
     "Clients that have the names of Dataplanes are those, and these are in different meshes. Policies and "
     "services of one mesh do not exist in another, so simulate each mesh in a scenario of its own."},
    {"SP636", "a zone named twice",
     "A zone that is in a list already, or that an earlier failover rule admits for every client of this one, has no "
     "effect when named again: for each zone the first rule that admits it decides. Usually another zone was meant."},
    {"SP637", "an affinity key that no dataplane has",
     "An affinity tag groups the endpoints that have the client's value of its key, so that a key which neither "
     "endpoints nor clients have as a tag or label (kuma head: as a label) makes no group. Its share of the "
     "traffic goes to the other groups. Tags come from endpoints, clients, the labels of nodes, and Dataplanes."},
    {"SP638", "affinity weights that their order overrules",
     "An endpoint that matches several affinity tags belongs to the first of the list, even where weights are written, "
     "though the design document says that order then does not matter. A tag with a greater weight after one with a "
     "smaller weight gets only the endpoints that the earlier tag leaves. Put the narrowest tag, which usually has the "
     "greatest weight, first."},
    {"SP639", "a failover rule after the end of the list",
     "For each zone the first failover rule that admits it decides. Where the rules before have admitted every "
     "zone for all clients that this rule concerns, nothing is left for it; in profile `document` the list also "
     "ends at a rule `None`."},
    {"SP644", "a service that Istio's rules cannot take as it is written",
     "A DestinationRule or VirtualService names a service of the file's own `services`, and acts on it as on one of "
     "Kubernetes. istiod makes its routes, cluster, load assignment and priorities, so that the file cannot say them "
     "too; and its name must mean one host. Write these settings in the rule, or take the rule out of `resources`."},
    {"SP650", "a kind of Istio's or Kubernetes' documents that is ignored",
     "The document does not affect where requests of sidecars go, such as a ConfigMap, or a Gateway, which configures "
     "other proxies."},
    {"SP651", "a kind of Istio's or Kubernetes' documents that is not supported",
     "It may change where requests go; it is refused instead of ignored, so that nothing is silently left out."},
    {"SP652", "istiod refuses a document",
     "istiod's admission checks a document when it is applied, and the text under the place is istiod's own. A refused "
     "document has no effect: its outlier detection and its limits are missing too. docs/behaviour/istio.md 11 lists "
     "the reasons."},
    {"SP653", "istiod warns of a document",
     "It is applied, but a part of it has no effect: failover without outlier detection, a field of an "
     "older Istio, a route that no request reaches."},
    {"SP654", "a DestinationRule without its service",
     "No service of the documents has the rule's host, so that it has no effect here. A host without a dot is "
     "completed with the rule's own namespace and svc.cluster.local; a host with one is used as it is, so that "
     "`name.namespace` matches nothing."},
    {"SP655", "an endpoint that waits for its pod",
     "An EndpointSlice names a pod that is not among the documents. istiod sends no such endpoint until it knows the "
     "pod, which says where it is and what labels it has."},
    {"SP656", "requests without a cluster",
     "The client's proxy has no cluster for its route's destination, so that Envoy answers these requests with a 503 "
     "(flag NC), or no route for them, so that it answers with a 404: a warning, and the requests fail in the results. "
     "It is an error if the proxy does not see the service that the client asks for. The text says which."},
    {"SP657", "documents of Istio and of Kuma",
     "A scenario describes one mesh. Write another scenario for the other one."},
    {"SP661", "locality settings without outlier detection",
     "Failover by locality acts only where outlierDetection stands in the same policy; without it every "
     "endpoint is at priority 0, wherever it is. istiod applies the rule and warns of failover alone. A "
     "distribute needs no outlier detection, nor does a traffic distribution of the Service."},
    {"SP662", "outlier detection that prefers the client's zone",
     "The mesh's locality setting is on unless it is switched off, and outlierDetection in a rule makes it act: "
     "requests stay in the client's subzone, zone and region while 71.4 % of the endpoints there are healthy, so that "
     "a zone with one pod serves all clients of the zone. Write localityLbSetting: { enabled: false } if requests "
     "should go to all zones, and an explicit setting if they should not."},
    {"SP663", "settings of a port or subset that drop others",
     "An entry of portLevelSettings replaces the whole policy: nothing of the levels above is inherited, "
     "outlier detection included. A subset's policy replaces each block that it has, so that a "
     "loadBalancer of its own drops the rule's localityLbSetting. Write the dropped blocks again."},
    {"SP664", "a client without a locality",
     "Its node has no labels of region and zone, or it stands on no node. No endpoint is then local to its proxy: all "
     "localities are another region, and only from: * matches it. Label the node, or give the client the label "
     "topology.istio.io/locality."},
    {"SP665", "subzones on one side only",
     "Places are the same only if region, zone and subzone are equal or empty on both sides. Where only "
     "clients or only endpoints have a subzone, those of the same zone are one priority further away."},
    {"SP666", "a distribute key without endpoints",
     "Its percentage is spread over the other keys. Where no key of the entry matches, every request is "
     "answered with a 503, with outlier detection or without it."},
    {"SP667", "a locality that distribute leaves out",
     "Endpoints that no key matches are sent without hosts, so that they get no request even when all others have "
     "failed. Reported for localities in a region that the entry covers, and for endpoints without a locality; add a "
     "key for them, or one for the whole region."},
    {"SP668", "a client that no from covers",
     "The first entry whose from matches the client's locality counts. If none does, endpoints share by their numbers, "
     "and localities still have weights. Add an entry, or one from *."},
    {"SP669", "percentages that rounding changes",
     "Behind a key each locality's weight is percent * its endpoints / all of the key's, rounded up. 80 : "
     "20 over localities of two and one pods is 54 + 27 : 20, which is 80.2 : 19.8."},
    {"SP670", "distribute that does not fail over",
     "With distribute everything is at priority 0, and its failoverPriority is ignored. Requests "
     "move only as Envoy scales a locality's weight by its health, below 71.4 %, and only to localities "
     "that a key names."},
    {"SP671", "a rule that another one hides",
     "Of the rules of one namespace for one host the oldest trafficPolicy counts whole; only subsets are added up. "
     "Rules of the client's namespace come first, then those of the service's, and the more specific host wins only "
     "within one of these steps: a wildcard in the client's namespace hides an exact rule of the service's."},
    {"SP672", "outlier detection that cannot eject a whole zone",
     "Without maxEjectionPercent Envoy ejects at most 10 % of a cluster's hosts: of fewer than ten none. A "
     "zone with more endpoints than that never loses all of them, so that it never fails over fully. Write"
     " maxEjectionPercent: 100."},
    {"SP673", "a panic threshold",
     "Below minHealthPercent Envoy sends requests to all hosts of a priority, ejected ones too, and no "
     "longer further away. In 1.31 unready endpoints are then left out, so that they no longer count as "
     "unhealthy either."},
    {"SP674", "failoverPriority for endpoints by DNS",
     "istiod panics (index out of range) where endpoints of a ServiceEntry by DNS are in several "
     "localities and a rule with outlier detection has a failoverPriority: its proxies then get nothing at"
     " all. For subsets the list is ignored."},
    {"SP675", "a locality setting that replaces a traffic distribution",
     "A rule's localityLbSetting replaces the trafficDistribution of the Service. Without outlier detection it has no "
     "effect itself, so that no zone is preferred."},
    {"SP676", "the mesh's outlier detection does not fail over",
     "meshConfig.defaultTrafficPolicy (1.31) gives clusters ejections, but priorities of endpoints over "
     "EDS follow the rule alone: no zone is preferred. In 1.30 it has no effect."},
    {"SP677", "retries without attempts",
     "A retries block without attempts means no retries at all, not even the two that Istio has by default. With any "
     "other field in it the VirtualService is refused. Write attempts, even if it is 0."},
    {"SP678", "requests that are not hashed",
     "A cookie without ttl is never made by Envoy: a request that brings none has no hash and goes to a "
     "random host. A consistentHash of one subset applies only to requests for that subset."},
    {"SP679", "retries that leave the hashed host",
     "Retries go back to the same host only if a VirtualService's route has one destination, which hashes."
     " Otherwise the predicate previous_hosts stays, and a retry goes to another host."},
    {"SP680", "settings that a headless service does not take",
     "Requests for a headless service, and for a ServiceEntry of resolution NONE, go where they were addressed to "
     "(ORIGINAL_DST). Its balancer, its locality setting and the labels of its subsets have no effect; pools and "
     "outlier detection have."},
    {"SP681", "a WorkloadEntry that weighs more than a pod",
     "A pod counts 1, whatever its capacity. A WorkloadEntry of weight 5 gets as many requests as five pods."},
    {"SP682", "two groups of one locality",
     "The locality of a pod is written r1/z1/, that of a WorkloadEntry as it is written. Where they "
     "differ in slashes, they are two groups of one locality. Envoy keeps one weight for a locality, that "
     "of the last group: with distribute 60 : 40 becomes 20 : 80. Write r1/z1/ in the entry."},
    {"SP683", "a zero that means the default",
     "A zero in these fields means that they are absent, usually without a limit; maxRetries: 0 allows any number of "
     "retries at a time, and maxEjectionPercent: 0 is 10 %. Remove the field, or write the intended limit; none of "
     "these can be 0."},
    {"SP684", "an endpoint that counts as terminating",
     "A slice that Kubernetes writes has terminating: false for an endpoint that is not ready. If a handwritten slice "
     "leaves it out, istiod treats the endpoint as terminating: it is not sent at all and does not count as "
     "unhealthy."},
    {"SP685", "a warm-up without an effect",
     "Only ROUND_ROBIN and LEAST_REQUEST have slow start. RANDOM, PASSTHROUGH and consistentHash "
     "ignore it."},
    {"SP686", "a host that matches no service",
     "A host without a dot is completed with the rule's own namespace; one with a dot is used as it is. name.namespace "
     "is therefore not the host of any service, and the rule has no effect. Write the whole name."},
    {"SP687", "a short name of another namespace",
     "Hosts without a dot in a VirtualService are completed with the VirtualService's own namespace, not "
     "with that of the service or of the client. The cluster that the route then names does not exist: 503. "
     "Write the whole name."},
    {"SP688", "endpoints of another network in the same zone",
     "A zone's endpoints behind a gateway of another network share its requests by weight with the "
     "endpoints that are reached directly. topology.istio.io/network as the first label of "
     "failoverPriority, or a traffic distribution, gives them a lower priority."},
    {"SP689", "one gateway for several localities",
     "Endpoints behind a gateway are sent as the gateway's address, in each of their localities. Envoy "
     "keeps the first of equal addresses in a load assignment, so that the weights of the others are lost,"
     " and later priorities lose the gateway."},
    {"SP690", "a locality label with dots",
     "Only labels of pods may separate region, zone and subzone with dots. A proxy elsewhere that says "
     "r1.z1 is in a region of this name. Write r1/z1."},
    {"SP691", "a small locality that keeps its share",
     "With failover, failoverPriority or a traffic distribution localities of one priority share by their "
     "weights, and such a weight shrinks only below 71.4 % healthy: what is left of a small locality takes"
     " up to 1.4 times its part."},
    {"SP692", "a subset without endpoints",
     "No endpoint of the service has the subset's labels. Its load assignment is empty, and requests for "
     "it are answered with a 503."},
    {"SP693", "a file of documents that cannot be taken",
     "In policies and resources a text names a file of documents, relative to the scenario's file. It must contain "
     "documents of Kuma, Istio or Kubernetes: one, several with --- between them, or a list."},
    {"SP694", "what is behind a network gateway is not simulated",
     "The proxy of a client in another network has the network's gateway in its load assignment instead of the "
     "endpoints behind it. The gateway is simulated as an endpoint of its own that always answers: the endpoints "
     "behind "
     "it get no load, and their loss fails no request, neither in a run nor in a plan. Where all pods behind it are "
     "lost, a mesh fails every request that is sent to it. Simulate a client of that network too."},
    {"SP695", "a port of a service without endpoints",
     "The name of an endpoint's port must be that of the service's port. No endpoint has a port of this name, so that "
     "the load assignment is empty and every request is answered with a 503. Name the ports alike in Service and "
     "EndpointSlice."},
    {"SP701", "a failure without endpoints",
     "An entry of `failures` selects no endpoint, for example because no endpoint of that service runs in that zone."},
    {"SP702", "too many ways to fail",
     "`any` of many endpoints or nodes can be chosen in very many ways. Identical endpoints count once; the others are "
     "too many. Name a service or a zone, or count fewer."},
    {"SP703", "users in a capacity plan",
     "Users who wait for answers send as fast as they are served, so their rate says nothing about the capacity that "
     "they need. Write the rate to plan for."},
    {"SP704", "a plan without requests",
     "No client sends requests at the moment of the plan. Choose another one with --at."},
    {"SP705", "recorded arrivals in a plan that measures",
     "The plan measures latency and errors at other rates too, and a trace of arrivals has only one rate."},
    {"SP706", "a plan of too many requests",
     "Where shares do not say whether an objective is met, a plan simulates the requests, several times. At this rate "
     "and duration that would take too long. Plan for a lower rate, or shorten the `duration`."},
    {"SP714", "ambient mode is not simulated",
     "In ambient mode a ztunnel carries the requests of a workload: VirtualServices and DestinationRules do not act on "
     "them, except at a waypoint. Requests of clients that a namespace or their own labels put into ambient mode are "
     "refused. Clients with sidecars are simulated: sidecars pass by waypoints, and pick ambient endpoints like "
     "others."},
    {"SP724", "a label or variable of Istio that is not simulated",
     "Labels of persistent sessions keep clients at their endpoints only where istiod runs with "
     "PILOT_ENABLE_PERSISTENT_SESSION_FILTER, which is not simulated. istiod is simulated with the defaults of its "
     "environment: variables of values.pilot.env have no effect on the results, although some move requests."},
    {"SP730", "a key of another kind of scenario",
     "A scenario with `control_plane` has no clients and services: the keys of `control_plane` define the mesh. Remove "
     "the key, or write a separate scenario for it."},
    {"SP731", "a moment after the end of the run",
     "Events and readings of a control plane's scenario must be before its `duration` ends."},
    {"SP732", "a ramp in the wrong order",
     "Instances join from `from` to `to`, and those that leave do so after the last has joined."},
    {"SP733", "policies for more services than there are",
     "Each service has one of the `policies`, or none; their percentages together are at most 100%."},
    {"SP734", "readings that are not in the order of time", "Each row of `readings` comes after the one before."},
    {"SP735", "more instances than can be simulated",
     "Services times instances is at most 1,000,000, each of them a proxy with a configuration of its own."},
    {"SP736", "more reachable services than there are",
     "An instance calls services other than its own, so `reachable_services` must be less than `services`."},
    {"SP737", "an unknown setting",
     "`ratios` compare a setting with another one of the file: the control plane's own name, or that of a variation."},
    {"SP738", "a scenario that this command does not support",
     "A scenario with `control_plane` has no requests, so there are no shares to print, explain, plan or export. "
     "`spillway run` and `spillway plot --kind latency` simulate it, and `check` compares it with its readings."},
    {"SP739", "a known difference without a reading",
     "An entry of `known_differences` is about a reading that `rows` has, at the same time and of the same "
     "quantile."},
    {"SP740", "two known differences of one reading",
     "Each reading has one known difference at most: what the document shows, what is simulated, and one reason."},
    {"SP741", "no core is left",
     "Other work keeps `other_work` of the `cores` busy; at least one must be left for configurations."},
    {"SP750", "outlier detection that never ejects",
     "`max_ejection_percent` (default: 10) of the cluster's hosts is less than one host, so that no host is ever "
     "ejected. Before Envoy 1.28 the first host was ejected anyway; now this needs `always_eject_one_host`."},
    {"SP751", "ejections that end in panic",
     "`max_ejection_percent` allows all hosts to be ejected. Long before that, the available hosts fall below the "
     "panic threshold, and a cluster in panic sends to ejected hosts too."},
    {"SP752", "failover that outlier detection cannot reach",
     "Only outlier detection removes hosts of the first priority, and `max_ejection_percent`, which counts "
     "hosts of all priorities together, stops it before the next priority gets anything."},
    {"SP753", "checks that find a dead host late",
     "After a failed check of a healthy host Envoy waits for `unhealthy_edge_interval`, which is `unhealthy_interval` "
     "where it is not written. A long interval between checks of dead hosts then also delays their detection."},
    {"SP754", "an aggregate cluster that never fails over",
     "An aggregate goes by the health of its clusters' hosts. The first of them has no checks and no outlier "
     "detection, and EDS reports no health, so that it always counts as healthy."},
    {"SP755", "retries that may meet the failed host again",
     "A retry picks like a first attempt, so that with few hosts it often picks the one that has just failed; a hash "
     "picks it every time. `previous_hosts` avoids hosts that the request was sent to before."},
    {"SP756", "a retry budget below one retry",
     "The budget is a percentage of the requests that the proxy has in flight to the cluster; the failed one still "
     "counts. By Little's law (rate times service time) that part is less than one retry, and `min_retry_concurrency` "
     "is 0."},
    {"SP757", "a circuit breaker below what the workload needs",
     "By Little's law each proxy has rate times service time requests in flight, before any of them waits. "
     "`max_requests` is below that, so that requests are rejected while every endpoint is healthy."},
    {"SP758", "slow start that outlasts the time between deploys",
     "New endpoints come before those of the deploy before have left slow start, so that endpoints almost never have "
     "their full weight."},
    {"SP759", "fewer hash keys than hosts",
     "A consistent hash sends all requests of one key to one host. With fewer keys than hosts, of all clients "
     "together, some hosts get nothing."},
    {"SP760", "least request that picks at random",
     "Each proxy compares its own requests in flight to two hosts. If it has very few, because many proxies share the "
     "traffic, both hosts usually have none, and the pick is random."},
    {"SP763", "degraded hosts that are not found",
     "With `detect_degraded_hosts` a host that answers a request with the header `x-envoy-degraded` counts as "
     "degraded. "
     "No simulated endpoint answers so, which means that the field changes nothing here, and may in Envoy."},
    {"SP773", "a hash policy that gets no hash",
     "RING_HASH and MAGLEV pick by a hash of the request. If no route says what to hash, or a rule names a header, "
     "cookie or query parameter for a port that is not HTTP, every request goes to a random host."},
    {"SP783", "zone-aware routing without a local cluster",
     "Zone-aware routing compares the zones of the upstream with those of the proxy's own cluster. Without a local "
     "cluster Envoy does nothing of it. Istio's proxies know theirs only with self-discovery "
     "(ENABLE_SELF_DISCOVERY)."},
    {"SP790", "not what a live Envoy prints",
     "A file that should be the output of Envoy's admin interface (/clusters, /stats, /server_info, /runtime) or an "
     "answer of Prometheus is something else, or has such a line. It is ignored."},
    {"SP791", "not a count", "A counter is not a whole number."},
    {"SP792", "an unknown health flag",
     "Envoy prints a health flag of a host that this version does not know. The flag is ignored."},
    {"SP793", "an access log that cannot be read",
     "Supported are Envoy's and Istio's default formats, and a line of JSON for each request that has `upstream_host`. "
     "Lines of other formats are ignored; a file without a readable line is an error."},
    {"SP794", "documents or counts that do not agree",
     "Two proxies of a mesh have a cluster of one name with different endpoints, health, weights or settings. Each "
     "gets a service of its own in the imported scenario. Or no rates of routes send every cluster what was counted of "
     "it: retries, requests by other listeners, or counts of different moments. The scenario has the rates that fit "
     "best. Or requests of an aggregate cluster are counted with those of others, so that its rate is a guess. Or "
     "counters were reset while they were counted: rates are the least that clients sent, or those since a restart."},
    {"SP795", "a scenario among files of documents",
     "A proxy's configuration is compared with Istio's and Kubernetes' documents, either from files of documents or "
     "from one scenario that contains or names them all."},
    {"SP796", "no documents of a mesh",
     "The files given with `--dump` contain no document of Istio or Kubernetes: `kubectl get ... -o yaml` prints "
     "them."},
    {"SP797", "an unknown proxy",
     "The bootstrap in a dump identifies its proxy: its node's id (`sidecar~IP~POD.NAMESPACE~...`), locality and "
     "labels. A dump of only clusters has none; then `--client` names a client of a scenario in its place."},
    {"SP798", "several outputs in one file",
     "A file that should be the output of /clusters or /stats at one moment has a cluster, or a statistic, again after "
     "its end: several outputs were appended to one file. Requests between two moments are those of two files. An "
     "address that a cluster has twice at one locality and priority is a warning: two outputs without the lines of the "
     "cluster itself look so, and a configuration that lists it twice does."},
    {"SP901", "an unknown command",
     "The first word after `spillway` is none of its commands; `spillway --help` lists them."},
    {"SP902", "an unknown option", "Write options of a command after its name; `spillway COMMAND --help` lists them."},
    {"SP903", "something is missing on the command line",
     "A command, a file or the value of an option is missing. A path that begins with a dash can be written as "
     "./-name."},
    {"SP904", "a bad value of an option", "The option does not accept this value; the help line names valid ones."},
    {"SP905", "too much on the command line",
     "There is an argument more than the command takes, or an option is used twice that may be used once."},
    {"SP906", "a path cannot be read",
     "The file or folder does not exist or may not be read. The text at the end is the operating system's message."},
    {"SP907", "a folder without scenarios",
     "Folders are searched to any depth for files that end in .yaml, .yml, .json or .jsonc. Whatever begins with a "
     "dot, and folders called schema, are left out."},
    {"SP908", "results cannot be written",
     "Standard output, or the file that was asked for, could not be written: a full disk, a reader that has exited, a "
     "closed stream. Part of the results may be missing, so the run counts as failed."},
    {"SP909", "no subsets to show",
     "None of the chosen clusters divides its hosts into subsets. Envoy ignores a subset configuration without "
     "selectors, and so does spillway."},
    {"SP910", "no hashed request to explain",
     "`--key` and `--header` ask where one request goes by its hash. No cluster that the client's requests reach picks "
     "by a hash, the client sends no requests with headers that a hash policy could read, or a key is asked for and "
     "the "
     "route has no hash policy: Envoy then draws a random hash for each request."},
    {"SP920", "a drawing program is not installed",
     "Pictures are drawn by gnuplot and Graphviz (`dot`), which are looked for on PATH. On Debian they are the "
     "packages gnuplot-nox and graphviz. Without them, -o FILE.gp or FILE.dot writes their input instead."},
    {"SP921", "a drawing program failed",
     "gnuplot or Graphviz could not be started, ended without a picture, or took longer than --timeout. Its output "
     "follows. -o FILE.gp or FILE.dot writes its input."},
    {"SP925", "more output than can be read",
     "More than 50 million rows were requested: shares by client, epoch and endpoint, requests by client, epoch and "
     "pair of zones, or endpoints by epoch or sample. Nothing was simulated. Group more with `--by`: without "
     "`endpoint` there is one share for each zone or priority, without `client` one for all clients together."},
    {"SP928", "a report of more than a page can hold",
     "A page of `--report` has at most 200,000 shares: clients x epochs x groups of endpoints; and as many latencies "
     "where requests are simulated: clients x 100 intervals. Nothing was simulated. Identical clients can be one entry "
     "with a `count`; `-o markdown --by priority,zone` prints all clients together."},
    {"SP930", "a scenario for files that need none",
     "`spillway diff --scenario SCENARIO` compares two files of Kuma's or Istio's documents within that scenario. Two "
     "scenarios, or documents of Envoy, need no other scenario to be compared."},
    {"SP931", "documents of a mesh without a scenario",
     "A policy or a DestinationRule moves traffic of clients to endpoints in zones, which it does not name. "
     "`--scenario SCENARIO` has these; or one of the two files is the scenario, and the other the document that "
     "changes it."},
    {"SP932", "two files of different kinds",
     "A document of Envoy configures one proxy at one moment; a scenario, a policy of Kuma or a rule of Istio is about "
     "a whole mesh. Only two of the same kind can be compared, or a mesh's documents in a scenario."},
    {"SP933", "standard input is named more than once", "It can be read only once. Use files for the others."},
    {"SP940", "a file to write is read, or written twice",
     "An output has the name of a file that the command or its scenario reads, or two outputs have the same name. An "
     "export does not overwrite a README.md that it did not write. Nothing was written."},
    {"SP941", "out of memory",
     "The work needed more memory than the machine, its control group or `--limit-memory` allows. Memory grows with "
     "clients x epochs x endpoints: merge identical clients into one entry with a `count`, use fewer events, or group "
     "more with `--by`. In platform mode each request in flight has a stack: use `--mode requests`."},
    {"SP942", "the time limit was reached",
     "`--limit-time` ended the work; the note says how far it got. `check` and `run --replications` print what is "
     "complete, marked as partial."},
    {"SP943", "the system refused",
     "A process, pipe or descriptor was not available, or reading a file failed. The text at the end is the operating "
     "system's message."},
    {"SP950", "an unknown key of a sweep",
     "A path names keys with dots between them and elements of lists in brackets, by their name, id or position from "
     "0: clients[shop].workload.rate. Elements must exist; a key that is not written yet is added if it is valid "
     "there. Nothing was simulated."},
    {"SP951", "invalid values of a sweep",
     "A key takes a list (10,50,100) or a range: 50..90 by ones, 50..90+10 by tens, 100..2000/20 for twenty values "
     "evenly spaced, 1ms..1s/7log for seven by even factors. A table has keys in its first line and as many values in "
     "each other line. Nothing was simulated."},
    {"SP952", "a sweep of too many points",
     "Settings x sides x replications is more than a million. Nothing was simulated. Divide ranges into fewer values, "
     "or draw points from the whole space: --design sobol --samples 1000."},
    {"SP953", "the file of a sweep cannot be written",
     "The disk is full, the file is read-only, or another process locks it for longer than 20 s. All finished "
     "points are in it; the same command continues with the others."},
    {"SP954", "the file of another sweep",
     "A file belongs to one sweep: the same scenarios byte by byte, keys, values, design, seed, replications and "
     "version of spillway. Name a new file, or join only shards of one sweep."},
    {"SP955", "a file that several machines share",
     "On a network file system several processes cannot write to one database. Each process can write a file of its "
     "own by --shard I/N; `spillway sweep merge` joins them."},
    {"SP956", "no such figure or key in the file of a sweep",
     "`--x`, `--by` and `--where` take keys of the sweep, by their last key or their whole path, or side; `--y` takes "
     "figures, kinds of failures and happenings, and shares. A picture needs a point that was simulated and has the "
     "figure."},
    {"SP957", "an invalid condition",
     "A condition is a figure, < or >, and a limit with its unit: 'failed < 0.1 %', 'p99 < 200ms', 'utilisation < "
     "80 %'."},
    {"SP958", "too many points of a sweep for a page",
     "`--report` writes points into the page, at most 20,000. Choose some with --where KEY=VALUE, or query the file: "
     "it is SQLite."},
    {"SP967", "a damaged file of a sweep",
     "Before a file is used, its tables, their columns and every value are checked: views and triggers, a point that "
     "the sweep does not have, or a number that no sweep writes are refused. Sweep again into a new file."},
});

std::string with_line_end(std::string_view text) {
  return std::string(text) + (text.ends_with('\n') ? "" : "\n");
}

std::string indented(std::string_view text) {
  std::string lines;
  for (const std::string whole = with_line_end(text); const char letter : whole) {
    lines += lines.empty() || lines.back() == '\n' ? "  " : "";
    lines += letter;
  }
  return lines;
}

}  // namespace

std::span<const DiagnosticCode> diagnostic_codes() noexcept {
  return codes;
}

const DiagnosticCode* find_diagnostic_code(std::string_view code) noexcept {
  const auto alike = [](char a, char b) { return a == (b >= 'a' && b <= 'z' ? static_cast<char>(b - 'a' + 'A') : b); };
  const auto* const found = std::find_if(codes.begin(), codes.end(), [&](const DiagnosticCode& entry) {
    return std::equal(entry.code.begin(), entry.code.end(), code.begin(), code.end(), alike);
  });
  return found == codes.end() ? nullptr : found;
}

std::string explain_diagnostic_code(std::string_view code) {
  const DiagnosticCode* entry = find_diagnostic_code(code);
  if (entry == nullptr) {
    return {};
  }
  constexpr std::size_t widest = 100;
  std::string text = std::string(entry->code) + ": " + std::string(entry->title) + "\n\n";
  std::string_view rest = entry->paragraph;
  while (rest.size() > widest) {
    const std::size_t space = rest.rfind(' ', widest);
    text += std::string(rest.substr(0, space)) + "\n";
    rest.remove_prefix(space + 1);
  }
  text += std::string(rest) + "\n";
  if (const std::string_view example = lints::example_of(entry->code); !example.empty()) {
    text += "\nThis scenario shows it:\n\n" + std::string(example);
  }
  if (const CodeExample* const example = find_code_example(entry->code)) {
    text += "\nWrong:\n\n" + indented(example->wrong) + "\nRight:\n\n" + indented(example->right);
  }
  return text;
}

std::string diagnostic_codes_markdown() {
  std::string text =
      "# Diagnostics\n\n"
      "Every error and warning of `spillway` has a code that stays the same from version to version: SP0xx is about "
      "the file and its\nsyntax or structure, SP1xx about what it means, SP2xx and SP750 to SP789 are lints "
      "(warnings), SP3xx is what is not supported yet,\nSP4xx what cannot be exported, SP6xx Kuma's and Istio's "
      "documents, SP9xx the command "
      "line.\n`spillway validate "
      "--explain CODE` prints the same.\n";
  for (const DiagnosticCode& entry : codes) {
    text += fmt::format("\n## {}: {}\n\n{}\n", entry.code, entry.title, entry.paragraph);
    if (const std::string_view example = lints::example_of(entry.code); !example.empty()) {
      text += fmt::format("\n```yaml\n{}```\n", example);
    }
    if (const CodeExample* const example = find_code_example(entry.code)) {
      const bool typed = example->of == ExampleOf::command || example->of == ExampleOf::situation;
      const std::string fence = typed ? "\n```\n" : "\n```yaml\n";
      text += fmt::format("\nWrong:\n{0}{1}```\n\nRight:\n{0}{2}```\n", fence, with_line_end(example->wrong),
                          with_line_end(example->right));
    }
  }
  return text;
}

}  // namespace spillway::scenario
