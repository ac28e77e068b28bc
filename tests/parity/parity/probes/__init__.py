"""Fields that Spillway accepts as without influence on where requests go, each held against a real Envoy."""
