// The TLS protection of a connection libcurl made, and the names in its server's certificate.
#ifndef NETDASH_TLS_H
#define NETDASH_TLS_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stdint.h>

// Texts are UTF-8, end in a zero, are truncated when too long, and are empty if unknown.
typedef struct {
    char version[16];
    char cipher[64];
    // Names as in RFC 2253.
    char subject[256];
    char issuer[256];
    // When the certificate expires, in seconds since 1970; -1 if unknown.
    int64_t expiry;
} cc_tls_facts;

// Facts about the connection that the handle uses now. False when it uses none, or one without TLS.
bool cc_get_tls_facts(CURL *easy, cc_tls_facts *facts);

// Whether a server has announced the end of its TLS connection (close_notify); outlives the connection. libcurl accepts
// any end, so an attacker on the path could truncate a body that only the end of the connection ends.
typedef struct cc_farewell cc_farewell;

// Watches the connection that the handle uses now; NULL when it uses none, or one without TLS, or memory is short.
cc_farewell *cc_farewell_await(CURL *easy);
bool cc_farewell_came(const cc_farewell *farewell);
// Stops watching; NULL is allowed.
void cc_farewell_free(cc_farewell *farewell);

// Whether the private key in a PEM file is encrypted and the password, which may be NULL, does not open it. Reads the
// file.
bool cc_key_wants_password(const char *path, const char *password);
// The same for a key in memory.
bool cc_key_bytes_want_password(const void *bytes, size_t length, const char *password);
// Whether a PKCS #12 file can be read, but the password, which may be NULL, does not open it. Reads the file.
bool cc_pkcs12_wants_password(const char *path, const char *password);
// The same for bytes in memory.
bool cc_pkcs12_bytes_want_password(const void *bytes, size_t length, const char *password);

#endif
