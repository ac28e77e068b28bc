"""Cases in which one moment is not all: what an Envoy does then depends on what it did before, or on clocks."""

from parity.case import Case


def over_time(case: Case) -> str | None:
    """Why the case cannot be compared at one moment; None if it can."""
    if (case.folder / "upstream.json").exists():
        return "active checks change health by their own clock"
    if case.some_host_fails and any("outlier_detection" in cluster for cluster in case.clusters):
        return "ejections follow from the requests before"
    if any("typed_per_filter_config" in route for route in case.routes):
        return "a session's first request decides where the others go"
    if case.shares is None and case.states > 1:
        return "no closed form, and its balancing inputs change within the row"
    return None
