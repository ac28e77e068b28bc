"""Time: ejections, checks, pushes, slow start and breakers, recorded on a real Envoy and simulated from the same scenario."""
