// `spillway-mpi` under a real mpirun, where the build found an MPI.
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <thread>

#include "tests/cli/sweep_file.hpp"
#include "tests/support/program.hpp"

#ifdef SPILLWAY_MPI_PROGRAM

using namespace spillway::support;

namespace {

// Open MPI asks for the first two where the user is root, as in containers. Jobs that run at the same time have folders
// of their own: one that ends clears away what is in the common one.
std::string mpirun(const std::filesystem::path& folder) {
  return "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
         "OMPI_MCA_orte_tmpdir_base=" +
         shell_quoted(folder.string()) + " " SPILLWAY_MPIRUN;
}

// How many ranks, and what they sweep.
std::string job(int ranks, const std::string& scenario, const std::string& file, const std::string& more = "") {
  return mpirun(std::filesystem::path(file).parent_path()) + " -n " + std::to_string(ranks) + " " +
         shell_quoted(SPILLWAY_MPI_PROGRAM) + " sweep " + shell_quoted(scenario) +
         " --over 'clients[shop].workload.rate=50..350/40' --replications 5 -o " + shell_quoted(file) + " " + more;
}

// A process of spillway-mpi that is no rank 0 and works on this file; 0: none.
pid_t rank_of(const std::string& file) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) {
      continue;
    }
    const std::string words = contents("/proc/" + name + "/cmdline");
    const std::string environment = contents("/proc/" + name + "/environ");
    const bool working = words.find("spillway-mpi") < words.find('\0') && words.find(file) != std::string::npos;
    const bool second = environment.find("OMPI_COMM_WORLD_RANK=2") != std::string::npos ||
                        environment.find("PMI_RANK=2") != std::string::npos;
    if (working && second) {
      return std::stoi(name);
    }
  }
  return 0;
}

}  // namespace

TEST_CASE("a sweep by MPI ends with the rows of one process, also when a rank is killed and the job begun again",
          "[unsanitized]") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", with(queue_scenario, "duration: 2s", "duration: 60s"));
  const std::string alone = folder.path("alone.sqlite");
  REQUIRE(run_program({"sweep", scenario, "--over", "clients[shop].workload.rate=50..350/40", "--replications", "5",
                       "-j", "2", "-o", alone})
              .code == 0);
  const std::string file = folder.path("mpi.sqlite");
  int code = 0;
  std::thread work([&] { code = std::system((job(4, scenario, file) + " > /dev/null 2>&1").c_str()); });
  bool killed = false;
  for (int moment = 0; moment < 400 && !killed; ++moment) {
    usleep(20'000);
    const pid_t rank = std::filesystem::exists(file) ? rank_of(file) : 0;
    killed = rank > 0 && kill(rank, SIGKILL) == 0;
  }
  work.join();
  CHECK(killed);
  CHECK(code != 0);
  REQUIRE(std::system((job(4, scenario, file) + " > /dev/null 2>&1").c_str()) == 0);
  CHECK(tables_of(file) == tables_of(alone));
}

TEST_CASE("spillway-mpi refuses other commands, one rank, and a sweep that cannot be read, and say why") {
  const TemporaryFolder folder;
  const std::string scenario = folder.write("queue.yaml", queue_scenario);
  const auto said = [&](const std::string& command) {
    const std::string out = folder.path("said");
    const int code =
        std::system(("timeout 60 " + std::string("env ") + command + " > " + shell_quoted(out) + " 2>&1").c_str());
    CHECK(code != 0);
    return contents(out);
  };
  CHECK(has(said(job(1, scenario, folder.path("a.sqlite"))), "error[SP904]"));
  CHECK(has(said(job(3, scenario, folder.path("a.sqlite"), "--seed x")), "error[SP904]"));
  CHECK(has(
      said(mpirun(folder.path("")) + " -n 3 " + shell_quoted(SPILLWAY_MPI_PROGRAM) + " run " + shell_quoted(scenario)),
      "error[SP901]"));
  CHECK(has(said(job(3, folder.path("absent.yaml"), folder.path("a.sqlite"))), "error[SP001]"));
}

#endif
