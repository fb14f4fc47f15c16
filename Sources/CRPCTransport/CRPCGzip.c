#include "CRPCTransport.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

// Answers are read once: the fastest level, which makes a list of tasks a twentieth already.
static const int level = 1;
// The largest window, with gzip's head and tail.
static const int window_bits = 15 + 16;
static const int memory_level = 8;

size_t crpc_gzip(const void *body, size_t size, void *result, size_t capacity) {
    if (size > UINT_MAX || capacity > UINT_MAX) return 0;
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (deflateInit2(&stream, level, Z_DEFLATED, window_bits, memory_level, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)body;
    stream.avail_in = (uInt)size;
    stream.next_out = result;
    stream.avail_out = (uInt)capacity;
    bool is_complete = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    size_t count = stream.total_out;
    // It fails for an unfinished stream, of which nothing is used.
    (void)deflateEnd(&stream);
    return is_complete ? count : 0;
}
