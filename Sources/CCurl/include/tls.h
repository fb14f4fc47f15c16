// What protects a connection that libcurl made, and whom its server's certificate names.
#ifndef NETDASH_TLS_H
#define NETDASH_TLS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

// Texts are UTF-8, end in a zero, are cut when they are longer, and are empty when there are none.
typedef struct {
    char version[16];
    char cipher[64];
    // Names as in RFC 2253.
    char subject[256];
    char issuer[256];
    // When the certificate ends, in seconds since 1970; -1 when that is not known.
    int64_t expiry;
} cc_tls_facts;

// Facts of the connection that the handle uses now. False when it uses none, or one without TLS.
bool cc_get_tls_facts(CURL *easy, cc_tls_facts *facts);

// Whether a server has said that its secure connection ends (close_notify); it outlives the connection. libcurl takes
// any end for a good one, so that anybody on the way could cut a body that only the end of the connection ends.
typedef struct cc_farewell cc_farewell;

// Listens on the connection that the handle uses now; NULL when it uses none, or one without TLS, or memory is short.
cc_farewell *cc_farewell_await(CURL *easy);
bool cc_farewell_came(const cc_farewell *farewell);
// Stops listening; NULL is allowed.
void cc_farewell_free(cc_farewell *farewell);

// Whether the private key in a PEM file is encrypted and the password, which may be NULL, does not open it. Reads the file.
bool cc_key_wants_password(const char *path, const char *password);
// The same of a key in memory.
bool cc_key_bytes_want_password(const void *bytes, size_t length, const char *password);

#endif
