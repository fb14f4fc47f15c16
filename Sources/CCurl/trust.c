#define _GNU_SOURCE
#include "trust.h"

#include "authorities.h"

#include <openssl/err.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(CC_KEY_DIGEST_LENGTH == SHA256_DIGEST_LENGTH, "a key digest is a SHA-256");

struct cc_trust_hook {
    // The handle that it judges for.
    CURL *easy;
    cc_authorities *authorities;
    cc_trust_callback callback;
    void *context;
    char *host;
    // Whether the next handshake is not the server's.
    bool skips_next;
    // NULL if client certificates are not asked for.
    cc_certificate_callback asks_for_certificate;
};

void cc_trust_hook_answer_requests(cc_trust_hook *hook, cc_certificate_callback callback) {
    if (hook != NULL) hook->asks_for_certificate = callback;
}

void cc_trust_hook_skip_first(cc_trust_hook *hook) {
    if (hook != NULL) hook->skips_next = true;
}

cc_trust_hook *cc_trust_hook_create(
    const char *host, cc_authorities *authorities, cc_trust_callback callback, void *context) {
    cc_trust_hook *hook = calloc(1, sizeof *hook);
    if (hook == NULL) return NULL;
    size_t length = strlen(host);
    // Certificates name an IPv6 address without a URL's brackets, and without the zone behind a percent sign.
    bool bracketed = length > 2 && host[0] == '[' && host[length - 1] == ']';
    hook->host = bracketed ? strndup(host + 1, strcspn(host + 1, "%]")) : strdup(host);
    hook->authorities = authorities;
    hook->callback = callback;
    hook->context = context;
    if (hook->host != NULL) return hook;
    free(hook);
    return NULL;
}

void cc_trust_hook_free(cc_trust_hook *hook) {
    if (hook == NULL) return;
    free(hook->host);
    free(hook);
}

static bool names_host(X509 *certificate, const char *host) {
    int answer = X509_check_ip_asc(certificate, host, 0);
    // -2 means that the host is no address. libcurl does not support partial wildcards either, and the common name does
    // not count (RFC 9525, 2).
    if (answer == -2) {
        unsigned flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT;
        answer = X509_check_host(certificate, host, 0, flags, NULL);
    }
    return answer == 1;
}

// Appends one certificate to a growing list; false when memory is short.
static bool append(X509 *certificate, unsigned char **bytes, size_t *total, size_t *length) {
    unsigned char *encoded = NULL;
    int count = i2d_X509(certificate, &encoded);
    if (count <= 0) return false;
    unsigned char *longer = realloc(*bytes, *total + (size_t)count);
    if (longer != NULL) {
        *bytes = longer;
        memcpy(longer + *total, encoded, (size_t)count);
        *total += (size_t)count;
        *length = (size_t)count;
    }
    OPENSSL_free(encoded);
    return longer != NULL;
}

static bool ask(cc_trust_hook *hook, X509 *leaf, STACK_OF(X509) *others, bool is_trusted, long verification) {
    int available = others == NULL ? 0 : sk_X509_num(others);
    size_t *lengths = calloc((size_t)available + 1, sizeof *lengths);
    unsigned char *bytes = NULL;
    size_t total = 0;
    cc_peer peer = {{NULL, lengths, 1}, is_trusted, names_host(leaf, hook->host), cc_names_a_host(leaf), verification};
    bool complete = lengths != NULL && append(leaf, &bytes, &total, &lengths[0]);
    for (int index = 0; complete && index < available; index++) {
        X509 *other = sk_X509_value(others, index);
        if (X509_cmp(other, leaf) == 0) continue;
        complete = append(other, &bytes, &total, &lengths[peer.certificates.count]);
        if (complete) peer.certificates.count++;
    }
    peer.certificates.bytes = bytes;
    bool accepted = complete && hook->callback(&peer, hook->context);
    free(bytes);
    free(lengths);
    return accepted;
}

// Replaces OpenSSL's own verification, which runs first and whose result the hook may overrule.
static int verify(X509_STORE_CTX *store, void *argument) {
    cc_trust_hook *hook = argument;
    X509 *leaf = X509_STORE_CTX_get0_cert(store);
    if (leaf == NULL) return 0;
    bool is_trusted = X509_verify_cert(store) > 0;
    STACK_OF(X509) *others = is_trusted ? X509_STORE_CTX_get0_chain(store) : X509_STORE_CTX_get0_untrusted(store);
    long verification = is_trusted ? X509_V_OK : X509_STORE_CTX_get_error(store);
    bool accepted = ask(hook, leaf, others, is_trusted, verification);
    if (accepted) {
        X509_STORE_CTX_set_error(store, X509_V_OK);
    } else if (is_trusted) {
        X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
    }
    // Errors up to here must not be taken for an error of the connection itself.
    ERR_clear_error();
    return accepted ? 1 : 0;
}

cc_problem cc_verification_problem(long verification) {
    switch (verification) {
    case X509_V_OK:
    // libcurl's initial value: it checks the name before it asks for the result of the chain.
    case X509_V_ERR_UNSPECIFIED:
    case X509_V_ERR_APPLICATION_VERIFICATION: return CC_PROBLEM_NONE;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return CC_PROBLEM_SELF_SIGNED;
    case X509_V_ERR_CERT_HAS_EXPIRED: return CC_PROBLEM_EXPIRED;
    case X509_V_ERR_CERT_NOT_YET_VALID: return CC_PROBLEM_NOT_YET_VALID;
    case X509_V_ERR_CERT_REVOKED: return CC_PROBLEM_REVOKED;
    case CC_NAMES_NO_HOST: return CC_PROBLEM_NAMES_NO_HOST;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: return CC_PROBLEM_OTHER_HOST;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: return CC_PROBLEM_UNKNOWN_ISSUER;
    default: return CC_PROBLEM_OTHER;
    }
}

const char *cc_verification_words(long verification) { return X509_verify_cert_error_string(verification); }

// The names of the authorities that a server accepts, one per line, to be passed to BIO_free; NULL when memory is
// short.
static BIO *accepted_names(SSL *connection) {
    const STACK_OF(X509_NAME) *names = SSL_get0_peer_CA_list(connection);
    BIO *text = BIO_new(BIO_s_mem());
    int count = text == NULL || names == NULL ? 0 : sk_X509_NAME_num(names);
    // Characters beyond ASCII are kept as they are; control characters stay escaped, so each line is one name.
    unsigned long flags = XN_FLAG_RFC2253 & ~(unsigned long)ASN1_STRFLGS_ESC_MSB;
    for (int index = 0; index < count; index++) {
        X509_NAME_print_ex(text, sk_X509_NAME_value(names, index), 0, flags);
        BIO_write(text, "\n", 1);
    }
    return text;
}

// Called when the server requests a certificate, after its own was accepted; 0 aborts the handshake.
static int answer_request(SSL *connection, void *argument) {
    cc_trust_hook *hook = argument;
    BIO *names = accepted_names(connection);
    char *text = NULL;
    long length = names == NULL ? 0 : BIO_get_mem_data(names, &text);
    bool goes_on = hook->asks_for_certificate(text, (size_t)length, hook->context);
    BIO_free(names);
    ERR_clear_error();
    return goes_on ? 1 : 0;
}

static CURLcode prepare(CURL *easy, void *context, void *argument) {
    cc_trust_hook *hook = argument;
    CURLcode result = cc_authorities_serve(hook->authorities, context);
    if (result != CURLE_OK) return result;
    cc_set_rules(context);
    // libcurl's own handle for a name service inherits the hook, which knows only the host of the request: the
    // authorities and libcurl judge that connection.
    if (easy != hook->easy) return CURLE_OK;
    if (hook->skips_next) {
        hook->skips_next = false;
        return CURLE_OK;
    }
    // The hook is used only in the first handshake, because it may be gone before a later one.
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_cert_verify_callback(context, verify, hook);
    if (hook->asks_for_certificate != NULL) SSL_CTX_set_cert_cb(context, answer_request, hook);
    return CURLE_OK;
}

CURLcode cc_set_trust_hook(CURL *easy, cc_trust_hook *hook) {
    hook->easy = easy;
    CURLcode result = curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, hook);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, prepare) : result;
}

static X509 *decode(const unsigned char *bytes, size_t length) {
    if (length > LONG_MAX) return NULL;
    const unsigned char *end = bytes;
    X509 *certificate = d2i_X509(NULL, &end, (long)length);
    ERR_clear_error();
    if (certificate != NULL && end != bytes + length) {
        X509_free(certificate);
        return NULL;
    }
    return certificate;
}

bool cc_certificate_key_digest(const unsigned char *bytes, size_t length, unsigned char digest[CC_KEY_DIGEST_LENGTH]) {
    X509 *certificate = decode(bytes, length);
    if (certificate == NULL) return false;
    unsigned char *key = NULL;
    int count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &key);
    bool done = count > 0 && SHA256(key, (size_t)count, digest) != NULL;
    OPENSSL_free(key);
    X509_free(certificate);
    return done;
}

// All certificates of a list; NULL when one cannot be read or memory is short.
static STACK_OF(X509) *decode_all(cc_certificates list) {
    STACK_OF(X509) *result = sk_X509_new_null();
    size_t offset = 0;
    for (size_t index = 0; result != NULL && index < list.count; index++) {
        X509 *certificate = decode(list.bytes + offset, list.lengths[index]);
        offset += list.lengths[index];
        if (certificate != NULL && sk_X509_push(result, certificate) > 0) continue;
        X509_free(certificate);
        sk_X509_pop_free(result, X509_free);
        return NULL;
    }
    return result;
}

size_t cc_certificates_signed_count(cc_certificates certificates) {
    STACK_OF(X509) *chain = decode_all(certificates);
    if (chain == NULL) return 0;
    int count = sk_X509_num(chain) > 0 ? 1 : 0;
    while (count > 0 && count < sk_X509_num(chain)) {
        EVP_PKEY *key = X509_get0_pubkey(sk_X509_value(chain, count));
        if (key == NULL || X509_verify(sk_X509_value(chain, count - 1), key) != 1) break;
        count++;
    }
    ERR_clear_error();
    sk_X509_pop_free(chain, X509_free);
    return (size_t)count;
}

static long verify_against(X509_STORE *store, STACK_OF(X509) *chain) {
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    if (context == NULL) return X509_V_ERR_OUT_OF_MEM;
    long result = X509_V_ERR_UNSPECIFIED;
    if (X509_STORE_CTX_init(context, store, sk_X509_value(chain, 0), chain) == 1 &&
        X509_STORE_CTX_set_default(context, "ssl_server") == 1) {
        if (X509_verify_cert(context) == 1) {
            result = X509_V_OK;
        } else if (X509_STORE_CTX_get_error(context) != X509_V_OK) {
            result = X509_STORE_CTX_get_error(context);
        }
    }
    X509_STORE_CTX_free(context);
    return result;
}

long cc_certificates_verification(cc_certificates certificates, cc_certificates anchors) {
    STACK_OF(X509) *chain = decode_all(certificates);
    STACK_OF(X509) *trusted = decode_all(anchors);
    X509_STORE *store = X509_STORE_new();
    bool ready = chain != NULL && trusted != NULL && store != NULL && sk_X509_num(chain) > 0 &&
                 X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN) == 1;
    for (int index = 0; ready && index < sk_X509_num(trusted); index++) {
        ready = X509_STORE_add_cert(store, sk_X509_value(trusted, index)) == 1;
    }
    long result = ready ? verify_against(store, chain) : X509_V_ERR_UNSPECIFIED;
    ERR_clear_error();
    X509_STORE_free(store);
    sk_X509_pop_free(trusted, X509_free);
    sk_X509_pop_free(chain, X509_free);
    return result;
}
