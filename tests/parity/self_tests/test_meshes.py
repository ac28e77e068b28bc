"""Random meshes: what they contain, and that a wrong share, status or endpoint of one kind of requests is found."""

import unittest
from collections import Counter
from pathlib import Path

from parity.generate_kuma import generate_mesh
from parity.meshes import Expected, MeshVerdict, _compare

KIND = {"name": "a-0", "path": "/", "headers": {}}
ALPHA = 1e-8


def problems(counts: dict[str, int], expected: Expected) -> list[str]:
    verdict = MeshVerdict("a mesh", Path("mesh.json"))
    _compare(verdict, KIND, Counter(counts), expected, ALPHA)
    return verdict.problems


class Comparisons(unittest.TestCase):
    def test_fitting_counts_agree(self) -> None:
        self.assertEqual(problems({"a a1": 420, "a a2": 180}, Expected({"a a1": 0.7, "a a2": 0.3})), [])

    def test_a_wrong_share_differs(self) -> None:
        self.assertTrue(problems({"a a1": 300, "a a2": 300}, Expected({"a a1": 0.7, "a a2": 0.3})))

    def test_a_request_elsewhere_differs(self) -> None:
        self.assertTrue(problems({"a a1": 599, "b b1": 1}, Expected({"a a1": 1.0})))

    def test_a_wrong_answer_of_the_proxy_differs(self) -> None:
        expected = Expected({"a a1": 0.5}, Counter({"a a1": 500, "no host": 500}), answers_500=True)
        self.assertEqual(problems({"a a1": 300, "answer 500": 300}, expected), [])
        self.assertTrue(problems({"a a1": 300, "no host": 300}, expected))


class Meshes(unittest.TestCase):
    def test_the_same_number_gives_the_same_mesh(self) -> None:
        self.assertEqual(generate_mesh(1, 7), generate_mesh(1, 7))
        self.assertNotEqual(generate_mesh(1, 7), generate_mesh(2, 7))

    def test_both_releases_and_every_kind_of_policy_occur(self) -> None:
        meshes = [generate_mesh(1, number) for number in range(100)]
        kinds = Counter(policy["type"] for mesh in meshes for policy in mesh["policies"])
        self.assertEqual({mesh["profile"]["kuma"] for mesh in meshes}, {"head", "release-2.14"})
        for kind in ("HTTPRoute", "TCPRoute", "LoadBalancingStrategy", "Retry", "Timeout", "CircuitBreaker"):
            self.assertGreater(kinds[f"Mesh{kind}"], 10)


if __name__ == "__main__":
    unittest.main()
