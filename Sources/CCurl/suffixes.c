#include "suffixes.h"

#include <arpa/inet.h>
#include <libpsl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
// Created once and never freed, because several threads may use it at a time.
static const psl_ctx_t *list = NULL;

static void load(void) { list = psl_latest(NULL); }

bool cc_load_public_suffixes(void) { return pthread_once(&once, load) == 0 && list != NULL; }

static bool is_address(const char *host) {
    struct in_addr address;
    return host[0] == '[' || inet_pton(AF_INET, host, &address) == 1;
}

cc_cookie_scope cc_scope_of_cookie(const char *host, const char *domain) {
    bool has_list = cc_load_public_suffixes();
    if (strcmp(host, domain) == 0) {
        return !has_list || is_address(host) || psl_is_public_suffix(list, host) ? CC_COOKIE_OF_HOST : CC_COOKIE_OF_DOMAIN;
    }
    if (!has_list || is_address(host)) return CC_COOKIE_REFUSED;
    return psl_is_cookie_domain_acceptable(list, host, domain) ? CC_COOKIE_OF_DOMAIN : CC_COOKIE_REFUSED;
}
