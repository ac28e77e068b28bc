"""Every field of Envoy's that the schema calls harmless has a probe, or a reason why it has none."""

import unittest

from parity.probes.fields import NOT_PROBED, PROBES, WHY_NO_MOVE, why_no_move
from parity.probes.run import harmless_fields


class Coverage(unittest.TestCase):
    def test_every_harmless_field_is_asked(self) -> None:
        asked = {probe.field for probe in PROBES} | set(NOT_PROBED)
        self.assertEqual([field for field in harmless_fields() if field not in asked], [])

    def test_each_once(self) -> None:
        self.assertEqual(len({probe.field for probe in PROBES}), len(PROBES))

    def test_every_probe_makes_its_field_matter_or_says_why_none_can(self) -> None:
        self.assertEqual([probe.field for probe in PROBES if probe.moves is None and not why_no_move(probe)], [])
        self.assertEqual([probe.field for probe in PROBES if probe.moves is not None and probe.moves == probe.value], [])
        used = {".".join(probe.field.rsplit(".", 2)[-2:]) for probe in PROBES if probe.moves is None}
        self.assertEqual(sorted(set(WHY_NO_MOVE) - used), [])
