#include <openssl/crypto.h>

// OpenSSL frees its tables when a program calls exit(), while the threads of its sessions still use them.
//
// The first initialisation decides, and certificates and digests may be used before any session, so this runs before
// main. The tables' memory is freed with the process anyway.
__attribute__((constructor)) static void keep_tables_at_exit(void) {
    (void)OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}
