// Content codings, decoded piece by piece by zlib, brotli and zstd.
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

// A decoder; NULL when memory is short.
cc_decoder *cc_decoder_create(cc_coding coding);
// Frees a decoder; NULL is allowed.
void cc_decoder_free(cc_decoder *decoder);

// Decodes some of `count` bytes at `input` into at most `capacity` at `output`, and sets how many were read and
// written. Neither has to be all; none of both means that more input is needed. Bytes behind the end of the body are
// read and ignored. False for bytes that are not in the coding.
bool cc_decoder_run(
    cc_decoder *decoder, const unsigned char *input, size_t count, size_t *was_read, unsigned char *output,
    size_t capacity, size_t *was_written);
// Whether the coding's end mark was reached, or no byte was decoded at all.
bool cc_decoder_is_whole(const cc_decoder *decoder);

#endif
