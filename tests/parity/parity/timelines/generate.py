"""Random timelines as scenario files: the same seed and number give the same files.

Nine families in turn: runs of failures, failures of local origin, rates of failure, active checks, pushes of endpoints,
slow start or breakers, many requests at once, hosts that change their priority, and sessions. Commands come between the sweeps and checks, so that a few milliseconds decide nothing.
"""

import json
import random
from pathlib import Path
from typing import Any

Json = dict[str, Any]

DURATION = 12
_EXTENSIONS = "type.googleapis.com/envoy.extensions."


def write_timelines(folder: Path, number: int, seed: int) -> list[Path]:
    """So many scenario files; timeline N is the same for every number above N."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for index in range(number):
        file = folder / f"timeline-{seed}-{index}.json"
        file.write_text(json.dumps(generate(seed, index), indent=1) + "\n")
        files.append(file)
    return files


def generate(seed: int, index: int) -> Json:
    """One scenario."""
    return _Draft(seed, index).made()


class _Draft:
    def __init__(self, seed: int, index: int) -> None:
        self.draw = random.Random(f"timelines/{seed}/{index}")
        self.cluster: Json = {"name": "web"}
        self.route: Json = {"cluster": "web", "timeout": "15s"}
        self.events: list[Json] = []
        self.links: list[Json] = []
        draw = self.draw
        self.hosts = draw.randint(5, 8)
        self.groups = [{"count": self.hosts, "zone": "a"}]
        if draw.random() < 0.3:
            first = draw.randint(3, self.hosts - 2)
            self.groups = [
                {"count": first, "zone": "a"},
                {"count": self.hosts - first, "zone": "a", "priority": 1},
            ]
        self.rate = draw.choice([50, 60, 80])
        self.cluster["lb_policy"] = draw.choice(["ROUND_ROBIN", "ROUND_ROBIN", "LEAST_REQUEST", "RANDOM"])
        self.common: Json = {}
        window = draw.choice([None, "0s", "0.4s", "2.3s"])
        if window is not None:
            self.common["update_merge_window"] = window
        panic = draw.choice([None, None, 0, 30])
        if panic is not None:
            self.common["healthy_panic_threshold"] = {"value": panic}
        self.requests: list[Json] = []
        self.filters: Json = {}
        families = (
            self.runs,
            self.local_origin,
            self.rates,
            self.checks,
            self.pushes,
            self.limits,
            self.concurrency,
            self.moves,
            self.sessions,
        )
        self.family = families[index % len(families)].__name__
        families[index % len(families)]()
        self.name = f"timeline {seed}/{index} {self.family}"

    def made(self) -> Json:
        """The scenario."""
        if self.common:
            self.cluster["common_lb_config"] = self.common
        return {
            "name": self.name,
            "duration": f"{DURATION}s",
            "mode": "requests",
            "zones": [{"name": "a"}, {"name": "b"}],
            **({"links": self.links} if self.links else {}),
            "services": [{"name": "web", "endpoints": self.groups}],
            "clusters": [self.cluster],
            "routes": [{"match": {"prefix": "/"}, "route": self.route, **self.filters}],
            "clients": [
                {
                    "name": "client",
                    "zone": "a",
                    "workload": {
                        "rate": f"{self.rate}rps",
                        "arrivals": "periodic",
                        **({"requests": self.requests} if self.requests else {}),
                    },
                }
            ],
            "timeline": sorted(self.events, key=lambda event: float(event["at"].removesuffix("s"))),
        }

    # Parts

    def some(self, most: int) -> list[str]:
        """Names of one to `most` hosts."""
        numbers = self.draw.sample(range(1, self.hosts + 1), self.draw.randint(1, most))
        return [f"web-{number}" for number in sorted(numbers)]

    def moment(self, earliest: float, latest: float) -> float:
        """Between two sweeps, whatever their interval: 0.1 s before a multiple of half a second and, since timers drift to
        later, 0.2 s after it nothing happens."""
        half_seconds = self.draw.randint(round(earliest * 2), round(latest * 2) - 1)
        return round(half_seconds / 2 + self.draw.choice([0.22, 0.26, 0.3, 0.34, 0.38]), 2)

    def add(self, at: float, hosts: list[str], **what: Any) -> None:
        """An event."""
        self.events.append({"at": f"{round(at, 2)}s", "service": "web", "endpoints": hosts, **what})

    def fail(self, hosts: list[str], how: int | str, percent: int = 100, at: float | None = None) -> None:
        """Hosts fail for a while."""
        begin = self.moment(1, 4) if at is None else at
        self.add(begin, hosts, fails=f"{percent}%", fails_with=how)
        if self.draw.random() < 0.8:
            self.add(begin + self.draw.randint(2, 5), hosts, fails="0%")

    def detection(self) -> Json:
        """The frame of outlier detection."""
        draw = self.draw
        detection: Json = {
            "interval": draw.choice(["0.5s", "1s", "2s"]),
            "base_ejection_time": draw.choice(["0.8s", "1.7s", "2.6s"]),
            "max_ejection_percent": draw.choice([100, 100, 50, 20]),
            "max_ejection_time_jitter": "0s",
        }
        if draw.random() < 0.3:
            detection["max_ejection_time"] = "4.1s"
        if draw.random() < 0.3:
            detection["always_eject_one_host"] = True
        self.cluster["outlier_detection"] = detection
        return detection

    def active_check(self) -> Json:
        """A check over HTTP."""
        draw = self.draw
        interval = draw.choice(["0.5s", "1s"])
        check: Json = {
            "timeout": "0.3s",
            "interval": interval,
            "no_traffic_interval": interval,
            "unhealthy_threshold": draw.randint(1, 3),
            "healthy_threshold": draw.randint(1, 3),
            "http_health_check": {"path": "/check"},
        }
        for key in ("unhealthy_interval", "unhealthy_edge_interval", "healthy_edge_interval"):
            if draw.random() < 0.25:
                check[key] = draw.choice(["0.5s", "1s"])
        self.cluster["health_checks"] = [check]
        return check

    # Families

    def runs(self) -> None:
        """Consecutive failures: answers of 5xx, gateway failures, broken connections."""
        draw = self.draw
        detection = self.detection()
        detection["consecutive_5xx"] = draw.randint(2, 8)
        detection["consecutive_gateway_failure"] = draw.randint(2, 8)
        detection["enforcing_consecutive_gateway_failure"] = draw.choice([0, 100])
        if draw.random() < 0.2:
            detection["enforcing_consecutive_5xx"] = 0
        detection["success_rate_minimum_hosts"] = 100
        for _ in range(draw.randint(1, 2)):
            self.fail(self.some(3), draw.choice([500, 502, 503, 504, 507, "reset"]))
        if draw.random() < 0.25:
            self.route["retry_policy"] = {
                "retry_on": "5xx",
                "num_retries": 1,
                "retry_back_off": {"base_interval": "0.002s", "max_interval": "0.004s"},
            }

    def local_origin(self) -> None:
        """What does not come from the endpoint: refused and broken connections, silence; split from answers or not."""
        draw = self.draw
        detection = self.detection()
        detection["split_external_local_origin_errors"] = draw.random() < 0.7
        detection["consecutive_5xx"] = draw.randint(2, 6)
        detection["consecutive_local_origin_failure"] = draw.randint(1, 6)
        if draw.random() < 0.5:
            detection["success_rate_minimum_hosts"] = 3
            detection["success_rate_request_volume"] = 5
            detection["enforcing_local_origin_success_rate"] = 100
        else:
            detection["success_rate_minimum_hosts"] = 100
        # No multiple of the time between two requests to a host: an answer that fails to come and the next connection
        # would fall on one moment.
        self.route["timeout"] = "0.29s"
        self.fail(self.some(2), draw.choice(["reset", "no_answer", "connect_failure"]))
        if draw.random() < 0.4:
            self.fail(self.some(2), draw.choice(["reset", "no_answer", "connect_failure", 503]))

    def rates(self) -> None:
        """Success rate and failure percentage."""
        draw = self.draw
        detection = self.detection()
        detection["consecutive_5xx"] = 1000
        detection["consecutive_gateway_failure"] = 1000
        detection["success_rate_minimum_hosts"] = draw.choice([3, 5, 100])
        detection["success_rate_request_volume"] = draw.choice([3, 10])
        detection["success_rate_stdev_factor"] = draw.choice([500, 1200, 1900])
        detection["failure_percentage_minimum_hosts"] = draw.choice([3, 5])
        detection["failure_percentage_request_volume"] = draw.choice([3, 10])
        detection["failure_percentage_threshold"] = draw.choice([30, 60, 85])
        detection["enforcing_failure_percentage"] = draw.choice([0, 100])
        detection["split_external_local_origin_errors"] = draw.random() < 0.3
        self.fail(self.some(2), draw.choice([500, 503, "reset"]), draw.choice([50, 100, 100]))
        if draw.random() < 0.5:
            self.fail(self.some(1), draw.choice([500, 503, "reset"]), draw.choice([50, 100]))

    def checks(self) -> None:
        """Active checks, alone or with ejections."""
        draw = self.draw
        self.active_check()
        hosts = self.some(3)
        begin = self.moment(1, 4)
        end = begin + draw.randint(2, 4)
        kind = draw.choice(["unhealthy", "degraded", "immediate_health_check_fail", "fails", "fails"])
        if kind == "fails":
            self.route["timeout"] = "0.4s"
            self.add(begin, hosts, fails="100%", fails_with=draw.choice([503, "reset", "no_answer", "connect_failure"]))
            self.add(end, hosts, fails="0%")
        else:
            self.add(begin, hosts, answers_checks=kind)
            self.add(end, hosts, answers_checks="healthy")
        if draw.random() < 0.5:
            detection = self.detection()
            detection["consecutive_5xx"] = draw.randint(2, 6)
            detection["success_rate_minimum_hosts"] = 100
            if draw.random() < 0.4:
                detection["successful_active_health_check_uneject_host"] = False
            if kind != "fails":
                self.fail(self.some(2), 500)

    def pushes(self) -> None:
        """What the proxy is told changes, while ejections or checks go on."""
        draw = self.draw
        kind = draw.choice(["detection", "check", "none"])
        if kind == "detection":
            self.detection()["consecutive_5xx"] = draw.randint(2, 5)
            self.cluster["outlier_detection"]["success_rate_minimum_hosts"] = 100
            self.fail(self.some(2), draw.choice([500, 503]))
        elif kind == "check":
            self.active_check()
            if draw.random() < 0.5:
                hosts, begin = self.some(2), self.moment(2, 5)
                self.add(begin, hosts, answers_checks="unhealthy")
                self.add(begin + 3, hosts, answers_checks="healthy")
        for _ in range(draw.randint(1, 3)):
            hosts, begin = self.some(2), self.moment(1, 7)
            end = round(begin + draw.choice([1, 2, 3, 4]), 2)
            what = draw.choice(["healthy", "degraded", "remove"])
            if any(set(event["endpoints"]) & set(hosts) and {"healthy", "degraded", "remove"} & set(event)
                   for event in self.events):
                continue
            if what == "healthy":
                self.add(begin, hosts, healthy=0)
                self.add(end, hosts, healthy=len(hosts))
            elif what == "degraded":
                self.add(begin, hosts, degraded=len(hosts))
                self.add(end, hosts, degraded=0)
            else:
                self.add(begin, hosts, remove=len(hosts))
                self.add(end, hosts, add=len(hosts))

    def limits(self) -> None:
        """Slow start of hosts that come back, or breakers in front of silent hosts."""
        draw = self.draw
        if draw.random() < 0.5:
            # As for failures of local origin: no multiple of the time between two requests to a host.
            self.route["timeout"] = draw.choice(["0.46s", "0.97s"])
            limit = draw.choice([5, 10, 20])
            self.cluster["circuit_breakers"] = {"thresholds": [{"max_requests": limit}]}
            self.fail(self.some(2), "no_answer")
            return
        policy = draw.choice(["ROUND_ROBIN", "LEAST_REQUEST"])
        self.cluster["lb_policy"] = policy
        self.rate = 100
        config: Json = {"slow_start_window": draw.choice(["2.2s", "3.7s"])}
        if draw.random() < 0.5:
            config["aggression"] = {"default_value": draw.choice([0.5, 1.5, 3.0]), "runtime_key": "no.such.key"}
        if draw.random() < 0.5:
            config["min_weight_percent"] = {"value": draw.choice([1, 25, 50])}
        self.cluster[f"{policy.lower()}_lb_config"] = {"slow_start_config": config}
        hosts, begin = self.some(2), self.moment(1, 3)
        end = begin + draw.randint(2, 3)
        if draw.random() < 0.5:
            self.add(begin, hosts, remove=len(hosts))
            self.add(end, hosts, add=len(hosts))
            return
        self.active_check()
        self.add(begin, hosts, answers_checks="unhealthy")
        self.add(end, hosts, answers_checks="healthy")

    def concurrency(self) -> None:
        """Requests that take a while, over a link with latency or not: retries, breakers and least request see many at once.

        Answers take so many times and a half as long as it is from request to request, so that none comes at the moment
        of the next request.
        """
        draw = self.draw
        self.rate = 100
        far = draw.choice(["a", "b"])
        self.links = [{"between": ["a", "b"], "latency": draw.choice(["0.01s", "0.02s"])}]
        self.groups = [
            {"count": draw.randint(2, 4), "zone": "a", "service_time": f"{draw.randint(0, 4) / 100 + 0.005:.3f}s"},
            {"count": draw.randint(1, 3), "zone": far, "service_time": f"{draw.randint(1, 9) / 100 + 0.005:.3f}s"},
        ]
        self.hosts = sum(group["count"] for group in self.groups)
        if self.cluster["lb_policy"] == "LEAST_REQUEST":
            self.cluster["least_request_lb_config"] = {"choice_count": draw.randint(2, 4)}
        threshold: Json = {"max_retries": draw.choice([0, 1, 3, 20])}
        for key, values in (("max_requests", (3, 5, 8)), ("max_connections", (2, 4)), ("max_pending_requests", (1, 3))):
            if draw.random() < 0.4:
                threshold[key] = draw.choice(values)
        if "max_connections" in threshold:
            # A line without end would remember for longer than the warm-up takes.
            threshold.setdefault("max_pending_requests", draw.choice([1, 3]))
        self.cluster["circuit_breakers"] = {"thresholds": [threshold]}
        if draw.random() < 0.7:
            self.route["retry_policy"] = {"retry_on": "5xx", "num_retries": draw.randint(1, 3)}
            self.fail(self.some(2), 503, draw.choice([50, 100]))
        else:
            self.fail(self.some(2), "no_answer")
            self.route["timeout"] = "0.205s"

    def moves(self) -> None:
        """Hosts that the proxy is told at another priority, in place, while ejections or checks go on."""
        draw = self.draw
        first = draw.randint(3, self.hosts - 2)
        self.groups = [{"count": first, "zone": "a"}, {"count": self.hosts - first, "zone": "a", "priority": 1}]
        if draw.random() < 0.5:
            self.detection()["consecutive_5xx"] = draw.randint(2, 5)
            self.cluster["outlier_detection"]["success_rate_minimum_hosts"] = 100
            self.fail(self.some(2), draw.choice([500, 503]))
        elif draw.random() < 0.5:
            self.active_check()
            hosts, begin = self.some(2), self.moment(2, 5)
            self.add(begin, hosts, answers_checks="unhealthy")
            self.add(begin + 3, hosts, answers_checks="healthy")
        down = [f"web-{number}" for number in sorted(draw.sample(range(1, first + 1), draw.randint(1, first - 1)))]
        begin = self.moment(1, 5)
        self.add(begin, down, to_priority=1)
        if draw.random() < 0.7:
            self.add(begin + draw.randint(2, 5), down, to_priority=0)
        if draw.random() < 0.5:
            self.add(self.moment(1, 9), [f"web-{draw.randint(first + 1, self.hosts)}"], to_priority=0)

    def sessions(self) -> None:
        """Users whose requests go where they went before, while hosts are ejected, unhealthy, degraded or gone."""
        draw = self.draw
        kind = draw.choice(["pushes", "checks", "ejections"])
        if kind == "pushes":
            self.pushes()
        elif kind == "checks":
            self.checks()
        else:
            self.detection()["consecutive_5xx"] = draw.randint(2, 5)
            self.cluster["outlier_detection"]["success_rate_minimum_hosts"] = 100
            self.fail(self.some(3), draw.choice([500, 503]))
        self.requests = [{"headers": {"x-user": f"u{user}"}} for user in range(1, draw.randint(4, 9))]
        if draw.random() < 0.3:
            self.common["override_host_status"] = {
                "statuses": draw.choice([["HEALTHY"], ["HEALTHY", "UNKNOWN", "DEGRADED"], ["UNHEALTHY", "HEALTHY"]])
            }
        cookie: Json = {"name": "sticky", "path": "/"}
        if draw.random() < 0.7:
            cookie["ttl"] = "600s"
        session: Json = {
            "session_state": {
                "name": "envoy.http.stateful_session.cookie",
                "typed_config": {
                    "@type": f"{_EXTENSIONS}http.stateful_session.cookie.v3.CookieBasedSessionState",
                    "cookie": cookie,
                },
            }
        }
        if draw.random() < 0.3:
            session["strict"] = True
        self.filters = {
            "typed_per_filter_config": {
                "envoy.filters.http.stateful_session": {
                    "@type": f"{_EXTENSIONS}filters.http.stateful_session.v3.StatefulSessionPerRoute",
                    "stateful_session": session,
                }
            }
        }
