"""The load-balancing policy of a random configuration, in a cluster's own fields or as a typed policy."""

import random
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

PACKAGE = "type.googleapis.com/envoy.extensions.load_balancing_policies"
PRIMES = (11, 101, 1009, 65537)
# Small rings and tables have shares far from even ones, which few requests tell apart.
RING_SIZES = (8, 64, 300, 1024)
HASHING = ("RING_HASH", "MAGLEV")
VERSIONS = ("1", "2", "3")
STAGES = ("prod", "dev")


@dataclass
class Features:
    """What the requests of a configuration may use."""

    hashes: bool = False
    subsets: bool = False


def add_policy(cluster: Json, common: Json, locality: Json | None, groups: list[Json], draw: random.Random) -> Features:
    """Gives the cluster a policy, and `locality` where that policy wants it."""
    name = draw.choice(["ROUND_ROBIN", "LEAST_REQUEST", "RANDOM", "RING_HASH", "MAGLEV"])
    if name in HASHING and locality and "zone_aware_lb_config" in locality:
        name = "ROUND_ROBIN"  # hash policies know no zones
    settings, hashing = _settings(name, draw)
    weighted = locality is not None and "locality_weighted_lb_config" in locality
    typed = draw.random() < 0.5
    subset = _subset(groups, weighted, draw) if draw.random() < 0.3 else None
    features = Features(hashes=name in HASHING, subsets=subset is not None)
    if typed:
        policy = _typed(name, settings, hashing, _typed_locality(locality, draw))
        if name == "LEAST_REQUEST" and draw.random() < 0.3:
            policy["selection_method"] = "FULL_SCAN"
        if subset:
            policy = {"@type": f"{PACKAGE}.subset.v3.Subset", **subset, "subset_lb_policy": _list_of(policy)}
        cluster["load_balancing_policy"] = _list_of(policy)
        return features
    cluster["lb_policy"] = name
    if settings:
        cluster[f"{name.lower()}_lb_config"] = settings
    if hashing:
        common["consistent_hashing_lb_config"] = hashing
    if subset:
        cluster["lb_subset_config"] = subset
    common.update(locality or {})
    return features


def _settings(name: str, draw: random.Random) -> tuple[Json, Json]:
    hashing: Json = {}
    if name in HASHING and draw.random() < 0.25:
        hashing["hash_balance_factor"] = draw.choice([100, 120, 200])
    if name == "RING_HASH":
        return {
            "minimum_ring_size": draw.choice(RING_SIZES),
            "hash_function": draw.choice(["XX_HASH", "XX_HASH", "MURMUR_HASH_2"]),
        }, hashing
    if name == "MAGLEV":
        return {"table_size": draw.choice(PRIMES)}, hashing
    if name == "LEAST_REQUEST":
        return {"choice_count": draw.randint(2, 5)}, hashing
    return {}, hashing


def _typed(name: str, settings: Json, hashing: Json, locality: Json | None) -> Json:
    kinds = {
        "ROUND_ROBIN": "round_robin.v3.RoundRobin",
        "LEAST_REQUEST": "least_request.v3.LeastRequest",
        "RANDOM": "random.v3.Random",
        "RING_HASH": "ring_hash.v3.RingHash",
        "MAGLEV": "maglev.v3.Maglev",
    }
    policy: Json = {"@type": f"{PACKAGE}.{kinds[name]}", **settings}
    if hashing:
        policy["consistent_hashing_lb_config"] = hashing
    if locality and name in HASHING:
        policy["locality_weighted_lb_config"] = {}
    elif locality:
        policy["locality_lb_config"] = locality
    return policy


def _typed_locality(locality: Json | None, draw: random.Random) -> Json | None:
    """What zone-aware routing knows in typed policies alone."""
    if not locality or "zone_aware_lb_config" not in locality:
        return locality
    config: Json = dict(locality["zone_aware_lb_config"])
    if draw.random() < 0.3:
        config["force_local_zone"] = {"min_size": draw.randint(1, 4)}
    if draw.random() < 0.5:
        config["locality_basis"] = "HEALTHY_HOSTS_WEIGHT"
    return {"zone_aware_lb_config": config}


def _list_of(policy: Json) -> Json:
    return {"policies": [{"typed_extension_config": {"name": "policy", "typed_config": policy}}]}


def _subset(groups: list[Json], weighted: bool, draw: random.Random) -> Json:
    """Subsets by version and stage, which the groups are given."""
    for group in groups:
        group["metadata"] = {"version": draw.choice(VERSIONS), "stage": draw.choice(STAGES)}
    subset: Json = {
        "fallback_policy": draw.choice(["NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET"]),
        "default_subset": {"stage": "prod"},
        "subset_selectors": [{"keys": ["version"]}, {"keys": ["stage", "version"]}],
    }
    fallback = draw.choice([None, None, "NO_FALLBACK", "ANY_ENDPOINT", "DEFAULT_SUBSET", "KEYS_SUBSET"])
    if fallback is not None:
        selector = subset["subset_selectors"][1]
        selector["fallback_policy"] = fallback
        if fallback == "KEYS_SUBSET":
            selector["fallback_keys_subset"] = ["version"]
    if draw.random() < 0.3:
        subset["panic_mode_any"] = True
    if draw.random() < 0.3:
        subset["list_as_any"] = True
        groups[0]["metadata"]["stage"] = ["prod", "dev"]
    if weighted and draw.random() < 0.7:  # Envoy refuses it of localities without weights
        subset["locality_weight_aware"] = True
        subset["scale_locality_weight"] = draw.random() < 0.5
    return subset
