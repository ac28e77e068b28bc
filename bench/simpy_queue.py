"""M/M/c in SimPy, a process a request: what a general simulation library costs. Arguments: requests, cores."""
import random
import sys
import time

import simpy

REQUESTS, CORES = int(sys.argv[1]), int(sys.argv[2])
SERVICE, UTILISATION = 0.01, 0.7

random.seed(1)
environment = simpy.Environment()
station = simpy.Resource(environment, capacity=CORES)
latencies = 0.0


def request():
    global latencies
    began = environment.now
    with station.request() as core:
        yield core
        yield environment.timeout(random.expovariate(1 / SERVICE))
    latencies += environment.now - began


def arrivals():
    for _ in range(REQUESTS):
        yield environment.timeout(random.expovariate(UTILISATION * CORES / SERVICE))
        environment.process(request())


start = time.process_time()
environment.process(arrivals())
environment.run()
took = time.process_time() - start
print(f"{REQUESTS / took / 1e6:.4f} million requests a second, mean latency {latencies / REQUESTS * 1e3:.4f} ms")
