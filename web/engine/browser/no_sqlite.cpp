#include "grasp/base/io/sqlite.hpp"

// What a search is to keep on the disk it does not keep here: nobody asks for a database.
namespace graspmap::sqlite {
namespace {

[[noreturn]] void refuse() { throw IoError("a browser has no databases"); }

}  // namespace

void Database::Close::operator()(sqlite3* /*handle*/) const {}
void Statement::Finalize::operator()(sqlite3_stmt* /*handle*/) const {}

Statement::Statement(const Database& /*database*/, std::string_view /*sql*/) { refuse(); }
void Statement::bind_integer(std::int64_t /*value*/) { refuse(); }
void Statement::bind_number(double /*value*/) { refuse(); }
void Statement::bind_text(std::string_view /*value*/) { refuse(); }
bool Statement::step() { refuse(); }
void Statement::run() { refuse(); }
std::int64_t Statement::next_integer() { refuse(); }
double Statement::next_number() { refuse(); }

Transaction::Transaction(const Database& database) : database_(database) { refuse(); }
Transaction::~Transaction() = default;
void Transaction::commit() { refuse(); }

}  // namespace graspmap::sqlite
