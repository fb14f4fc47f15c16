// SQLite for Swift: its own header, and plain functions instead of macros and variadic calls.
#ifndef NETDASH_CSQLITE_H
#define NETDASH_CSQLITE_H

#if !__has_include(<sqlite3.h>)
#error "The headers of SQLite are missing; on Debian: apt-get install libsqlite3-dev"
#endif
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

// Typed binding. Bytes are copied (SQLITE_TRANSIENT), so the caller may free its own at once; each function returns an
// SQLite result code. An empty blob stays a blob, where a NULL pointer would bind NULL.
int cs_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int64_t count);
int cs_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int64_t count);

// Refuses what a damaged or hostile file could exploit: schema with side effects, writes to the schema itself, loadable
// extensions. Returns the first result code that is not SQLITE_OK.
int cs_harden(sqlite3 *database);

// Keeps the write-ahead log on close instead of checkpointing it into the file and removing it.
int cs_keep_log(sqlite3 *database);

// Adds the function row_digest(...) to a connection: a 64-bit FNV-1a over the kinds, lengths and bytes of its
// arguments, so that every changed bit of a row changes it. Returns an SQLite result code.
int cs_add_digest(sqlite3 *database);

#endif
