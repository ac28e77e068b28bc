// SQLite with owned handles. No other file of the project includes the SQLite header.
//
//   Database database("sweep.sqlite", Database::Use::write);
//   Statement insert(database, "INSERT INTO inputs VALUES (?, ?, ?)");
//   insert.bind(1, setting);
//   insert.run();                              // and is ready for the next row
//   Statement select(database, "SELECT point FROM points");
//   while (select.step()) { select.integer(0); }
//
// All SQLite errors are thrown as DatabaseError with SQLite's message. Not to be used in a forked child.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace spillway::sweep {

class DatabaseError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Database {
 public:
  // `write` creates the file if it does not exist.
  enum class Use : std::uint8_t { read, write };
  Database(const std::string& path, Use use);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Executes statements without results.
  void execute(const std::string& sql);
  [[nodiscard]] sqlite3* handle() const noexcept { return handle_; }
  [[noreturn]] void fail() const;

 private:
  sqlite3* handle_ = nullptr;
};

class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Binds a parameter; the first is 1. Parameters not bound since the last run are NULL.
  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  Statement& bind(int parameter, std::string_view value);
  template <class Value>
  Statement& bind(int parameter, const std::optional<Value>& value) {
    return value ? bind(parameter, *value) : *this;
  }

  // Binds the first parameters, in order.
  template <class... Values>
  Statement& with(const Values&... values) {
    int parameter = 0;
    (bind(++parameter, values), ...);
    return *this;
  }

  // True if there is a row. After the last one, the statement can be bound again.
  [[nodiscard]] bool step();
  void run();

  // The following functions return columns of the row; the first column is 0.
  [[nodiscard]] bool is_null(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double number(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* handle_ = nullptr;
};

// Returns the number in the first column of the first row; 0 if there is none.
[[nodiscard]] inline std::uint64_t number_in(Database& database, std::string_view sql) {
  Statement select(database, sql);
  return select.step() ? static_cast<std::uint64_t>(select.integer(0)) : 0;
}

// A transaction: all statements until commit() are one change, which the destructor rolls back otherwise.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace spillway::sweep
