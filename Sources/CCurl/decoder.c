#include "decoder.h"

#include <brotli/decode.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

// The largest accepted window, as limited by RFC 9659: 8 MiB.
enum { ZSTD_WINDOW_LOG = 23 };

struct cc_decoder {
    cc_coding coding;
    bool has_begun;
    // Whether the coding's end mark was the last thing decoded.
    bool has_ended;
    // Whether further input lies behind the end of the body.
    bool is_over;
    z_stream zlib;
    // Whether it was checked if a deflated body begins with the required zlib header.
    bool knows_head;
    BrotliDecoderState *brotli;
    ZSTD_DCtx *zstd;
};

cc_decoder *cc_decoder_create(cc_coding coding) {
    cc_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    decoder->coding = coding;
    bool is_ready = false;
    switch (coding) {
        // 16 selects the gzip header and trailer.
        case CC_CODING_GZIP: is_ready = inflateInit2(&decoder->zlib, 15 + 16) == Z_OK; break;
        case CC_CODING_DEFLATE: is_ready = inflateInit2(&decoder->zlib, 15) == Z_OK; break;
        case CC_CODING_BROTLI:
            decoder->brotli = BrotliDecoderCreateInstance(NULL, NULL, NULL);
            is_ready = decoder->brotli != NULL;
            break;
        case CC_CODING_ZSTD:
            decoder->zstd = ZSTD_createDCtx();
            is_ready = decoder->zstd != NULL &&
                       !ZSTD_isError(ZSTD_DCtx_setParameter(decoder->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG));
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
            // The call only fails for a stream that was never initialised.
            (void)inflateEnd(&decoder->zlib);
            break;
        case CC_CODING_BROTLI:
            if (decoder->brotli != NULL) BrotliDecoderDestroyInstance(decoder->brotli);
            break;
        case CC_CODING_ZSTD:
            // The call cannot fail.
            (void)ZSTD_freeDCtx(decoder->zstd);
            break;
    }
    free(decoder);
}

bool cc_decoder_is_whole(const cc_decoder *decoder) { return !decoder->has_begun || decoder->has_ended; }

// Several gzip members may follow each other (RFC 1952, 2.2); anything else behind one is ignored, as browsers do.
static bool run_zlib(
    cc_decoder *decoder, const unsigned char *input, size_t count, size_t *was_read, unsigned char *output,
    size_t capacity, size_t *was_written) {
    z_stream *stream = &decoder->zlib;
    if (decoder->has_ended) {
        if (decoder->coding == CC_CODING_DEFLATE || input[0] != 0x1F) {
            decoder->is_over = true;
            *was_read = count;
            return true;
        }
        if (inflateReset2(stream, 15 + 16) != Z_OK) return false;
        decoder->has_ended = false;
    }
    // Some servers omit the zlib header, whose first byte has 8 in its lower half; the first byte of a raw block never
    // has.
    if (decoder->coding == CC_CODING_DEFLATE && !decoder->knows_head) {
        decoder->knows_head = true;
        if ((input[0] & 0x0F) != 8 && inflateReset2(stream, -15) != Z_OK) return false;
    }
    stream->next_in = (z_const Bytef *)input;
    stream->avail_in = (unsigned int)count;
    stream->next_out = output;
    stream->avail_out = (unsigned int)capacity;
    int result = inflate(stream, Z_NO_FLUSH);
    *was_read = count - stream->avail_in;
    *was_written = capacity - stream->avail_out;
    decoder->has_ended = result == Z_STREAM_END;
    return result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR;
}

static bool run_brotli(
    cc_decoder *decoder, const unsigned char *input, size_t count, size_t *was_read, unsigned char *output,
    size_t capacity, size_t *was_written) {
    size_t left = count;
    size_t room = capacity;
    BrotliDecoderResult result = BrotliDecoderDecompressStream(decoder->brotli, &left, &input, &room, &output, NULL);
    *was_read = count - left;
    *was_written = capacity - room;
    decoder->has_ended = result == BROTLI_DECODER_RESULT_SUCCESS;
    decoder->is_over = decoder->has_ended;
    return result != BROTLI_DECODER_RESULT_ERROR;
}

static bool run_zstd(
    cc_decoder *decoder, const unsigned char *input, size_t count, size_t *was_read, unsigned char *output,
    size_t capacity, size_t *was_written) {
    ZSTD_inBuffer in = {input, count, 0};
    ZSTD_outBuffer out = {output, capacity, 0};
    size_t result = ZSTD_decompressStream(decoder->zstd, &out, &in);
    *was_read = in.pos;
    *was_written = out.pos;
    if (ZSTD_isError(result)) return false;
    // Several frames may follow each other, so this end may not be the last one.
    decoder->has_ended = result == 0;
    return true;
}

bool cc_decoder_run(
    cc_decoder *decoder, const unsigned char *input, size_t count, size_t *was_read, unsigned char *output,
    size_t capacity, size_t *was_written) {
    *was_read = 0;
    *was_written = 0;
    // The libraries hold back output that did not fit, so they run without input too, unless the coding has ended.
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
