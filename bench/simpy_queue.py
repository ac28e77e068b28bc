"""M/M/c in SimPy, a process a request: what a general simulation library costs. Arguments: requests, cores.

For Debian's python3-simpy, which is SimPy 2, and for later ones.
"""
import random
import sys
import time

REQUESTS, CORES = int(sys.argv[1]), int(sys.argv[2])
SERVICE, UTILISATION = 0.01, 0.7
latencies = 0.0


def service():
    return random.expovariate(1 / SERVICE)


def gap():
    return random.expovariate(UTILISATION * CORES / SERVICE)


def play_simpy_2():
    from SimPy.Simulation import Process, Resource, Simulation, hold, release, request

    simulation = Simulation()
    simulation.initialize()
    station = Resource(capacity=CORES, sim=simulation)

    class Request(Process):
        def live(self):
            global latencies
            began = self.sim.now()
            yield request, self, station
            yield hold, self, service()
            yield release, self, station
            latencies += self.sim.now() - began

    class Arrivals(Process):
        def live(self):
            for _ in range(REQUESTS):
                yield hold, self, gap()
                one = Request(sim=self.sim)
                self.sim.activate(one, one.live())

    arrivals = Arrivals(sim=simulation)
    simulation.activate(arrivals, arrivals.live())
    simulation.simulate(until=1e12)


def play_simpy(simpy):
    environment = simpy.Environment()
    station = simpy.Resource(environment, capacity=CORES)

    def live():
        global latencies
        began = environment.now
        with station.request() as core:
            yield core
            yield environment.timeout(service())
        latencies += environment.now - began

    def arrivals():
        for _ in range(REQUESTS):
            yield environment.timeout(gap())
            environment.process(live())

    environment.process(arrivals())
    environment.run()


random.seed(1)
start = time.process_time()
try:
    import simpy
except ImportError:
    play_simpy_2()
else:
    play_simpy(simpy)
took = time.process_time() - start
print(f"{REQUESTS / took / 1e6:.4f} million requests a second, mean latency {latencies / REQUESTS * 1e3:.4f} ms")
