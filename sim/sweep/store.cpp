#include "sim/sweep/store.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sys/vfs.h>
#include <system_error>
#include <utility>

#include "sim/sweep/database.hpp"
#include "sim/sweep/figures.hpp"
#include "sim/sweep/file_check.hpp"
#include "sim/sweep/owner_lock.hpp"
#include "sim/sweep/point_writer.hpp"
#include "sim/sweep/tables.hpp"

namespace spillway::sweep {
namespace {

void write_definition(Database& database, const Definition& definition) {
  database.execute(make_tables());
  Statement(database, "INSERT INTO sweep VALUES (?,?,?,?,?,?,?,?)")
      .with(std::int64_t{tables_version}, definition.version, definition.text, whole(definition.points()),
            whole(definition.settings), std::int64_t{definition.replications},
            design_names()[static_cast<std::size_t>(definition.design)], whole(definition.samples))
      .run();
  Statement side(database, "INSERT INTO sides VALUES (?,?,?,?)");
  for (std::size_t number = 0; number < definition.sides.size(); ++number) {
    const auto& of = definition.sides[number];
    side.with(whole(number), of.name, of.file, of.fingerprint).run();
  }
  Statement key(database, "INSERT INTO keys VALUES (?,?,?)");
  for (std::size_t number = 0; number < definition.keys.size(); ++number) {
    key.with(whole(number), definition.keys[number].name, definition.keys[number].text).run();
  }
  database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, tables_version));
}

// Adds the file's name to SQLite's message.
template <class Work>
auto with_words(const std::string& path, Work work) {
  try {
    return work();
  } catch (const DatabaseError& error) {
    throw StoreProblem("SP953", fmt::format("cannot write `{}`: {}", path, error.what()),
                       "finished points are kept; the same command continues with the rest");
  }
}

// Removes a file left empty because the disk had no room for tables, unless another process has created some since.
void remove_if_empty(const std::string& path) {
  constexpr std::uintmax_t page = 4096;
  const auto size_of = [](const std::string& file) {
    std::error_code missing;
    const std::uintmax_t size = std::filesystem::file_size(file, missing);
    return missing ? 0 : size;
  };
  if (size_of(path) <= page && size_of(path + "-wal") == 0) {
    for (const char* beside : {"", "-wal", "-shm", "-journal"}) {
      std::error_code ignored;
      std::filesystem::remove(path + beside, ignored);
    }
  }
}

}  // namespace

PointPlace place_of(const Definition& definition, std::uint64_t point) {
  const std::uint64_t sides = definition.sides.size();
  return {point / (sides * definition.replications),
          static_cast<std::uint32_t>(point / definition.replications % sides),
          static_cast<std::uint32_t>(point % definition.replications)};
}

struct Store::Parts {
  Parts(std::string file, const Definition& of, Options with)
      : path(std::move(file)),
        definition(of),
        options(std::move(with)),
        lock(path),
        database(path, Database::Use::write) {
    database.execute(options.alone ? "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE"
                                   : "PRAGMA journal_mode = WAL");
    database.execute("PRAGMA synchronous = NORMAL");
    {
      Transaction making(database);
      if (!has_sweep(database)) {
        if (number_in(database, "SELECT count(*) FROM sqlite_master") > 0) {
          throw StoreProblem("SP954", fmt::format("`{}` has other tables", path), "name a new file");
        }
        write_definition(database, definition);
      }
      making.commit();
    }
    const SweepRow row = checked_sweep(database, path);
    if (row.definition != definition.text || row.points != definition.points()) {
      throw StoreProblem(
          "SP954", fmt::format("`{}` contains another sweep", path),
          "a file belongs to one sweep: the same scenario, keys, values, seed, replications and version of "
          "spillway; name a new file");
    }
    writer = std::make_unique<PointWriter>(database);
    done.resize(definition.points() / options.shard.count + 1);
    Statement select(database, "SELECT point FROM points");
    while (select.step()) {
      mark(static_cast<std::uint64_t>(select.integer(0)));
    }
  }

  [[nodiscard]] bool is_mine(std::uint64_t point) const {
    return point % options.shard.count == options.shard.index - 1;
  }

  void mark(std::uint64_t point) {
    if (is_mine(point)) {
      done[static_cast<std::size_t>(point / options.shard.count)] = true;
    }
  }

  // Frees the claims of processes that have ended.
  void free_claims() {
    std::set<std::int64_t> owners;
    Statement select(database, "SELECT DISTINCT owner FROM claims");
    while (select.step()) {
      owners.insert(select.integer(0));
    }
    Statement free(database, "DELETE FROM claims WHERE owner = ?");
    for (const std::int64_t owner : owners) {
      const bool mine = owner == lock.number();
      if (options.alone || (mine && !began) || (!mine && !lock.is_alive(owner))) {
        free.bind(1, owner).run();
      }
    }
    began = true;
  }

  void claim_some() {
    constexpr std::size_t most = 64;
    Transaction claiming(database);
    if (!began || next >= done.size()) {
      free_claims();
      next = 0;
    }
    Statement is_done(database, "SELECT 1 FROM points WHERE point = ?");
    Statement insert(database, "INSERT OR IGNORE INTO claims VALUES (?, ?) RETURNING point");
    for (; next < done.size() && claimed.size() < most; ++next) {
      const std::uint64_t point = next * options.shard.count + options.shard.index - 1;
      if (done[next] || point >= definition.points()) {
        continue;
      }
      const bool by_another = is_done.bind(1, whole(point)).step();
      if (by_another) {
        is_done.run();
        done[next] = true;
        continue;
      }
      if (insert.bind(1, whole(point)).bind(2, lock.number()).step()) {
        insert.run();
        claimed.push_back(point);
      }
    }
    claiming.commit();
    std::reverse(claimed.begin(), claimed.end());
  }

  std::string path;
  const Definition& definition;
  Options options;
  OwnerLock lock;  // released after the database is closed
  Database database;
  std::unique_ptr<PointWriter> writer;  // destroyed before the database is closed
  std::vector<bool> done;               // by point of the shard
  std::vector<std::uint64_t> claimed;   // not handed out yet; the last one is next
  std::size_t next = 0;                 // position in `done`
  bool began = false;
};

Store::Store(const std::string& path, const Definition& definition, Options options) {
  const auto shared_by = network_file_system(path);
  if (shared_by && !options.alone) {
    throw StoreProblem("SP955",
                       fmt::format("`{}` is on {}, where several processes cannot share a database", path, *shared_by),
                       "`--shard I/N` writes a file of its own for each process; `spillway sweep merge` joins them");
  }
  std::error_code unknown;
  const bool is_new = !std::filesystem::exists(path, unknown);
  try {
    with_words(path, [&] { parts_ = std::make_unique<Parts>(path, definition, std::move(options)); });
  } catch (const StoreProblem&) {
    if (is_new) {
      remove_if_empty(path);
    }
    throw;
  } catch (const std::system_error& error) {
    throw StoreProblem("SP953", fmt::format("cannot write `{}`: {}", path, error.code().message()));
  }
}

Store::~Store() {
  try {
    release();
  } catch (const StoreProblem&) {
    parts_.reset();  // claims of an ended process are free anyway
  }
}

std::optional<std::uint64_t> Store::claim() {
  return with_words(parts_->path, [&]() -> std::optional<std::uint64_t> {
    const bool tried_all = parts_->next >= parts_->done.size();
    if (parts_->claimed.empty()) {
      parts_->claim_some();
    }
    if (parts_->claimed.empty() && !tried_all) {
      parts_->claim_some();  // claims points of processes that have ended
    }
    if (parts_->claimed.empty()) {
      return std::nullopt;
    }
    const std::uint64_t point = parts_->claimed.back();
    parts_->claimed.pop_back();
    return point;
  });
}

void Store::put(std::uint64_t point, const std::vector<Value>& values, const std::vector<double>& parts,
                const Figures& figures) {
  with_words(parts_->path, [&] {
    Transaction putting(parts_->database);
    if (parts_->writer->take(point)) {
      parts_->writer->write(parts_->definition, point, values, parts, figures, parts_->options.event_names);
    }
    putting.commit();
    parts_->mark(point);
  });
}

void Store::release() {
  if (!parts_->lock.is_at(parts_->path)) {
    throw StoreProblem("SP953", fmt::format("`{}` was removed or replaced while the sweep wrote to it", parts_->path),
                       "its points are lost; sweep again");
  }
  with_words(parts_->path, [&] {
    parts_->claimed.clear();
    Statement(parts_->database, "DELETE FROM claims WHERE owner = ?").bind(1, parts_->lock.number()).run();
  });
}

std::uint64_t Store::points() const {
  const std::uint64_t all = parts_->definition.points();
  const Shard& shard = parts_->options.shard;
  return all / shard.count + (all % shard.count >= shard.index ? 1 : 0);
}

std::uint64_t Store::done() {
  return static_cast<std::uint64_t>(std::count(parts_->done.begin(), parts_->done.end(), true));
}

std::optional<std::string> network_file_system(const std::string& path) {
  constexpr std::array<std::pair<std::uint32_t, const char*>, 12> shared{{{0x6969U, "NFS"},
                                                                          {0x517BU, "SMB"},
                                                                          {0xFE534D42U, "SMB"},
                                                                          {0xFF534D42U, "CIFS"},
                                                                          {0x0BD00BD0U, "Lustre"},
                                                                          {0x47504653U, "GPFS"},
                                                                          {0x00C36400U, "Ceph"},
                                                                          {0x5346414FU, "AFS"},
                                                                          {0x01021997U, "9p"},
                                                                          {0x19830326U, "BeeGFS"},
                                                                          {0xAAD7AAEAU, "PanFS"},
                                                                          {0x7461636FU, "OCFS2"}}};
  const std::string folder = std::filesystem::path(path).parent_path().string();
  struct statfs about{};
  if (statfs(folder.empty() ? "." : folder.c_str(), &about) != 0) {
    return std::nullopt;  // opening it reports the reason
  }
  const auto type = static_cast<std::uint32_t>(about.f_type);
  const auto found = std::find_if(shared.begin(), shared.end(), [&](const auto& one) { return one.first == type; });
  return found == shared.end() ? std::nullopt : std::optional<std::string>(found->second);
}

std::uint64_t merge(const std::string& into, const std::vector<std::string>& files) {
  return with_words(into, [&] {
    Database database(into, Database::Use::write);
    std::uint64_t added = 0;
    std::optional<SweepRow> whole;
    for (const std::string& file : files) {
      std::error_code unknown;
      if (!std::filesystem::exists(file, unknown)) {
        throw StoreProblem("SP954", fmt::format("there is no file `{}`", file));
      }
      Statement(database, "ATTACH DATABASE ? AS shard").bind(1, file).run();
      {
        Transaction adding(database);
        const SweepRow shard = checked_sweep(database, file, "shard");
        if (!has_sweep(database)) {
          database.execute(make_tables());
          database.execute(
              "INSERT INTO sweep SELECT * FROM shard.sweep; INSERT INTO sides SELECT * FROM shard.sides;"
              "INSERT INTO keys SELECT * FROM shard.keys");
          database.execute(
              fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, tables_version));
        }
        if (!whole) {
          whole = checked_sweep(database, into);
        }
        if (whole->definition != shard.definition || whole->points != shard.points) {
          throw StoreProblem("SP954", fmt::format("`{}` and `{}` are of different sweeps", into, file),
                             "only files of one sweep can be joined");
        }
        const auto count = [&] { return number_in(database, "SELECT count(*) FROM points"); };
        const std::uint64_t before = count();
        for (const char* table : {"inputs", "points", "outcomes", "shares", "loads", "happenings"}) {
          database.execute(fmt::format("INSERT OR IGNORE INTO {0} SELECT * FROM shard.{0}", table));
        }
        added += count() - before;
        adding.commit();
      }
      database.execute("DETACH DATABASE shard");
    }
    return added;
  });
}

}  // namespace spillway::sweep
