#define _GNU_SOURCE
#include "tls.h"

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void copy(char *target, size_t size, const char *source) {
    if (source != NULL) (void)snprintf(target, size, "%s", source);
}

// Writes a name as text; leaves the target empty when memory is short.
static void describe(char *target, size_t size, X509_NAME *name) {
    BIO *text = BIO_new(BIO_s_mem());
    if (text == NULL || name == NULL) {
        BIO_free(text);
        return;
    }
    // Characters beyond ASCII are kept as they are; control characters stay escaped.
    unsigned long flags = XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
    if (X509_NAME_print_ex(text, name, 0, flags) >= 0) {
        int count = BIO_read(text, target, (int)size - 1);
        target[count > 0 ? count : 0] = '\0';
    }
    BIO_free(text);
}

static int64_t seconds(const ASN1_TIME *moment) {
    struct tm parts;
    if (moment == NULL || ASN1_TIME_to_tm(moment, &parts) != 1) return -1;
    return (int64_t)timegm(&parts);
}

// The connection that the handle uses now; NULL when it uses none, or one without TLS.
static SSL *connection_of(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || session == NULL) return NULL;
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

bool cc_get_tls_facts(CURL *easy, cc_tls_facts *facts) {
    memset(facts, 0, sizeof *facts);
    facts->expiry = -1;
    SSL *connection = connection_of(easy);
    if (connection == NULL) return false;
    copy(facts->version, sizeof facts->version, SSL_get_version(connection));
    copy(facts->cipher, sizeof facts->cipher, SSL_get_cipher_name(connection));
    X509 *certificate = SSL_get0_peer_certificate(connection);
    if (certificate != NULL) {
        describe(facts->subject, sizeof facts->subject, X509_get_subject_name(certificate));
        describe(facts->issuer, sizeof facts->issuer, X509_get_issuer_name(certificate));
        facts->expiry = seconds(X509_get0_notAfter(certificate));
    }
    // Errors up to here must not be taken for an error of the connection itself.
    ERR_clear_error();
    return true;
}

// Owned by the connection and by its watchers, on one thread.
struct cc_farewell {
    int owners;
    bool came;
};

static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static int place = -1;

static void free_with_connection(
    void *connection, void *farewell, CRYPTO_EX_DATA *data, int index, long number, void *argument) {
    (void)connection, (void)data, (void)index, (void)number, (void)argument;
    cc_farewell_free(farewell);
}

static void make_place(void) { place = SSL_get_ex_new_index(0, NULL, NULL, NULL, free_with_connection); }

static void hear(const SSL *connection, int event, int value) {
    if (event != SSL_CB_READ_ALERT || (value & 0xFF) != SSL_AD_CLOSE_NOTIFY) return;
    cc_farewell *farewell = SSL_get_ex_data(connection, place);
    if (farewell != NULL) farewell->came = true;
}

cc_farewell *cc_farewell_await(CURL *easy) {
    SSL *connection = connection_of(easy);
    if (connection == NULL || CRYPTO_THREAD_run_once(&once, make_place) != 1 || place < 0) return NULL;
    cc_farewell *farewell = SSL_get_ex_data(connection, place);
    if (farewell != NULL) {
        farewell->owners++;
        return farewell;
    }
    farewell = calloc(1, sizeof *farewell);
    if (farewell == NULL) return NULL;
    farewell->owners = 1;
    if (SSL_set_ex_data(connection, place, farewell) != 1) {
        free(farewell);
        ERR_clear_error();
        return NULL;
    }
    farewell->owners++;
    SSL_set_info_callback(connection, hear);
    return farewell;
}

bool cc_farewell_came(const cc_farewell *farewell) { return farewell->came; }

void cc_farewell_free(cc_farewell *farewell) {
    if (farewell != NULL && --farewell->owners == 0) free(farewell);
}

struct key_question {
    const char *password;
    bool was_asked;
};

// Answers OpenSSL's request for a key's password, which it makes only for encrypted keys.
static int answer_password(char *buffer, int size, int writes, void *context) {
    (void)writes;
    struct key_question *question = context;
    question->was_asked = true;
    size_t length = question->password == NULL ? 0 : strlen(question->password);
    if (length == 0 || length > (size_t)size) return -1;
    memcpy(buffer, question->password, length);
    return (int)length;
}

static bool wants_password(BIO *file, const char *password) {
    if (file == NULL) {
        ERR_clear_error();
        return false;
    }
    struct key_question question = {password, false};
    EVP_PKEY *key = PEM_read_bio_PrivateKey(file, NULL, answer_password, &question);
    bool is_open = key != NULL;
    EVP_PKEY_free(key);
    BIO_free(file);
    ERR_clear_error();
    return question.was_asked && !is_open;
}

bool cc_key_wants_password(const char *path, const char *password) {
    return wants_password(BIO_new_file(path, "rb"), password);
}

bool cc_key_bytes_want_password(const void *bytes, size_t length, const char *password) {
    return length <= INT_MAX && wants_password(BIO_new_mem_buf(bytes, (int)length), password);
}

// Without a password a file may have been made with an empty one or with none, which are different.
static bool opens(PKCS12 *store, const char *password) {
    if (password != NULL && *password != '\0') return PKCS12_verify_mac(store, password, -1) == 1;
    return PKCS12_verify_mac(store, NULL, 0) == 1 || PKCS12_verify_mac(store, "", 0) == 1;
}

static bool store_wants_password(BIO *file, const char *password) {
    PKCS12 *store = file == NULL ? NULL : d2i_PKCS12_bio(file, NULL);
    bool wants = store != NULL && PKCS12_mac_present(store) && !opens(store, password);
    PKCS12_free(store);
    BIO_free(file);
    ERR_clear_error();
    return wants;
}

bool cc_pkcs12_wants_password(const char *path, const char *password) {
    return store_wants_password(BIO_new_file(path, "rb"), password);
}

bool cc_pkcs12_bytes_want_password(const void *bytes, size_t length, const char *password) {
    return length <= INT_MAX && store_wants_password(BIO_new_mem_buf(bytes, (int)length), password);
}
