#!/usr/bin/env python3
"""Writes a /config_dump as large meshes have them: large_dump.py [CLUSTERS [ENDPOINTS]] > dump.json

Clusters as a sidecar has them, with TLS and circuit breakers, endpoints in three zones and two priorities.
"""
import json
import sys

TYPE = "type.googleapis.com/envoy."


def cluster(name):
    return {
        "version_info": "2026-11-01T00:00:00Z/17",
        "cluster": {
            "@type": TYPE + "config.cluster.v3.Cluster",
            "name": name,
            "type": "EDS",
            "eds_cluster_config": {
                "eds_config": {"ads": {}, "initial_fetch_timeout": "0s", "resource_api_version": "V3"},
                "service_name": name,
            },
            "connect_timeout": "10s",
            "lb_policy": "LEAST_REQUEST",
            "circuit_breakers": {
                "thresholds": [
                    {
                        "max_connections": 4294967295,
                        "max_pending_requests": 4294967295,
                        "max_requests": 4294967295,
                        "max_retries": 4294967295,
                        "track_remaining": True,
                    }
                ]
            },
            "common_lb_config": {"locality_weighted_lb_config": {}},
            "metadata": {"filter_metadata": {"istio": {"services": [{"host": name, "namespace": "shop"}]}}},
            "transport_socket_matches": [
                {
                    "name": "tlsMode-istio",
                    "match": {"tlsMode": "istio"},
                    "transport_socket": {
                        "name": "envoy.transport_sockets.tls",
                        "typed_config": {
                            "@type": TYPE + "extensions.transport_sockets.tls.v3.UpstreamTlsContext",
                            "common_tls_context": {"alpn_protocols": ["istio-peer-exchange", "istio"]},
                            "sni": name,
                        },
                    },
                },
                {
                    "name": "tlsMode-disabled",
                    "match": {},
                    "transport_socket": {
                        "name": "envoy.transport_sockets.raw_buffer",
                        "typed_config": {"@type": TYPE + "extensions.transport_sockets.raw_buffer.v3.RawBuffer"},
                    },
                },
            ],
        },
        "last_updated": "2026-11-01T00:00:00.000Z",
    }


def endpoint(number):
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    return {
        "endpoint": {
            "address": {"socket_address": {"address": address, "port_value": 8080}},
            "health_check_config": {},
        },
        "health_status": "HEALTHY",
        "metadata": {
            "filter_metadata": {"envoy.transport_socket_match": {"tlsMode": "istio"}, "istio": {"workload": "web;shop"}}
        },
        "load_balancing_weight": 1,
    }


def assignment(name, numbers):
    zones = [
        {
            "locality": {"region": "eu", "zone": f"eu-{zone}"},
            "lb_endpoints": [endpoint(number) for number in numbers[zone::3]],
            "load_balancing_weight": 1 + len(numbers[zone::3]),
            "priority": 1 if zone == 2 else 0,
        }
        for zone in range(3)
    ]
    return {
        "endpoint_config": {
            "@type": TYPE + "config.endpoint.v3.ClusterLoadAssignment",
            "cluster_name": name,
            "endpoints": [zone for zone in zones if zone["lb_endpoints"]],
            "policy": {"overprovisioning_factor": 140},
        }
    }


def main():
    clusters = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    endpoints = int(sys.argv[2]) if len(sys.argv) > 2 else 50_000
    names = [f"outbound|80||web-{number}.shop.svc.cluster.local" for number in range(clusters)]
    dump = {
        "configs": [
            {
                "@type": TYPE + "admin.v3.BootstrapConfigDump",
                "bootstrap": {"node": {"id": "sidecar~10.0.0.1", "locality": {"region": "eu", "zone": "eu-0"}}},
            },
            {
                "@type": TYPE + "admin.v3.ClustersConfigDump",
                "version_info": "17",
                "dynamic_active_clusters": [cluster(name) for name in names],
            },
            {
                "@type": TYPE + "admin.v3.EndpointsConfigDump",
                "dynamic_endpoint_configs": [
                    assignment(name, range(position, endpoints, clusters)) for position, name in enumerate(names)
                ],
            },
        ]
    }
    json.dump(dump, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
