"""Timelines: what is read from a scenario, and that the judge sees events and requests that move."""

import json
import tempfile
import unittest
from pathlib import Path

from parity.timelines.generate import generate
from parity.timelines.judge import judge, student_quantile
from parity.timelines.record import HostEvent, Recording
from parity.timelines.script import Script, Told, read_script
from parity.timelines.simulate import logged_of


def script(index: int) -> Script:
    """A generated timeline."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "timeline.json"
        file.write_text(json.dumps(generate(1, index)))
        return read_script(file, 0)


def recording(of: Script, host: int = 0, at: float = 3.0, busy: str = "") -> Recording:
    """Every host gets requests in turn; one of them is ejected at a moment. `busy` gets all from the sixth second on."""
    names = [one.name for one in of.hosts]
    requests = [
        (number / of.rate, busy if busy and number / of.rate >= 6.0 else names[number % len(names)], "ok")
        for number in range(round(of.duration * of.rate))
    ]
    return Recording([HostEvent(at, names[host], "ejected")], requests)


class Log(unittest.TestCase):
    def test_the_log_knows_hosts_that_fail_and_come_back_but_not_how_well_they_are(self) -> None:
        events = ["degraded", "unhealthy", "ejected", "degraded", "healthy", "returned"]
        rows = [{"at_s": float(at), "endpoint": "a", "event": event} for at, event in enumerate(events)]
        self.assertEqual(
            logged_of(rows),
            [(1.0, "a", "marked_unhealthy"), (2.0, "a", "ejected"), (3.0, "a", "marked_healthy"), (5.0, "a", "returned")],
        )


class Reading(unittest.TestCase):
    def test_every_family_can_be_read(self) -> None:
        for index in range(60):
            read = script(index)
            self.assertEqual(read.duration, 12.0)
            self.assertTrue(read.behaviours or len(read.pushes) > 1)

    def test_what_is_removed_is_neither_listed_nor_there(self) -> None:
        scenario = generate(1, 0)
        scenario["timeline"] = [{"at": "2s", "service": "web", "endpoints": ["web-2"], "remove": 1}]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "timeline.json"
            file.write_text(json.dumps(scenario))
            read = read_script(file, 0)
        self.assertEqual(read.pushes[1][1]["web-2"], Told(listed=False))
        self.assertFalse(read.behaviours[0][2].exists)


class Judging(unittest.TestCase):
    def setUp(self) -> None:
        self.script = script(0)
        self.simulated = [recording(self.script, at=3.0 + number / 1000) for number in range(24)]

    def differences(self, real: Recording) -> list[str]:
        return [one.text for one in judge(self.script, [real] * 3, self.simulated, 10000)]

    def test_the_same_agrees(self) -> None:
        self.assertEqual(self.differences(recording(self.script)), [])

    def test_an_event_that_is_late_differs(self) -> None:
        self.assertIn("ejected 3.30", self.differences(recording(self.script, at=3.3))[0])

    def test_an_event_that_is_missing_differs(self) -> None:
        real = recording(self.script)
        real.events.clear()
        self.assertIn("real nothing", self.differences(real)[0])

    def test_requests_that_go_elsewhere_differ(self) -> None:
        found = self.differences(recording(self.script, busy=self.script.hosts[0].name))
        self.assertTrue(any("from 6 s to 7 s" in text for text in found))

    def test_one_odd_run_of_three_is_forgiven(self) -> None:
        good, odd = recording(self.script), recording(self.script, at=5.0)
        self.assertEqual(judge(self.script, [good, odd, good], self.simulated, 10000), [])

    def test_quantiles_of_student(self) -> None:
        self.assertAlmostEqual(student_quantile(0.975, 10), 2.228, places=3)
        self.assertAlmostEqual(student_quantile(0.999, 23), 3.485, places=3)
