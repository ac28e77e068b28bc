"""A real Envoy under load: what `spillway compare` says of its configuration and its counts."""
