#include "grasp/sweep/store/engine_table.hpp"

#include <fmt/format.h>

#include <limits>

#include "grasp/sweep/trials/engine.hpp"

namespace graspmap {

void create_engine_table(const sqlite::Database& database, int engine) {
  database.execute("CREATE TABLE engine (number INTEGER)");
  sqlite::Statement insert(database, "INSERT INTO engine VALUES (?)");
  insert.bind_integer(engine);
  insert.run();
}

int read_engine(const sqlite::Database& database) {
  if (database.integer(
          "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'engine'") == 0) {
    return 1;
  }
  sqlite::Statement query(database, "SELECT number FROM engine");
  const std::int64_t number = query.step() ? query.next_integer() : 0;
  if (number < 1 || number > std::numeric_limits<int>::max()) {
    throw sqlite::damaged(database.file(), "the number of its engine is not there");
  }
  return static_cast<int>(number);
}

void check_engine(const std::filesystem::path& folder, const RunStore& store) {
  if (store.engine() == kEngine) return;
  const auto sessions = store.sessions();
  const std::string by = sessions.empty() ? ""
                                          : fmt::format(" ({}, {})", sessions.front().version,
                                                        sessions.front().git_commit);
  throw ConfigError(
      fmt::format("{}: was simulated by {} graspmap{}, whose numbers differ from those of this one "
                  "in their last bits: the run cannot go on here; hash, plot, compare and others "
                  "read it as it is; go on with the graspmap that began it, or begin anew with "
                  "--force",
                  folder.string(), store.engine() < kEngine ? "an earlier" : "a later", by));
}

}  // namespace graspmap
