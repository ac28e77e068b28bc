"""A real Envoy judges Spillway: what it does with an exported scenario against what Spillway says of it."""
