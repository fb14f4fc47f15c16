// Between the files of this module only.
#ifndef NETDASH_AUTHORITIES_H
#define NETDASH_AUTHORITIES_H

#include <openssl/ssl.h>
#include <stdbool.h>

#include "trust.h"

// Gives a connection that is about to be made the authorities; fails when memory is short or a file that was named cannot
// be read.
CURLcode cc_authorities_serve(cc_authorities *authorities, SSL_CTX *context);

// What is stored as the result of a verification when a certificate names no host.
#define CC_NAMES_NO_HOST X509_V_ERR_EMPTY_SUBJECT_ALT_NAME

// Whether a certificate has a name or an address of a host where they belong, its subjectAltName.
bool cc_names_a_host(X509 *certificate);

// The rule of every connection that is about to be made: its server's certificate names a host.
void cc_set_rules(SSL_CTX *context);

#endif
