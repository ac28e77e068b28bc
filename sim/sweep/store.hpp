// The file of a sweep: finished points, claims of processes, and results (tables.hpp; docs/sweeps.md).
//
//   Store store("rates.sqlite", definition, {.shard = {3, 100}});
//   while (auto point = store.claim()) { ... store.put(*point, inputs, figures); }
//
// Each point is stored in one transaction: it is stored completely or not at all, however the process ends. Claims
// prevent several processes on one file from simulating a point twice. Claims of processes that have ended become free.
// Errors of the file are thrown as StoreProblem. Not to be used in a forked child.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/sweep/space.hpp"

namespace spillway::sweep {

struct Figures;  // figures.hpp

// SP953: the file cannot be written. SP954: it contains something else. SP955: its file system is shared by machines.
// SP967: its contents were not written by a sweep.
class StoreProblem : public std::runtime_error {
 public:
  StoreProblem(std::string problem_code, const std::string& message, std::string what_helps = "")
      : std::runtime_error(message), code(std::move(problem_code)), help(std::move(what_helps)) {}
  std::string code;
  std::string help;
};

// All inputs that determine a sweep's points. Point p has setting p / (sides x replications); the remainder selects the
// side, then the replication.
struct Definition {
  struct SideName {
    std::string name;
    std::string file;
    std::string fingerprint;
  };
  std::string version;  // of the program
  std::string text;     // JSON; equal texts mean equal sweeps
  std::vector<SideName> sides;
  std::vector<Key> keys;
  std::uint64_t settings = 1;
  std::uint32_t replications = 1;
  Design design = Design::grid;
  std::uint64_t samples = 1;

  [[nodiscard]] std::uint64_t points() const noexcept { return settings * sides.size() * replications; }
};

struct PointPlace {
  std::uint64_t setting = 0;
  std::uint32_t side = 0;
  std::uint32_t replication = 0;
};
[[nodiscard]] PointPlace place_of(const Definition& definition, std::uint64_t point);

// Selects the points whose number modulo count is index - 1.
struct Shard {
  std::uint64_t index = 1;  // from 1
  std::uint64_t count = 1;
};

class Store {
 public:
  struct Options {
    Shard shard = {};
    // Names of run::EventKind, in its order.
    std::vector<std::string> event_names = {};
    // True if no other process writes to the file; any file system is then accepted.
    bool alone = false;
  };

  Store(const std::string& path, const Definition& definition, Options options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Returns the next point that is neither done nor being simulated; nullopt if none is left for this process.
  [[nodiscard]] std::optional<std::uint64_t> claim();

  // Stores a point. `values`, and `parts` for a sampled design, are by key.
  void put(std::uint64_t point, const std::vector<Value>& values, const std::vector<double>& parts,
           const Figures& figures);

  // Releases claimed points that were not stored.
  void release();

  // Returns the shard's number of points; done() the finished ones.
  [[nodiscard]] std::uint64_t points() const;
  [[nodiscard]] std::uint64_t done();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Returns the name of the file's file system if several machines may share it; nullopt if it is local.
[[nodiscard]] std::optional<std::string> network_file_system(const std::string& path);

// Adds the points of files to another file, which is created if necessary. Returns the number of points added.
// Precondition: all files are of one sweep.
[[nodiscard]] std::uint64_t merge(const std::string& into, const std::vector<std::string>& files);

}  // namespace spillway::sweep
