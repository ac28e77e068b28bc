"""Every field of Envoy's that the schema calls harmless has a probe, or a reason why it has none."""

import unittest

from parity.probes.fields import NOT_PROBED, PROBES
from parity.probes.run import harmless_fields


class Coverage(unittest.TestCase):
    def test_every_harmless_field_is_asked(self) -> None:
        asked = {probe.field for probe in PROBES} | set(NOT_PROBED)
        self.assertEqual([field for field in harmless_fields() if field not in asked], [])

    def test_each_once(self) -> None:
        self.assertEqual(len({probe.field for probe in PROBES}), len(PROBES))
