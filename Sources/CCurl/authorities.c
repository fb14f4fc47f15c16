#define _GNU_SOURCE
#include "authorities.h"

#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct cc_authorities {
    X509_STORE *store;
    // The file's status when it was read; zeros without a file.
    struct stat seen;
    // Both are NULL for the system's authorities.
    char *file;
    char *folder;
};

cc_authorities *cc_authorities_create(const char *file, const char *folder) {
    cc_authorities *authorities = calloc(1, sizeof *authorities);
    if (authorities == NULL) return NULL;
    if (file != NULL) authorities->file = strdup(file);
    if (folder != NULL) authorities->folder = strdup(folder);
    bool isWhole = (file == NULL) == (authorities->file == NULL) && (folder == NULL) == (authorities->folder == NULL);
    if (isWhole) return authorities;
    cc_authorities_free(authorities);
    return NULL;
}

void cc_authorities_free(cc_authorities *authorities) {
    if (authorities == NULL) return;
    X509_STORE_free(authorities->store);
    free(authorities->file);
    free(authorities->folder);
    free(authorities);
}

const char *cc_readable_or(const char *usual, const char *const *others) {
    if (usual == NULL || access(usual, R_OK) == 0) return usual;
    for (; *others != NULL; others++) {
        if (access(*others, R_OK) == 0) return *others;
    }
    return usual;
}

const char *cc_system_authority_file(void) {
    static const char *const others[] = {
        "/etc/ssl/certs/ca-certificates.crt",                // Debian, Arch, Gentoo
        "/etc/pki/tls/certs/ca-bundle.crt",                  // Fedora, Red Hat
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", // Fedora from 42 on
        "/var/lib/ca-certificates/ca-bundle.pem",            // openSUSE
        "/etc/ssl/certs/ca-bundle.crt",                      // NixOS
        "/etc/ssl/cert.pem",                                 // Alpine
        NULL,
    };
    return cc_readable_or(curl_version_info(CURLVERSION_NOW)->cainfo, others);
}

// Whether reading a file ends by itself: a pipe without a writer would block every transfer.
static bool is_regular(const char *file) {
    struct stat facts;
    return stat(file, &facts) == 0 && S_ISREG(facts.st_mode);
}

// Reads the file, and registers the folder for look-ups of what the file lacks; a missing folder is ignored. `*read`
// says whether the file could be read.
static X509_STORE *load(const char *file, const char *folder, bool *read) {
    X509_STORE *store = X509_STORE_new();
    // As in libcurl, any trusted certificate ends a chain, self-signed or not.
    if (store != NULL && X509_STORE_set_flags(store, X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN) != 1) {
        X509_STORE_free(store);
        return NULL;
    }
    *read = store == NULL || file == NULL || (is_regular(file) && X509_STORE_load_file(store, file) == 1);
    if (store != NULL && folder != NULL) (void)X509_STORE_load_path(store, folder);
    // Errors up to here must not be taken for an error of the connection itself.
    ERR_clear_error();
    return store;
}

static bool is_same(const struct stat *left, const struct stat *right) {
    return left->st_dev == right->st_dev && left->st_ino == right->st_ino && left->st_size == right->st_size &&
           left->st_mtim.tv_sec == right->st_mtim.tv_sec && left->st_mtim.tv_nsec == right->st_mtim.tv_nsec;
}

bool cc_names_a_host(X509 *certificate) {
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    bool found = false;
    for (int index = 0; !found && index < sk_GENERAL_NAME_num(names); index++) {
        int type = sk_GENERAL_NAME_value(names, index)->type;
        found = type == GEN_DNS || type == GEN_IPADD;
    }
    GENERAL_NAMES_free(names);
    return found;
}

// libcurl would fall back to the common name, which RFC 9525 forbids (section 2).
static int verify(X509_STORE_CTX *store, void *argument) {
    (void)argument;
    int result = X509_verify_cert(store);
    X509 *leaf = X509_STORE_CTX_get0_cert(store);
    if (result <= 0 || (leaf != NULL && cc_names_a_host(leaf))) return result;
    X509_STORE_CTX_set_error(store, CC_NAMES_NO_HOST);
    return 0;
}

void cc_set_rules(SSL_CTX *context) {
    SSL_CTX_set_cert_verify_callback(context, verify, NULL);
    // libcurl disables the tickets of TLS 1.2, but most servers resume sessions only with them.
    SSL_CTX_clear_options(context, SSL_OP_NO_TICKET);
}

CURLcode cc_authorities_serve(cc_authorities *authorities, SSL_CTX *context) {
    const curl_version_info_data *information = curl_version_info(CURLVERSION_NOW);
    bool isOwn = authorities->file != NULL || authorities->folder != NULL;
    const char *file = isOwn ? authorities->file : cc_system_authority_file();
    struct stat now;
    memset(&now, 0, sizeof now);
    if (file != NULL && stat(file, &now) != 0) memset(&now, 0, sizeof now);
    if (authorities->store == NULL || !is_same(&now, &authorities->seen)) {
        bool read;
        X509_STORE *store = load(file, isOwn ? authorities->folder : information->capath, &read);
        if (store == NULL) return CURLE_OUT_OF_MEMORY;
        // A file that was named must be readable: otherwise no server would be trusted, for no visible reason.
        if (isOwn && !read) {
            X509_STORE_free(store);
            return CURLE_SSL_CACERT_BADFILE;
        }
        X509_STORE_free(authorities->store);
        authorities->store = store;
        authorities->seen = now;
    }
    // libcurl's own store may be shared, so it is replaced rather than filled.
    SSL_CTX_set1_cert_store(context, authorities->store);
    return CURLE_OK;
}

static CURLcode prepare(CURL *easy, void *context, void *authorities) {
    (void)easy;
    cc_set_rules(context);
    return cc_authorities_serve(authorities, context);
}

CURLcode cc_set_authorities(CURL *easy, cc_authorities *authorities) {
    CURLcode result = curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, prepare);
    if (result == CURLE_NOT_BUILT_IN || result == CURLE_UNKNOWN_OPTION) return CURLE_OK;
    if (result == CURLE_OK) result = curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, authorities);
    // libcurl then reads no authorities itself.
    if (result == CURLE_OK) result = curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
    return result == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_CAPATH, NULL) : result;
}
