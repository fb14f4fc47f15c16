#include "negotiate.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The needed parts of the C binding of GSS-API (RFC 2744). The library is loaded on demand: libcurl depends on it, and
// its headers are not required.
typedef struct {
    uint32_t length;
    void *elements;
} object_identifier;

typedef struct {
    size_t length;
    void *value;
} buffer;

typedef uint32_t (*import_name_call)(uint32_t *, buffer *, object_identifier *, void **);
typedef uint32_t (*init_call)(
    uint32_t *, void *, void **, void *, object_identifier *, uint32_t, uint32_t, void *, buffer *,
    object_identifier **, buffer *, uint32_t *, uint32_t *);
typedef uint32_t (*delete_context_call)(uint32_t *, void **, buffer *);
typedef uint32_t (*release_name_call)(uint32_t *, void **);
typedef uint32_t (*release_buffer_call)(uint32_t *, buffer *);
typedef uint32_t (*display_status_call)(uint32_t *, uint32_t, int, object_identifier *, uint32_t *, buffer *);

static struct {
    import_name_call import_name;
    init_call init_context;
    delete_context_call delete_context;
    release_name_call release_name;
    release_buffer_call release_buffer;
    display_status_call display_status;
    int is_there;
} gss;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static object_identifier host_based_service = {10, "\x2a\x86\x48\x86\xf7\x12\x01\x02\x01\x04"};
static object_identifier spnego = {6, "\x2b\x06\x01\x05\x05\x02"};

enum {
    REPLAY_DETECTION = 4,
    STATUS_OF_CALL = 1,
    STATUS_OF_MECHANISM = 2,
};

// The upper half of a status says whether it is an error (RFC 2744, 3.9.1).
static int is_error(uint32_t status) { return (status & 0xffff0000u) != 0; }

static void load(void) {
    void *library = dlopen("libgssapi_krb5.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    gss.import_name = (import_name_call)dlsym(library, "gss_import_name");
    gss.init_context = (init_call)dlsym(library, "gss_init_sec_context");
    gss.delete_context = (delete_context_call)dlsym(library, "gss_delete_sec_context");
    gss.release_name = (release_name_call)dlsym(library, "gss_release_name");
    gss.release_buffer = (release_buffer_call)dlsym(library, "gss_release_buffer");
    gss.display_status = (display_status_call)dlsym(library, "gss_display_status");
    gss.is_there = gss.import_name && gss.init_context && gss.delete_context && gss.release_name &&
                   gss.release_buffer && gss.display_status;
}

static size_t describe(uint32_t status, int kind, char *text, size_t capacity) {
    uint32_t minor = 0, context = 0;
    buffer words = {0, NULL};
    if (is_error(gss.display_status(&minor, status, kind, &spnego, &context, &words))) return 0;
    size_t length = words.length < capacity - 1 ? words.length : capacity - 1;
    memcpy(text, words.value, length);
    text[length] = 0;
    gss.release_buffer(&minor, &words);
    return length;
}

cc_negotiate_result cc_negotiate_token(
    const char *service, unsigned char **token, size_t *count, char *problem, size_t capacity) {
    if (capacity > 0) problem[0] = 0;
    if (pthread_once(&once, load) != 0 || !gss.is_there) return CC_NEGOTIATE_UNAVAILABLE;
    uint32_t minor = 0, ignored = 0;
    void *name = NULL, *context = NULL;
    buffer text = {strlen(service), (void *)service}, made = {0, NULL};
    uint32_t major = gss.import_name(&minor, &text, &host_based_service, &name);
    if (!is_error(major))
        major = gss.init_context(
            &minor, NULL, &context, name, &spnego, REPLAY_DETECTION, 0, NULL, NULL, NULL, &made, NULL, NULL);
    cc_negotiate_result result = CC_NEGOTIATE_REFUSED;
    if (!is_error(major) && made.length > 0) {
        *token = malloc(made.length);
        if (*token != NULL) {
            memcpy(*token, made.value, made.length);
            *count = made.length;
            result = CC_NEGOTIATE_MADE;
        }
    } else if (capacity > 0 && describe(minor, STATUS_OF_MECHANISM, problem, capacity) == 0) {
        // The mechanism has no message for what the call itself refuses.
        describe(major, STATUS_OF_CALL, problem, capacity);
    }
    if (made.value != NULL) gss.release_buffer(&ignored, &made);
    if (context != NULL) gss.delete_context(&ignored, &context, NULL);
    if (name != NULL) gss.release_name(&ignored, &name);
    return result;
}
