// Judging a server's certificates: OpenSSL's side of a TLS connection that libcurl makes.
#ifndef NETDASH_TRUST_H
#define NETDASH_TRUST_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

// The length of a key digest: SHA-256.
#define CC_KEY_DIGEST_LENGTH 32

// Certificates in DER, one after another, the server's own first.
typedef struct {
    const unsigned char *bytes;
    const size_t *lengths;
    size_t count;
} cc_certificates;

// The certificates a server showed, and the verification so far.
typedef struct {
    cc_certificates certificates;
    // Whether the chain leads to a trusted authority and is valid now.
    bool is_trusted;
    // Whether the first certificate names the host.
    bool names_host;
    // Whether it names any host.
    bool names_a_host;
    // OpenSSL's result of the verification (X509_V_...); 0 when it is trusted.
    long verification;
} cc_peer;

// The fault of a certificate chain.
typedef enum {
    // The result says nothing about the chain, such as success.
    CC_PROBLEM_NONE,
    CC_PROBLEM_SELF_SIGNED,
    CC_PROBLEM_EXPIRED,
    CC_PROBLEM_NOT_YET_VALID,
    CC_PROBLEM_REVOKED,
    CC_PROBLEM_NAMES_NO_HOST,
    CC_PROBLEM_OTHER_HOST,
    CC_PROBLEM_UNKNOWN_ISSUER,
    CC_PROBLEM_OTHER,
} cc_problem;

// The fault that OpenSSL's result means.
cc_problem cc_verification_problem(long verification);

// OpenSSL's own words for its result.
const char *cc_verification_words(long verification);

// Decides about a server during the handshake; true accepts it. Must not block.
typedef bool (*cc_trust_callback)(const cc_peer *peer, void *context);

// The system's file of authorities: libcurl's, or where that is missing, as for a libcurl of another distribution, the
// first of the usual ones. NULL if libcurl knows none.
const char *cc_system_authority_file(void);
// The first of these files that can be read, of which the list ends with NULL; `usual` if none can.
const char *cc_readable_or(const char *usual, const char *const *others);

// Certificate authorities: the system's, where libcurl would look for them, or those in given files. They are read on
// first use, and again when their file has changed. Belongs to one thread.
typedef struct cc_authorities cc_authorities;

// Authorities from a PEM file and a folder with hashed names, either of which may be NULL; if both are, the system's.
// NULL when memory is short.
cc_authorities *cc_authorities_create(const char *file, const char *folder);
// Frees authorities; NULL is allowed. The handles that use them must be gone.
void cc_authorities_free(cc_authorities *authorities);
// Makes a handle's new connections use these authorities, so that libcurl does not read them for each connection.
// Without effect if libcurl uses another TLS library.
CURLcode cc_set_authorities(CURL *easy, cc_authorities *authorities);

typedef struct cc_trust_hook cc_trust_hook;

// Binds a callback to a host; NULL when memory is short. `authorities` and `context` must outlive the hook.
cc_trust_hook *cc_trust_hook_create(
    const char *host, cc_authorities *authorities, cc_trust_callback callback, void *context);
// Lets the authorities alone judge the first connection, which goes to a proxy. NULL is allowed.
void cc_trust_hook_skip_first(cc_trust_hook *hook);
// Decides, during the handshake, what happens when the server requests a client certificate: true continues without
// one, false aborts the handshake. `names` are the authorities that the server accepts, as in RFC 2253, each followed
// by a line end; NULL when there are none. Must not block.
typedef bool (*cc_certificate_callback)(const char *names, size_t length, void *context);

// Sets a hook's callback for certificate requests. NULL is allowed.
void cc_trust_hook_answer_requests(cc_trust_hook *hook, cc_certificate_callback callback);
// Frees a hook; NULL is allowed. The handle that uses it must be gone.
void cc_trust_hook_free(cc_trust_hook *hook);
// Lets a hook alone judge a handle's new connections. libcurl still checks the host name itself too.
CURLcode cc_set_trust_hook(CURL *easy, cc_trust_hook *hook);

// SHA-256 of a certificate's public key as stored in it (SubjectPublicKeyInfo). False when the bytes are not one
// certificate.
bool cc_certificate_key_digest(const unsigned char *bytes, size_t length, unsigned char digest[CC_KEY_DIGEST_LENGTH]);
// How many certificates, from the first on, are each signed by the next: at least 1 when the first can be read.
size_t cc_certificates_signed_count(cc_certificates certificates);
// Verifies that the first certificate is valid now for a server and leads through the others to one of the anchors, which
// need not be authorities. Returns OpenSSL's result (X509_V_...); 0 when it does.
long cc_certificates_verification(cc_certificates certificates, cc_certificates anchors);

#endif
