"""The G-test against tables of the chi-squared distribution."""

import unittest
from collections import Counter

from parity.statistics import chi_squared_survival, g_test


class ChiSquared(unittest.TestCase):
    def test_printed_tables(self) -> None:
        # Critical values as tables print them: degrees, probability, value.
        for degrees, probability, value in (
            (1, 0.05, 3.841),
            (10, 0.05, 18.307),
            (10, 0.001, 29.588),
            (100, 0.01, 135.807),
        ):
            self.assertAlmostEqual(chi_squared_survival(value, degrees), probability, places=4)

    def test_nothing_to_compare_fits(self) -> None:
        self.assertEqual(chi_squared_survival(0.0, 5), 1.0)
        self.assertEqual(chi_squared_survival(3.0, 0), 1.0)


class Fits(unittest.TestCase):
    def test_one_request_where_the_share_is_zero_is_impossible(self) -> None:
        fit = g_test(Counter({"a": 999, "b": 1}), {"a": 1.0})
        self.assertIsNotNone(fit.impossible)
        self.assertIn("b: 1", str(fit.impossible))

    def test_six_points_of_four_thousand_requests_are_seen(self) -> None:
        self.assertLess(g_test(Counter({"a": 2560, "b": 1440}), {"a": 0.7, "b": 0.3}).p_value, 1e-9)

    def test_even_counts_fit(self) -> None:
        self.assertGreater(g_test(Counter({"a": 1000, "b": 1001}), {"a": 0.5, "b": 0.5}).p_value, 0.9)

    def test_thin_cells_are_added_up(self) -> None:
        shares = {number: 0.001 for number in range(1000)}
        self.assertGreater(g_test(Counter({number: 1 for number in range(1000)}), shares).p_value, 0.5)
        self.assertLess(g_test(Counter({number: 10 for number in range(100)}), shares).p_value, 1e-9)


if __name__ == "__main__":
    unittest.main()
