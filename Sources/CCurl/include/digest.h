// Message digests over libcrypto's EVP interface, fed piece by piece.
#ifndef NETDASH_DIGEST_H
#define NETDASH_DIGEST_H

#include <stddef.h>

typedef enum {
    CC_DIGEST_SHA256,
    CC_DIGEST_SHA512,
    CC_DIGEST_SHA1,
    CC_DIGEST_MD5,
    CC_DIGEST_SHA512_256,
} cc_digest_algorithm;

// The longest digest in bytes.
#define CC_DIGEST_MAXIMUM 64

typedef struct cc_digest cc_digest;

// A new digest; NULL when libcrypto refuses the algorithm or memory is short.
cc_digest *cc_digest_create(cc_digest_algorithm algorithm);
// Adds bytes. Returns 0, or -1 when libcrypto failed or the digest was finished.
int cc_digest_update(cc_digest *digest, const void *bytes, size_t count);
// Writes the result and returns its length in bytes, or -1. A digest is finished once.
int cc_digest_final(cc_digest *digest, unsigned char result[CC_DIGEST_MAXIMUM]);
// Frees a digest; NULL is allowed.
void cc_digest_free(cc_digest *digest);

#endif
