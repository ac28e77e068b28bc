#include "sim/sweep/database.hpp"

#include <fcntl.h>
#include <filesystem>
#include <sqlite3.h>
#include <system_error>
#include <unistd.h>

namespace spillway::sweep {
namespace {

// True if the file can be read as immutable: SQLite cannot create the shared-memory file (-shm) beside it, and no
// writer left changes (-wal) that are missing in it.
bool is_immutable(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code missing;
  const auto left = std::filesystem::file_size(path + "-wal", missing);
  return (missing || left == 0) && faccessat(AT_FDCWD, folder.empty() ? "." : folder.c_str(), W_OK, AT_EACCESS) != 0;
}

// Returns the path as a URI. SQLite interprets `%`, `?` and `#` in URIs.
std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  constexpr const char* digits = "0123456789ABCDEF";
  for (const char character : std::filesystem::absolute(path).string()) {
    const auto byte = static_cast<unsigned char>(character);
    const bool is_plain = byte > ' ' && byte < 0x7F && character != '%' && character != '?' && character != '#';
    uri += is_plain ? std::string(1, character) : std::string{'%', digits[byte >> 4U], digits[byte & 15U]};
  }
  return uri + "?immutable=1";
}

}  // namespace

Database::Database(const std::string& path, Use use) {
  const int flags = use == Use::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  const bool immutable = use == Use::read && is_immutable(path);
  const int result = sqlite3_open_v2((immutable ? immutable_uri(path) : path).c_str(), &handle_,
                                     flags | SQLITE_OPEN_NOMUTEX | (immutable ? SQLITE_OPEN_URI : 0), nullptr);
  if (result != SQLITE_OK) {
    const std::string words = handle_ != nullptr ? sqlite3_errmsg(handle_) : sqlite3_errstr(result);
    sqlite3_close(handle_);
    throw DatabaseError(words);
  }
  // Views, triggers and functions in a file's schema are disabled: the file is not trusted.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  for (const int trust :
       {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_ENABLE_TRIGGER}) {
    sqlite3_db_config(handle_, trust, 0, nullptr);
  }
  constexpr int patience_ms = 20'000;  // wait while another sweep writes to the file
  sqlite3_busy_timeout(handle_, patience_ms);
}

Database::~Database() {
  sqlite3_close(handle_);
}

void Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail();
  }
}

void Database::fail() const {
  throw DatabaseError(sqlite3_errmsg(handle_));
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  if (sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &handle_, nullptr) != SQLITE_OK) {
    database.fail();
  }
}

Statement::~Statement() {
  sqlite3_finalize(handle_);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(handle_, parameter, value);
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  sqlite3_bind_double(handle_, parameter, value);
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view value) {
  sqlite3_bind_text(handle_, parameter, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  return *this;
}

bool Statement::step() {
  const int result = sqlite3_step(handle_);
  if (result == SQLITE_ROW) {
    return true;
  }
  // A reset clears the error message.
  const std::string words = result == SQLITE_DONE ? "" : sqlite3_errmsg(database_.handle());
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
  if (result != SQLITE_DONE) {
    throw DatabaseError(words);
  }
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

double Statement::number(int column) const {
  return sqlite3_column_double(handle_, column);
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(handle_, column);
  return text == nullptr ? ""
                         : std::string(reinterpret_cast<const char*>(text),
                                       static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)));
}

Transaction::Transaction(Database& database) : database_(database) {
  database.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) {
    sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace spillway::sweep
