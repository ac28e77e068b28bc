"""Whether a case's requests say themselves, by their hash, which endpoint they go to."""

import re
from typing import Any

from parity.case import Case, Sent

HASH_POLICIES = ("ring_hash.v3.RingHash", "maglev.v3.Maglev")


def is_decided_by_keys(case: Case) -> bool:
    """Whether every kind of request has one endpoint: it is hashed, and nothing on its way is left to chance.

    An aggregate cluster draws which of its clusters is asked, a list of weighted clusters too.
    """
    actions = case.actions
    if len(actions) < len(case.routes) or any("cluster" not in action for action in actions):
        return False
    reached = [cluster for cluster in case.clusters if any(action["cluster"] == cluster["name"] for action in actions)]
    return all(_hashes(cluster.get("load_balancing_policy")) for cluster in reached) and all(
        any(_is_found(policy, kind) for policy in _hash_policies(actions)) for kind in case.requests
    )


def _hashes(policies: dict[str, Any] | None) -> bool:
    """Whether the policy at the bottom is one of hashing."""
    if policies is None:
        return False
    config = policies["policies"][0]["typed_extension_config"]["typed_config"]
    if "subset_lb_policy" in config:
        return _hashes(config["subset_lb_policy"])
    return bool(config["@type"].endswith(HASH_POLICIES))


def _hash_policies(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of every route: generated routes have the same, and a documented one is the only one."""
    return [policy for action in actions for policy in action.get("hash_policy", [])]


def _is_found(policy: dict[str, Any], kind: Sent) -> bool:
    headers = {name.lower(): value for name, value in kind.headers}
    if "header" in policy:
        return policy["header"]["header_name"].lower() in headers
    if "cookie" in policy:
        return re.search(rf"(^|;\s*){re.escape(policy['cookie']['name'])}=", headers.get("cookie", "")) is not None
    if "query_parameter" in policy:
        return re.search(rf"[?&]{re.escape(policy['query_parameter']['name'])}=", headers.get(":path", "")) is not None
    return bool(policy.get("connection_properties", {}).get("source_ip"))
