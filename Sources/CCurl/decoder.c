#define _GNU_SOURCE
#include "decoder.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// What is used of the three libraries, as their headers declare it: which of them there are is libcurl's choice, so none
// is linked, and no other one than libcurl's is loaded.

// zlib.h: z_stream, whose layout has not changed since 1.1.
typedef struct {
    const unsigned char *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned int, unsigned int);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
} zlib_stream;
enum { ZLIB_OK = 0, ZLIB_STREAM_END = 1, ZLIB_BUF_ERROR = -5 };

// zstd.h: ZSTD_inBuffer and ZSTD_outBuffer.
typedef struct {
    const void *src;
    size_t size;
    size_t pos;
} zstd_input;
typedef struct {
    void *dst;
    size_t size;
    size_t pos;
} zstd_output;
// The largest window that is accepted, as RFC 9659 limits it: 8 MiB. ZSTD_d_windowLogMax.
enum { ZSTD_WINDOW_PARAMETER = 100, ZSTD_WINDOW_LOG = 23 };

static struct {
    int (*inflate_init)(zlib_stream *, int, const char *, int);
    int (*inflate)(zlib_stream *, int);
    int (*inflate_reset)(zlib_stream *, int);
    int (*inflate_end)(zlib_stream *);
    const char *(*zlib_version)(void);
    void *(*brotli_create)(void *, void *, void *);
    int (*brotli_run)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    void (*brotli_free)(void *);
    void *(*zstd_create)(void);
    size_t (*zstd_set)(void *, int, int);
    size_t (*zstd_run)(void *, zstd_output *, zstd_input *);
    unsigned (*zstd_is_error)(size_t);
    size_t (*zstd_free)(void *);
} calls;
static bool has_zlib, has_brotli, has_zstd;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find(void *library, const char *name, void *place) {
    void *symbol = library == NULL ? NULL : dlsym(library, name);
    memcpy(place, &symbol, sizeof symbol);
    return symbol != NULL;
}

static void load(void) {
    int mode = RTLD_LAZY | RTLD_NOLOAD;
    void *zlib = dlopen("libz.so.1", mode);
    void *brotli = dlopen("libbrotlidec.so.1", mode);
    void *zstd = dlopen("libzstd.so.1", mode);
    has_zlib = find(zlib, "inflateInit2_", &calls.inflate_init) && find(zlib, "inflate", &calls.inflate) &&
               find(zlib, "inflateReset2", &calls.inflate_reset) && find(zlib, "inflateEnd", &calls.inflate_end) &&
               find(zlib, "zlibVersion", &calls.zlib_version);
    has_brotli = find(brotli, "BrotliDecoderCreateInstance", &calls.brotli_create) &&
                 find(brotli, "BrotliDecoderDecompressStream", &calls.brotli_run) &&
                 find(brotli, "BrotliDecoderDestroyInstance", &calls.brotli_free);
    has_zstd = find(zstd, "ZSTD_createDCtx", &calls.zstd_create) &&
               find(zstd, "ZSTD_DCtx_setParameter", &calls.zstd_set) &&
               find(zstd, "ZSTD_decompressStream", &calls.zstd_run) &&
               find(zstd, "ZSTD_isError", &calls.zstd_is_error) && find(zstd, "ZSTD_freeDCtx", &calls.zstd_free);
}

bool cc_coding_is_known(cc_coding coding) {
    (void)pthread_once(&once, load);
    switch (coding) {
        case CC_CODING_GZIP:
        case CC_CODING_DEFLATE: return has_zlib;
        case CC_CODING_BROTLI: return has_brotli;
        case CC_CODING_ZSTD: return has_zstd;
    }
    return false;
}

struct cc_decoder {
    cc_coding coding;
    // Whether a byte has come.
    bool has_begun;
    // Whether the end that the coding marks was the last thing that came.
    bool has_ended;
    // Whether what comes now follows the end and belongs to nobody.
    bool is_over;
    zlib_stream zlib;
    // Whether the way of a deflated body is known: with zlib's own head, as it has to be, or bare.
    bool knows_head;
    void *other;
};

static int start_zlib(cc_decoder *decoder, int bits) {
    return calls.inflate_init(&decoder->zlib, bits, calls.zlib_version(), (int)sizeof decoder->zlib);
}

cc_decoder *cc_decoder_create(cc_coding coding) {
    if (!cc_coding_is_known(coding)) return NULL;
    cc_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    decoder->coding = coding;
    bool is_ready = false;
    switch (coding) {
        // 16 stands for the head and the end of gzip.
        case CC_CODING_GZIP: is_ready = start_zlib(decoder, 15 + 16) == ZLIB_OK; break;
        case CC_CODING_DEFLATE: is_ready = start_zlib(decoder, 15) == ZLIB_OK; break;
        case CC_CODING_BROTLI:
            decoder->other = calls.brotli_create(NULL, NULL, NULL);
            is_ready = decoder->other != NULL;
            break;
        case CC_CODING_ZSTD:
            decoder->other = calls.zstd_create();
            is_ready = decoder->other != NULL &&
                       !calls.zstd_is_error(calls.zstd_set(decoder->other, ZSTD_WINDOW_PARAMETER, ZSTD_WINDOW_LOG));
            break;
    }
    if (is_ready) return decoder;
    cc_decoder_free(decoder);
    return NULL;
}

void cc_decoder_free(cc_decoder *decoder) {
    if (decoder == NULL) return;
    switch (decoder->coding) {
        case CC_CODING_GZIP:
        case CC_CODING_DEFLATE:
            // It only fails for what was never begun.
            (void)calls.inflate_end(&decoder->zlib);
            break;
        case CC_CODING_BROTLI:
            if (decoder->other != NULL) calls.brotli_free(decoder->other);
            break;
        case CC_CODING_ZSTD:
            // It cannot fail.
            if (decoder->other != NULL) (void)calls.zstd_free(decoder->other);
            break;
    }
    free(decoder);
}

bool cc_decoder_is_whole(const cc_decoder *decoder) { return !decoder->has_begun || decoder->has_ended; }

// Several bodies of gzip may follow each other (RFC 1952, 2.2); anything else behind one is left out, as browsers do.
static bool run_zlib(
    cc_decoder *decoder, const unsigned char *input, size_t count, size_t *was_read, unsigned char *output,
    size_t capacity, size_t *was_written) {
    zlib_stream *stream = &decoder->zlib;
    if (decoder->has_ended) {
        if (decoder->coding == CC_CODING_DEFLATE || input[0] != 0x1F) {
            decoder->is_over = true;
            *was_read = count;
            return true;
        }
        if (calls.inflate_reset(stream, 15 + 16) != ZLIB_OK) return false;
        decoder->has_ended = false;
    }
    // Some servers leave the head out, whose first byte says 8 in its lower half: a bare block never does so in its first.
    if (decoder->coding == CC_CODING_DEFLATE && !decoder->knows_head) {
        decoder->knows_head = true;
        if ((input[0] & 0x0F) != 8 && calls.inflate_reset(stream, -15) != ZLIB_OK) return false;
    }
    stream->next_in = input;
    stream->avail_in = (unsigned int)count;
    stream->next_out = output;
    stream->avail_out = (unsigned int)capacity;
    int result = calls.inflate(stream, 0);
    *was_read = count - stream->avail_in;
    *was_written = capacity - stream->avail_out;
    decoder->has_ended = result == ZLIB_STREAM_END;
    return result == ZLIB_OK || result == ZLIB_STREAM_END || result == ZLIB_BUF_ERROR;
}

static bool run_brotli(
    cc_decoder *decoder, const unsigned char *input, size_t count, size_t *was_read, unsigned char *output,
    size_t capacity, size_t *was_written) {
    size_t left = count;
    size_t room = capacity;
    int result = calls.brotli_run(decoder->other, &left, &input, &room, &output, NULL);
    *was_read = count - left;
    *was_written = capacity - room;
    // BROTLI_DECODER_RESULT_ERROR is 0 and BROTLI_DECODER_RESULT_SUCCESS 1.
    decoder->has_ended = result == 1;
    decoder->is_over = result == 1;
    return result != 0;
}

static bool run_zstd(
    cc_decoder *decoder, const unsigned char *input, size_t count, size_t *was_read, unsigned char *output,
    size_t capacity, size_t *was_written) {
    zstd_input in = {input, count, 0};
    zstd_output out = {output, capacity, 0};
    size_t result = calls.zstd_run(decoder->other, &out, &in);
    *was_read = in.pos;
    *was_written = out.pos;
    if (calls.zstd_is_error(result)) return false;
    // Several frames may follow each other, so the end may not be the last one.
    decoder->has_ended = result == 0;
    return true;
}

bool cc_decoder_run(
    cc_decoder *decoder, const unsigned char *input, size_t count, size_t *was_read, unsigned char *output,
    size_t capacity, size_t *was_written) {
    *was_read = 0;
    *was_written = 0;
    // Libraries hold back what had no room, so they are asked again without input too, but for what has ended.
    if (count == 0 && (!decoder->has_begun || decoder->has_ended)) return true;
    if (decoder->is_over) {
        *was_read = count;
        return true;
    }
    if (count > 0) decoder->has_begun = true;
    switch (decoder->coding) {
        case CC_CODING_GZIP:
        case CC_CODING_DEFLATE: return run_zlib(decoder, input, count, was_read, output, capacity, was_written);
        case CC_CODING_BROTLI: return run_brotli(decoder, input, count, was_read, output, capacity, was_written);
        case CC_CODING_ZSTD: return run_zstd(decoder, input, count, was_read, output, capacity, was_written);
    }
    return false;
}
