"""Verdicts: what agrees, what differs, and that a sabotaged bootstrap is caught."""

import unittest
from collections import Counter
from pathlib import Path

from parity.case import NO_HOST, Case, Place, Sent
from parity.judge import judge
from parity.traffic import Observed

A = Place("backend", 0, "zone-1", "backend-1")
B = Place("backend", 1, "zone-2", "backend-2")
ALPHA = 1e-8


def case(shares: dict[Place, float], keys: dict[str, float] | None = None) -> Case:
    """A case of one ring hash cluster if there are keys, else of round robin."""
    kind = "ring_hash.v3.RingHash" if keys else "round_robin.v3.RoundRobin"
    policies = [{"header": {"header_name": "x-key"}}] if keys else []
    manager = {
        "route_config": {"virtual_hosts": [{"routes": [{"route": {"cluster": "backend", "hash_policy": policies}}]}]}
    }
    listener = {"filter_chains": [{"filters": [{"typed_config": manager}]}]}
    made = Case("a case", Path("scenario.yaml"), "client", "backend", "0s", shares)
    policy = {"policies": [{"typed_extension_config": {"typed_config": {"@type": kind}}}]}
    cluster = {"name": "backend", "load_balancing_policy": policy}
    made.bootstrap = {"static_resources": {"clusters": [cluster], "listeners": [listener]}}
    made.requests = [Sent(key, weight, (("x-key", key),)) for key, weight in (keys or {}).items()]
    if not keys:
        made.requests = [Sent("any", 1.0, ())]
    return made


def observed(counts: dict[Place, int], keys: dict[str, list[Place]] | None = None) -> Observed:
    return Observed(Counter(counts), keys or {}, sent=sum(counts.values()))


class Counts(unittest.TestCase):
    def test_fitting_counts_agree(self) -> None:
        self.assertEqual(judge(case({A: 0.7, B: 0.3}), observed({A: 2800, B: 1200}), ALPHA).problems, [])

    def test_a_shifted_share_differs(self) -> None:
        self.assertTrue(judge(case({A: 0.7, B: 0.3}), observed({A: 2500, B: 1500}), ALPHA).problems)

    def test_what_shares_lack_finds_no_host(self) -> None:
        self.assertEqual(judge(case({A: 0.5}), observed({A: 2000, NO_HOST: 2000}), ALPHA).problems, [])
        self.assertTrue(judge(case({A: 1.0}), observed({A: 3999, NO_HOST: 1}), ALPHA).problems)

    def test_requests_that_end_in_no_cluster_of_the_service_differ(self) -> None:
        self.assertTrue(judge(case({A: 0.7, B: 0.3}), Observed(sent=4000), ALPHA).problems)


class Keys(unittest.TestCase):
    KEYS = {"k1": 1.0, "k2": 2.0, "k3": 4.0}
    SHARES = {A: 3 / 7, B: 4 / 7}

    def test_equal_maps_agree(self) -> None:
        verdict = judge(case(self.SHARES, self.KEYS), observed({}, {"k1": [A, A], "k2": [A, A], "k3": [B, B]}), ALPHA)
        self.assertEqual((verdict.problems, verdict.keys), ([], 3))

    def test_one_key_elsewhere_differs(self) -> None:
        self.assertTrue(
            judge(
                case(self.SHARES, self.KEYS), observed({}, {"k1": [B, B], "k2": [A, A], "k3": [A, A]}), ALPHA
            ).problems
        )

    def test_a_key_in_two_places_differs(self) -> None:
        verdict = judge(case(self.SHARES, self.KEYS), observed({}, {"k1": [A, B], "k2": [A, A], "k3": [B, B]}), ALPHA)
        self.assertIn("k1 went to", verdict.problems[0])


if __name__ == "__main__":
    unittest.main()
