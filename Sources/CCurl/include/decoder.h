// Content codings, undone piece by piece by zlib, brotli and zstd.
#ifndef NETDASH_DECODER_H
#define NETDASH_DECODER_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    CC_CODING_GZIP,
    CC_CODING_DEFLATE,
    CC_CODING_BROTLI,
    CC_CODING_ZSTD,
} cc_coding;

typedef struct cc_decoder cc_decoder;

// A decoder, or NULL where memory is short.
cc_decoder *cc_decoder_create(cc_coding coding);
// Frees a decoder; NULL is allowed.
void cc_decoder_free(cc_decoder *decoder);

// Decodes some of `count` bytes at `input` into at most `capacity` at `output`, and sets how many were read and written.
// Neither has to be all; nothing of both means that more input is needed. What follows the end of the body is read and
// left out. False for bytes that are not in the coding.
bool cc_decoder_run(
    cc_decoder *decoder, const unsigned char *input, size_t count, size_t *was_read, unsigned char *output,
    size_t capacity, size_t *was_written);
// Whether the end that the coding marks has come, or not one byte.
bool cc_decoder_is_whole(const cc_decoder *decoder);

#endif
