#include "CSessionSQLite.h"

int cs_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int64_t count) {
    if (count < 0) return SQLITE_MISUSE;
    return sqlite3_bind_text64(
        statement, index, count == 0 ? "" : bytes, (sqlite3_uint64)count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int cs_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int64_t count) {
    if (count < 0) return SQLITE_MISUSE;
    if (count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
    return sqlite3_bind_blob64(statement, index, bytes, (sqlite3_uint64)count, SQLITE_TRANSIENT);
}

int cs_harden(sqlite3 *database) {
    // Option and wanted value; the last argument, where SQLite would report the value, is not wanted.
    static const int options[][2] = {
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    };
    for (unsigned index = 0; index < sizeof options / sizeof options[0]; index++) {
        int result = sqlite3_db_config(database, options[index][0], options[index][1], (int *)0);
        if (result != SQLITE_OK) return result;
    }
    return SQLITE_OK;
}

int cs_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

static int log_grew(void *frames, sqlite3 *database, const char *name, int count) {
    *(int *)frames = count;
    // A log that cannot be brought in now is brought in later; SQLite's own hook passes over that as well.
    if (count >= 1000) (void)sqlite3_wal_checkpoint(database, name);
    return SQLITE_OK;
}

void cs_count_log(sqlite3 *database, int *frames) {
    (void)sqlite3_wal_hook(database, log_grew, frames);
}
