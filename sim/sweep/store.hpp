// The file of a sweep: what is done, who plays what, and what came out (tables.hpp; docs/sweeps.md).
//
//   Store store("rates.sqlite", definition, {.shard = {3, 100}});
//   while (auto point = store.claim()) { ... store.put(*point, inputs, figures); }
//
// A point is put as one transaction: whatever ends the process, and whenever, it is there as a whole or not at all.
// Claims keep several processes on one file from playing a point twice; those of a process that is gone are free again.
// What is wrong with the file is a StoreProblem. Not to be used in a forked child.
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

// SP953 the file does not take it, SP954 it holds something else, SP955 its file system is shared by machines, SP967
// no sweep wrote what it holds.
class StoreProblem : public std::runtime_error {
 public:
  StoreProblem(std::string problem_code, const std::string& message, std::string what_helps = "")
      : std::runtime_error(message), code(std::move(problem_code)), help(std::move(what_helps)) {}
  std::string code;
  std::string help;
};

// Everything that the points of a sweep follow from. Point p is setting p / (sides x replications), of that the side,
// of that the replication.
struct Definition {
  struct SideName {
    std::string name;
    std::string file;
    std::string fingerprint;
  };
  std::string version;  // of the program
  std::string text;     // JSON; equal texts are equal sweeps
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

// Every point whose number leaves index - 1 when divided by count.
struct Shard {
  std::uint64_t index = 1;  // from 1
  std::uint64_t count = 1;
};

class Store {
 public:
  struct Options {
    Shard shard = {};
    // Of run::EventKind, in its order.
    std::vector<std::string> event_names = {};
    // One process writes to the file, whatever its file system can do.
    bool alone = false;
  };

  Store(const std::string& path, const Definition& definition, Options options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // The next one that is not done and that no process is simulating. Nothing: there is none left for this process.
  [[nodiscard]] std::optional<std::uint64_t> claim();

  // `values` and `parts` (of a sampled design) by key.
  void put(std::uint64_t point, const std::vector<Value>& values, const std::vector<double>& parts,
           const Figures& figures);

  // Gives back what was claimed and not put.
  void release();

  // Of the shard.
  [[nodiscard]] std::uint64_t points() const;
  [[nodiscard]] std::uint64_t done();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// The name of a file system that several machines may share, on which the folder of the file is; nothing: it is local.
[[nodiscard]] std::optional<std::string> network_file_system(const std::string& path);

// Adds the points of files to another, which is made where it is not there. All must be of one sweep. The number of
// points added.
[[nodiscard]] std::uint64_t merge(const std::string& into, const std::vector<std::string>& files);

}  // namespace spillway::sweep
