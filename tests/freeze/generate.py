"""Generates scenarios by seed, for scripts/freeze: each uses features that few committed scenarios use.

The same seed gives the same bytes on every machine: only `random.Random` and `json` are used. A scenario is JSON, which
every reader of scenarios accepts.
"""

import json
import random

API = "type.googleapis.com/envoy.extensions."

# One scenario in len(FEATURES) is built around each of these; further ones are added by chance.
FEATURES = (
    "jitter", "active_checks", "slow_start", "stateful_session", "override_host", "processor_sharing", "drop_overload",
    "header_to_metadata", "runtime", "http2", "client_side_weights", "sweep", "retries", "breakers", "outliers",
    "subsets", "zone_aware", "locality_weights", "users", "hash_keys", "shared_cores", "splits", "outages", "kuma", "istio")

PICKERS = ("ROUND_ROBIN", "LEAST_REQUEST", "RANDOM", "RING_HASH", "MAGLEV")


def scenario(seed):
    """Returns (features, document) of this seed."""
    draw = random.Random(seed)
    features = {FEATURES[seed % len(FEATURES)]}
    for feature in FEATURES[:-2]:
        if draw.random() < 0.12:
            features.add(feature)
    if "sweep" in features:
        features -= {"users"}
    if features & {"kuma", "istio"}:
        features -= {"splits", "subsets", "header_to_metadata", "stateful_session", "override_host", "zone_aware", "hash_keys",
                     "locality_weights", "client_side_weights", "retries"}
    return sorted(features), _Writer(draw, features).document(seed)


class _Writer:
    def __init__(self, draw, features):
        self.draw = draw
        self.features = features
        self.zones = [f"zone-{n + 1}" for n in range(draw.randint(2, 3))]

    def has(self, feature):
        return feature in self.features

    def document(self, seed):
        draw = self.draw
        result = {
            "name": f"generated {seed}", "description": ", ".join(sorted(self.features)), "duration": f"{draw.choice([8, 12, 20])}s",
            "seed": seed + 1, "zones": [self.zone(name) for name in self.zones]}
        if self.has("jitter") or draw.random() < 0.4:
            result["links"] = self.links()
        names = ["shop", "cart"] if self.has("splits") else ["shop"]
        result["services"] = [{"name": name, "endpoints": self.groups(name)} for name in names]
        if not self.features & {"kuma", "istio"}:
            result["clusters"] = [self.cluster(name) for name in names]
            assignments = [self.assignment(name, result["services"][i]) for i, name in enumerate(names)]
            if any(len(one) > 1 for one in assignments):
                result["load_assignments"] = [one for one in assignments if len(one) > 1]
        if self.has("kuma"):
            result["policies"] = self.kuma()
        if self.has("zone_aware"):
            result["local_cluster"] = "callers"
            result["services"].append(
                {"name": "callers", "endpoints": [{"count": 2, "zone": self.zones[0]}, {"count": 1, "zone": self.zones[1]}]})
        if self.needs_route():
            result["routes"] = self.routes(names)
        if self.has("runtime"):
            result["runtime"] = {"upstream.healthy_panic_threshold": draw.choice([0, 30, 70])}
        if self.has("istio"):
            self.make_istio(result)
        result["clients"] = self.clients(names)
        result["timeline"] = self.timeline(names)
        if not result["timeline"]:
            del result["timeline"]
        if self.has("sweep"):
            result["sweep"] = {"over": [{"key": "clients[0].workload.rate", "values": ["20rps", "40rps", "60rps"]}], "replications": 2}
        result["objectives"] = [{"utilisation": "80%", "error_share": "1%"}]
        return result

    def zone(self, name):
        draw = self.draw
        nodes = []
        for index in range(draw.randint(1, 2)):
            node = {"name": f"{name}-n{index}"}
            if self.has("shared_cores"):
                node["cores"] = draw.randint(1, 4)
                node["queue"] = draw.choice([5, 50])
            if draw.random() < 0.2:
                node["speed"] = draw.choice([0.5, 2])
            nodes.append(node)
        return {"name": name, "region": "eu", "nodes": nodes}

    def links(self):
        result = []
        for index, first in enumerate(self.zones):
            for second in self.zones[index + 1:]:
                link = {"between": [first, second], "latency": f"{self.draw.randint(1, 9)}ms"}
                if self.has("jitter"):
                    link["jitter"] = "1ms"
                if self.draw.random() < 0.5:
                    link["price"] = "0.01/GB"
                result.append(link)
        return result

    def groups(self, name):
        draw = self.draw
        result = []
        for index, zone in enumerate(self.zones):
            group = {"count": draw.randint(1, 5), "zone": zone}
            if index and draw.random() < 0.4:
                group["priority"] = 1
            group.update(self.service())
            if draw.random() < 0.3:
                group["weight"] = draw.randint(1, 9)
            if draw.random() < 0.4:
                group["healthy"] = draw.choice(["100% 3s, 50% 3s, 0", "100% 4s, 60%", "100%"])
            if draw.random() < 0.15:
                group["degraded"] = 1
                group["healthy"] = "0"
            if self.features & {"subsets", "header_to_metadata"}:
                group["metadata"] = {"version": draw.choice(["1", "2"]), "stage": draw.choice(["prod", "dev"])}
            if self.has("client_side_weights"):
                group["load_report"] = {"rps_fractional": draw.choice([50, 100, 200]), "application_utilization": draw.choice([0.3, 0.6])}
            group["request_bytes"] = draw.choice([0, 1000])
            result.append(group)
        result[0]["priority"] = 0
        return result

    def service(self):
        draw = self.draw
        result = {}
        if draw.random() < 0.3:
            result["capacity"] = f"{draw.choice([60, 150, 400])}rps"
        elif draw.random() < 0.5:
            result["service_time"] = {"mean": f"{draw.randint(2, 30)}ms",
                                      "distribution": draw.choice(["constant", "exponential", "lognormal", "gamma", "hyperexponential"])}
            if result["service_time"]["distribution"] in ("lognormal", "gamma", "hyperexponential"):
                result["service_time"]["coefficient_of_variation"] = 1.5
        else:
            result["service_time"] = f"{draw.randint(1, 20)}ms"
        if "capacity" not in result:
            result["cores"] = draw.randint(1, 3)
        if draw.random() < 0.3:
            result["queue"] = draw.choice([0, 3, 20])
        if self.has("processor_sharing"):
            result["discipline"] = "processor_sharing"
            result.pop("queue", None)
        return result

    def picker(self):
        if self.features & {"hash_keys"}:
            return self.draw.choice(["RING_HASH", "MAGLEV"])
        if self.has("slow_start"):
            return self.draw.choice(["ROUND_ROBIN", "LEAST_REQUEST"])
        if self.has("stateful_session") or self.has("zone_aware"):
            return self.draw.choice(["ROUND_ROBIN", "LEAST_REQUEST", "RANDOM"])
        return self.draw.choice(PICKERS[:3] + PICKERS) if self.has("hash_keys") else self.draw.choice(PICKERS[:3])

    def cluster(self, name):
        draw = self.draw
        result = {"name": name, "common_lb_config": {}}
        if self.has("client_side_weights"):
            result["load_balancing_policy"] = {"policies": [{"typed_extension_config": {
                "name": "client", "typed_config": {
                    "@type": API + "load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin",
                    "blackout_period": "1s", "weight_update_period": "1s"}}}]}
        elif self.has("override_host"):
            result["load_balancing_policy"] = {"policies": [{"typed_extension_config": {
                "name": "override", "typed_config": {
                    "@type": API + "load_balancing_policies.override_host.v3.OverrideHost",
                    "override_host_sources": [{"header": "x-host"}],
                    "fallback_policy": {"policies": [{"typed_extension_config": {
                        "name": "pick", "typed_config": {"@type": API + "load_balancing_policies.round_robin.v3.RoundRobin"}}}]}}}}]}
        else:
            result["lb_policy"] = self.picker()
            self.pick_settings(result)
        common = result["common_lb_config"]
        if draw.random() < 0.3:
            common["healthy_panic_threshold"] = {"value": draw.choice([0, 25, 80])}
        if self.has("locality_weights") and "lb_policy" in result:
            common["locality_weighted_lb_config"] = {}
        elif self.has("zone_aware") and "lb_policy" in result:
            common["zone_aware_lb_config"] = {"min_cluster_size": 3}
        if draw.random() < 0.2:
            common["update_merge_window"] = draw.choice(["0s", "0.5s"])
        self.limits(result)
        if self.has("subsets") and "lb_policy" in result or self.has("header_to_metadata"):
            result["lb_subset_config"] = {
                "fallback_policy": draw.choice(["NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"]), "default_subset": {"stage": "prod"},
                "subset_selectors": [{"keys": ["version"]}, {"keys": ["stage", "version"]}]}
            if "load_balancing_policy" in result:
                del result["load_balancing_policy"]
                result["lb_policy"] = "ROUND_ROBIN"
        if not common:
            del result["common_lb_config"]
        return result

    def pick_settings(self, cluster):
        draw = self.draw
        window = {"slow_start_window": "5s", "aggression": {"default_value": 1.5, "runtime_key": "x"}}
        if cluster["lb_policy"] == "LEAST_REQUEST":
            cluster["least_request_lb_config"] = {"choice_count": draw.choice([2, 3])}
            if self.has("slow_start"):
                cluster["least_request_lb_config"]["slow_start_config"] = window
        elif cluster["lb_policy"] == "ROUND_ROBIN" and self.has("slow_start"):
            cluster["round_robin_lb_config"] = {"slow_start_config": window}
        elif cluster["lb_policy"] == "RING_HASH":
            cluster["ring_hash_lb_config"] = {"minimum_ring_size": 64, "maximum_ring_size": 1024}
            if draw.random() < 0.3:
                cluster["common_lb_config"]["consistent_hashing_lb_config"] = {"hash_balance_factor": 150}
        elif cluster["lb_policy"] == "MAGLEV":
            cluster["maglev_lb_config"] = {"table_size": 1009}

    def limits(self, cluster):
        draw = self.draw
        if self.has("active_checks"):
            check = {"timeout": "0.5s", "interval": "1s", "interval_jitter": "0.2s", "unhealthy_threshold": 2, "healthy_threshold": 1}
            check[draw.choice(["tcp_health_check", "http_health_check"])] = {}
            if "http_health_check" in check:
                check["http_health_check"] = {"path": "/healthz"}
            cluster["health_checks"] = [check]
        if self.has("outliers"):
            cluster["outlier_detection"] = {
                "consecutive_5xx": draw.choice([3, 5]), "interval": "2s", "base_ejection_time": "3s", "max_ejection_percent": draw.choice([10, 50, 100])}
        if self.has("breakers"):
            cluster["circuit_breakers"] = {"thresholds": [{"max_requests": draw.choice([2, 5, 20]), "max_pending_requests": 3, "max_retries": 2}]}
        if self.has("http2"):
            cluster["typed_extension_protocol_options"] = {"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
                "@type": API + "upstreams.http.v3.HttpProtocolOptions", "explicit_http_config": {"http2_protocol_options": {}}}}

    def assignment(self, name, service):
        result = {"cluster_name": name}
        policy = {}
        if self.draw.random() < 0.3:
            policy["overprovisioning_factor"] = self.draw.choice([100, 120, 200])
        if self.has("drop_overload"):
            policy["drop_overloads"] = [{"category": "throttle", "drop_percentage": {"numerator": self.draw.choice([5, 20]), "denominator": "HUNDRED"}}]
        if policy:
            result["policy"] = policy
        if self.has("locality_weights"):
            result["endpoints"] = [
                {"locality": {"zone": group["zone"]}, "priority": group.get("priority", 0), "load_balancing_weight": self.draw.randint(1, 5)}
                for group in service["endpoints"]]
        return result

    def needs_route(self):
        return bool(self.features & {"splits", "retries", "subsets", "header_to_metadata", "stateful_session", "hash_keys"})

    def routes(self, names):
        draw = self.draw
        action = {"timeout": draw.choice(["1s", "0.2s", "15s"])}
        if len(names) > 1:
            action["weighted_clusters"] = {"clusters": [{"name": "shop", "weight": 80}, {"name": "cart", "weight": 20}]}
        else:
            action["cluster"] = "shop"
        if self.has("retries"):
            action["retry_policy"] = {"retry_on": "5xx,reset,connect-failure", "num_retries": draw.choice([1, 3]), "per_try_timeout": "0.3s"}
            if draw.random() < 0.5:
                action["retry_policy"]["retry_host_predicate"] = [{
                    "name": "envoy.retry_host_predicates.previous_hosts",
                    "typed_config": {"@type": API + "retry.host.previous_hosts.v3.PreviousHostsPredicate"}}]
        if self.has("hash_keys"):
            action["hash_policy"] = [{"header": {"header_name": "x-user"}}]
        if self.has("subsets") and not self.has("header_to_metadata"):
            action["metadata_match"] = {"filter_metadata": {"envoy.lb": {"version": draw.choice(["1", "2"])}}}
        route = {"match": {"prefix": "/"}, "route": action}
        filters = {}
        if self.has("header_to_metadata"):
            filters["envoy.filters.http.header_to_metadata"] = {
                "@type": API + "filters.http.header_to_metadata.v3.Config",
                "request_rules": [{"header": "x-version", "on_header_present": {"metadata_namespace": "envoy.lb", "key": "version"}}]}
        if self.has("stateful_session"):
            filters["envoy.filters.http.stateful_session"] = {
                "@type": API + "filters.http.stateful_session.v3.StatefulSessionPerRoute",
                "stateful_session": {"session_state": {
                    "name": "envoy.http.stateful_session.cookie",
                    "typed_config": {"@type": API + "http.stateful_session.cookie.v3.CookieBasedSessionState",
                                     "cookie": {"name": "session", "path": "/", "ttl": "60s"}}}}}
        if filters:
            route["typed_per_filter_config"] = filters
        return [route]

    def kuma(self):
        failover = [{"to": {"type": "Only", "zones": [self.zones[1]]}}] if self.draw.random() < 0.5 else [{"to": {"type": "Any"}}]
        conf = {"localityAwareness": {"crossZone": {"failover": failover, "failoverThreshold": {"percentage": self.draw.choice([50, 70, 90])}}},
                "loadBalancer": {"type": self.draw.choice(["RoundRobin", "LeastRequest", "Random"])}}
        return [{"type": "MeshLoadBalancingStrategy", "name": "strategy", "mesh": "default",
                 "spec": {"targetRef": {"kind": "Mesh"}, "to": [{"targetRef": {"kind": "MeshService", "name": "shop"}, "default": conf}]}}]

    def make_istio(self, result):
        draw = self.draw
        del result["services"]
        documents = [{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "shop", "namespace": "default"},
                      "spec": {"clusterIP": "10.96.0.10", "selector": {"app": "shop"}, "ports": [{"name": "http", "port": 80}]}}]
        for zone in self.zones:
            documents.append({"apiVersion": "v1", "kind": "Node", "metadata": {
                "name": f"{zone}-n0", "labels": {"topology.kubernetes.io/region": "eu", "topology.kubernetes.io/zone": zone}}})
        number = 0
        for zone in self.zones:
            for _ in range(draw.randint(1, 3)):  # at least one pod per zone, so that events find one
                number += 1
                documents.append({
                    "apiVersion": "v1", "kind": "Pod",
                    "metadata": {"name": f"shop-{number}", "namespace": "default", "labels": {"app": "shop", "version": draw.choice(["v1", "v2"])}},
                    "spec": {"nodeName": f"{zone}-n0"},
                    "status": {"podIP": f"10.1.0.{number}", "phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}})
        documents.append({
            "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
            "metadata": {"name": "shop-1", "namespace": "default", "labels": {"kubernetes.io/service-name": "shop"}},
            "ports": [{"name": "http", "port": 8080}],
            "endpoints": [{"addresses": [f"10.1.0.{n + 1}"], "conditions": {"ready": True}, "targetRef": {"kind": "Pod", "name": f"shop-{n + 1}"}}
                          for n in range(number)]})
        documents.append({
            "apiVersion": "networking.istio.io/v1", "kind": "DestinationRule", "metadata": {"name": "shop", "namespace": "default"},
            "spec": {"host": "shop", "trafficPolicy": {
                "loadBalancer": {"simple": draw.choice(["ROUND_ROBIN", "LEAST_REQUEST", "RANDOM"]), "localityLbSetting": {"enabled": True}},
                "outlierDetection": {"consecutive5xxErrors": 5, "interval": "5s", "baseEjectionTime": "5s", "maxEjectionPercent": 100}}}})
        result["resources"] = documents
        result["serving"] = [{"service": "shop", "service_time": "5ms", "cores": 2}]

    def clients(self, names):
        draw = self.draw
        result = []
        for index, zone in enumerate(self.zones[:draw.randint(1, 2)]):
            workload = {} if self.needs_route() else {"service": "shop"}
            if self.has("users"):
                workload.update({"users": draw.randint(1, 6), "think_time": "50ms"})
            elif draw.random() < 0.3 and not self.has("sweep"):
                workload["phases"] = "20rps 3s, 20rps-80rps 3s, 60rps"
            else:
                workload["rate"] = f"{draw.choice([20, 50, 90])}rps"
            if not self.has("users"):
                workload["arrivals"] = draw.choice(["poisson", "periodic", "uniform"])
            if self.has("hash_keys"):
                workload["keys"] = {"header": "x-user", "count": 40, "popularity": "zipf 1.1"}
            elif self.has("header_to_metadata"):
                workload["requests"] = [{"headers": {"x-version": "1"}, "weight": 3}, {"headers": {"x-version": "2"}}]
            elif self.has("override_host") and draw.random() < 0.7:
                workload["headers"] = {"x-host": "10.0.0.1:80"}
            result.append({"name": f"client-{index + 1}", "zone": zone, "count": draw.randint(1, 4), "workload": workload})
            if draw.random() < 0.2:
                result[-1]["concurrency"] = 2
        return result

    def timeline(self, names):
        draw = self.draw
        result = []
        def event(seconds, **what):
            result.append({"at": f"{seconds}s", **what})
        service = "shop.default.svc.cluster.local" if self.has("istio") else "shop"
        target = {} if self.has("istio") else {"service": service}
        if self.has("outages") or draw.random() < 0.2:
            event(2, zone=self.zones[1], outage=True)
            event(5, zone=self.zones[1], outage=False)
        if self.features & {"outliers", "active_checks", "retries"}:
            event(1, zone=self.zones[0], fails=draw.choice(["30%", "100%", "every 3rd"]), **target)
            event(6, zone=self.zones[0], fails="0%", **target)
        if self.has("slow_start") and not self.has("istio"):
            event(3, service=service, add=[{"count": 2, "zone": self.zones[0], "service_time": "5ms", "cores": 2}])
        if draw.random() < 0.25:
            event(4, zone=self.zones[-1], slow=draw.choice([3, 10]), **target)
        if self.has("runtime"):
            event(4, runtime={"upstream.healthy_panic_threshold": 50})
        if draw.random() < 0.2 and not self.features & {"istio"}:
            event(4, service=service, remove=1, delay="0.5s")
        return sorted(result, key=lambda one: float(one["at"][:-1]))


def text(document):
    return json.dumps(document, indent=1) + "\n"
