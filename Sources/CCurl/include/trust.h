// Judging a server's certificates: OpenSSL's side of a secure connection that libcurl makes.
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

// What a server showed, and what is known of it by then.
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

// What is wrong with a chain of certificates.
typedef enum {
    // The result says nothing of the chain, such as success.
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

// The problem of OpenSSL's result.
cc_problem cc_verification_problem(long verification);

// OpenSSL's own words for its result.
const char *cc_verification_words(long verification);

// Decides about a server during the handshake; true accepts it. Must not block.
typedef bool (*cc_trust_callback)(const cc_peer *peer, void *context);

// Authorities: those of the system, where libcurl would look for them, or those of files. They are read when they are first
// needed, and again when their file has changed. Belongs to one thread.
typedef struct cc_authorities cc_authorities;

// Authorities of a file in PEM form and of a folder with hashed names, either of which may be NULL; both are for those of
// the system. NULL when memory is short.
cc_authorities *cc_authorities_create(const char *file, const char *folder);
// Frees authorities; NULL is allowed. The handles that have them must be gone.
void cc_authorities_free(cc_authorities *authorities);
// Has a handle's new connections use these authorities, so that libcurl does not read them for each of them. With a
// libcurl on another TLS library nothing changes.
CURLcode cc_set_authorities(CURL *easy, cc_authorities *authorities);

typedef struct cc_trust_hook cc_trust_hook;

// Ties a callback to a host; NULL when memory is short. `authorities` and `context` must outlive the hook.
cc_trust_hook *cc_trust_hook_create(
    const char *host, cc_authorities *authorities, cc_trust_callback callback, void *context);
// Has the first connection that is made judged by the authorities alone: that to a proxy. NULL is allowed.
void cc_trust_hook_skip_first(cc_trust_hook *hook);
// Decides, during the handshake, what happens when the server wants a certificate of this side: true goes on without one,
// false breaks the handshake off. `names` are those of the authorities that the server accepts as in RFC 2253, each with
// a line end behind it; NULL when there are none. Must not block.
typedef bool (*cc_certificate_callback)(const char *names, size_t length, void *context);

// Has a hook hear of a server that wants a certificate. NULL is allowed.
void cc_trust_hook_answer_requests(cc_trust_hook *hook, cc_certificate_callback callback);
// Frees a hook; NULL is allowed. The handle that has it must be gone.
void cc_trust_hook_free(cc_trust_hook *hook);
// Has a handle's new connections judged by a hook alone. Whether the host is named stays libcurl's own check too.
CURLcode cc_set_trust_hook(CURL *easy, cc_trust_hook *hook);

// SHA-256 of a certificate's public key as it is stored in it (SubjectPublicKeyInfo). False when the bytes are not one
// certificate.
bool cc_certificate_key_digest(const unsigned char *bytes, size_t length, unsigned char digest[CC_KEY_DIGEST_LENGTH]);
// How many certificates from the first on are each signed by the next: at least 1 when the first can be read.
size_t cc_certificates_signed_count(cc_certificates certificates);
// Whether the first certificate is valid now for a server and leads through the others to one of the anchors, which
// need not be authorities.
bool cc_certificates_lead_to(cc_certificates certificates, cc_certificates anchors);

#endif
