// SQLite as Swift can call it: its own header, and plain functions in place of macros and variadic calls.
#ifndef NETDASH_CSQLITE_H
#define NETDASH_CSQLITE_H

#if !__has_include(<sqlite3.h>)
#error "The headers of SQLite are missing; on Debian: apt-get install libsqlite3-dev"
#endif
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

// Binding by the type of the value. Bytes are copied (SQLITE_TRANSIENT), so the caller's may go at once; each returns
// an SQLite result code. An empty blob stays a blob: a NULL pointer would bind NULL instead.
int cs_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int64_t count);
int cs_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int64_t count);

// Refuses what a damaged or hostile file could use against us: schema with side effects, writes to the schema itself,
// loadable extensions. Returns the first result code that is not SQLITE_OK.
int cs_harden(sqlite3 *database);

// Leaves the log as it is when the connection closes, instead of bringing it into the file and removing it.
int cs_keep_log(sqlite3 *database);

// Adds the function row_digest(...) to a connection: a number made of the kinds, lengths and bytes of its arguments, by
// FNV-1a with 64 bits, so that no changed bit of a row leaves it the same. Returns an SQLite result code.
int cs_add_digest(sqlite3 *database);

#endif
