#include "digest.h"

#include <openssl/evp.h>
#include <stdbool.h>
#include <stdlib.h>

_Static_assert(CC_DIGEST_MAXIMUM >= EVP_MAX_MD_SIZE, "the result buffer must hold every digest");

struct cc_digest {
    EVP_MD_CTX *context;
    bool finished;
};

static const EVP_MD *algorithm_of(cc_digest_algorithm algorithm) {
    switch (algorithm) {
        case CC_DIGEST_SHA256: return EVP_sha256();
        case CC_DIGEST_SHA512: return EVP_sha512();
        case CC_DIGEST_SHA1: return EVP_sha1();
        case CC_DIGEST_MD5: return EVP_md5();
        case CC_DIGEST_SHA512_256: return EVP_sha512_256();
    }
    return NULL;
}

cc_digest *cc_digest_create(cc_digest_algorithm algorithm) {
    const EVP_MD *method = algorithm_of(algorithm);
    if (method == NULL) return NULL;
    cc_digest *digest = calloc(1, sizeof *digest);
    if (digest == NULL) return NULL;
    digest->context = EVP_MD_CTX_new();
    if (digest->context == NULL || EVP_DigestInit_ex(digest->context, method, NULL) != 1) {
        cc_digest_free(digest);
        return NULL;
    }
    return digest;
}

int cc_digest_update(cc_digest *digest, const void *bytes, size_t count) {
    if (digest->finished) return -1;
    return EVP_DigestUpdate(digest->context, bytes, count) == 1 ? 0 : -1;
}

int cc_digest_final(cc_digest *digest, unsigned char result[CC_DIGEST_MAXIMUM]) {
    unsigned int length = 0;
    if (digest->finished) return -1;
    digest->finished = true;
    return EVP_DigestFinal_ex(digest->context, result, &length) == 1 ? (int)length : -1;
}

void cc_digest_free(cc_digest *digest) {
    if (digest == NULL) return;
    EVP_MD_CTX_free(digest->context);
    free(digest);
}
