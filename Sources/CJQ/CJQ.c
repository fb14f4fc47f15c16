#include "CJQ.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if !__has_include(<jq.h>)
#error "Headers are missing; on Debian: apt-get install libjq-dev"
#endif
#include <jq.h>
#include <jv.h>

// Loaded when it is wanted, because most systems have no libjq; its headers have the types.
#define FUNCTIONS(each)                                                                                                \
    each(jq_init) each(jq_teardown) each(jq_set_error_cb) each(jq_compile) each(jq_start) each(jq_next)                \
    each(jv_get_kind) each(jv_copy) each(jv_free) each(jv_invalid_get_msg) each(jv_invalid_has_msg)                    \
    each(jv_string_value) each(jv_string_length_bytes) each(jv_dump_string) each(jv_parse_sized)

static struct {
#define FIELD(name) __typeof__(&name) name;
    FUNCTIONS(FIELD)
#undef FIELD
} library;
static int is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen("libjq.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!handle) return;
#define FIND(name)                                                                                                     \
    library.name = (__typeof__(&name))dlsym(handle, #name);                                                            \
    if (!library.name) return;
    FUNCTIONS(FIND)
#undef FIND
    is_loaded = 1;
}

int cjq_is_available(void) { return pthread_once(&once, load) == 0 && is_loaded; }

struct reason {
    char *message;
    size_t capacity;
};

static void copy(struct reason *reason, const char *text) {
    if (reason->capacity == 0) return;
    strncpy(reason->message, text, reason->capacity - 1);
    reason->message[reason->capacity - 1] = 0;
}

// Keeps the first line of the first message; takes the value.
static void explain(void *context, jv value) {
    struct reason *reason = context;
    if (reason->capacity > 0 && reason->message[0] == 0) {
        jv text = library.jv_get_kind(value) == JV_KIND_STRING ? library.jv_copy(value)
                                                               : library.jv_dump_string(library.jv_copy(value), 0);
        copy(reason, library.jv_string_value(text));
        library.jv_free(text);
        char *end = strchr(reason->message, '\n');
        if (end) *end = 0;
    }
    library.jv_free(value);
}

// A compiled program; NULL with the reason. The caller ends it with jq_teardown.
static jq_state *compiled(const char *program, struct reason *reason) {
    if (reason->capacity > 0) reason->message[0] = 0;
    if (!cjq_is_available()) {
        copy(reason, "libjq is missing");
        return NULL;
    }
    jq_state *state = library.jq_init();
    if (!state) {
        copy(reason, "out of memory");
        return NULL;
    }
    library.jq_set_error_cb(state, explain, reason);
    if (library.jq_compile(state, program)) return state;
    library.jq_teardown(&state);
    return NULL;
}

int cjq_check(const char *program, char *message, size_t capacity) {
    struct reason reason = {message, capacity};
    jq_state *state = compiled(program, &reason);
    if (!state) return -1;
    library.jq_teardown(&state);
    return 0;
}

struct text {
    char *bytes;
    size_t count, capacity;
};

static int append(struct text *text, const char *bytes, size_t count) {
    if (text->capacity - text->count < count) {
        size_t capacity = (text->count + count) * 2;
        char *larger = realloc(text->bytes, capacity);
        if (!larger) return -1;
        text->bytes = larger;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->count, bytes, count);
    text->count += count;
    return 0;
}

// Appends the results as members of an array; takes nothing of the state but its results.
static int collect(jq_state *state, int64_t limit, struct text *results, struct reason *reason) {
    if (append(results, "[", 1) != 0) return -1;
    for (int64_t number = 0; number < limit; number++) {
        jv value = library.jq_next(state);
        if (library.jv_get_kind(value) == JV_KIND_INVALID) {
            int is_error = library.jv_invalid_has_msg(library.jv_copy(value));
            if (is_error) {
                explain(reason, library.jv_invalid_get_msg(value));
                return -1;
            }
            library.jv_free(value);
            break;
        }
        jv text = library.jv_dump_string(value, 0);
        int count = library.jv_string_length_bytes(library.jv_copy(text));
        int status = (number == 0 ? 0 : append(results, ",", 1));
        if (status == 0) status = append(results, library.jv_string_value(text), (size_t)count);
        library.jv_free(text);
        if (status != 0) return -1;
    }
    return append(results, "]", 1);
}

int cjq_run(
    const char *program, const char *text, size_t length, int64_t limit, char **results, size_t *results_length,
    char *message, size_t capacity) {
    struct reason reason = {message, capacity};
    struct text found = {NULL, 0, 0};
    *results = NULL;
    *results_length = 0;
    jq_state *state = compiled(program, &reason);
    if (!state) return -1;
    int status = -1;
    jv input = length <= INT_MAX ? library.jv_parse_sized(text, (int)length) : library.jv_parse_sized("", 0);
    if (library.jv_get_kind(input) == JV_KIND_INVALID) {
        library.jv_free(input);
        copy(&reason, "the body is not valid JSON");
    } else {
        library.jq_start(state, input, 0);
        status = collect(state, limit, &found, &reason);
        if (status != 0 && reason.capacity > 0 && message[0] == 0) copy(&reason, "out of memory");
    }
    library.jq_teardown(&state);
    if (status != 0) {
        free(found.bytes);
        return -1;
    }
    *results = found.bytes;
    *results_length = found.count;
    return 0;
}

void cjq_free(char *results) { free(results); }
