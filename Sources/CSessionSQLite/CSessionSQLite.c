#include "CSessionSQLite.h"

#include <string.h>

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
    // Each row is an option and its wanted value; SQLite's report of the old value, the last argument, is not needed.
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

static uint64_t mix(uint64_t hash, const unsigned char *bytes, int count) {
    for (int index = 0; index < count; index++) hash = (hash ^ bytes[index]) * 0x00000100000001B3u;
    return hash;
}

// Feeds a number's bytes in a fixed order, so that a file means the same on every machine.
static uint64_t mix_number(uint64_t hash, uint64_t number) {
    unsigned char bytes[8];
    for (int index = 0; index < 8; index++) bytes[index] = (unsigned char)(number >> (8 * index));
    return mix(hash, bytes, 8);
}

static uint64_t mix_value(uint64_t hash, sqlite3_value *value) {
    const unsigned char kind = (unsigned char)sqlite3_value_type(value);
    hash = mix(hash, &kind, 1);
    switch (kind) {
    case SQLITE_INTEGER:
        return mix_number(hash, (uint64_t)sqlite3_value_int64(value));
    case SQLITE_FLOAT: {
        // SQLite stores a negative zero as zero.
        const double number = sqlite3_value_double(value) + 0.0;
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        return mix_number(hash, bits);
    }
    case SQLITE_TEXT:
    case SQLITE_BLOB: {
        // The bytes are fetched first, because fetching them may change their count.
        const unsigned char *bytes =
            kind == SQLITE_TEXT ? sqlite3_value_text(value) : (const unsigned char *)sqlite3_value_blob(value);
        const int count = bytes ? sqlite3_value_bytes(value) : 0;
        return mix(mix_number(hash, (uint64_t)count), bytes, count);
    }
    default:
        return hash;
    }
}

static void row_digest(sqlite3_context *context, int count, sqlite3_value **values) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (int index = 0; index < count; index++) hash = mix_value(hash, values[index]);
    sqlite3_result_int64(context, (sqlite3_int64)hash);
}

int cs_add_digest(sqlite3 *database) {
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
    return sqlite3_create_function_v2(database, "row_digest", -1, flags, (void *)0, row_digest, 0, 0, 0);
}
