#include "CRPCLibraries.h"

#include <stdlib.h>
#include <string.h>

// The least memory of a connection: a page's fields and its query fit.
static const size_t memory_limit = 64 * 1024;

typedef struct {
    struct MHD_Daemon *daemon;
    void *context;
    crpc_on_request on_request;
    crpc_on_completed on_completed;
} server;

static enum MHD_Result on_request(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *data, size_t *size, void **state) {
    (void)version;
    server *self = context;
    bool goes_on = self->on_request(self->context, connection, url, method, data, size, state);
    return (enum MHD_Result)(goes_on ? 1 : 0);
}

static void on_completed(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code) {
    (void)connection;
    (void)code;
    server *self = context;
    void *old = *state;
    *state = NULL;
    self->on_completed(self->context, old);
}

void *crpc_start(const crpc_configuration *configuration) {
    server *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->context = configuration->context;
    self->on_request = configuration->on_request;
    self->on_completed = configuration->on_completed;
    unsigned int flags = CRPC_USE_INTERNAL_THREAD | CRPC_USE_EPOLL | CRPC_USE_WAKING | CRPC_ALLOW_SUSPEND
        | CRPC_ALLOW_UPGRADE;
    if (configuration->certificate != NULL) {
        self->daemon = crpc_library.MHD_start_daemon_(
            flags | CRPC_USE_TLS, 0, NULL, NULL, on_request, self, CRPC_OPTION_LISTENER, configuration->listener,
            CRPC_OPTION_CONNECTION_LIMIT, configuration->connection_limit, CRPC_OPTION_ADDRESS_LIMIT,
            configuration->address_limit, CRPC_OPTION_TIMEOUT, configuration->idle_seconds, CRPC_OPTION_MEMORY_LIMIT, memory_limit, CRPC_OPTION_COMPLETED, on_completed,
            self, CRPC_OPTION_KEY, configuration->certificate, CRPC_OPTION_CERTIFICATE, configuration->certificate,
            CRPC_OPTION_END);
    } else {
        self->daemon = crpc_library.MHD_start_daemon_(
            flags, 0, NULL, NULL, on_request, self, CRPC_OPTION_LISTENER, configuration->listener,
            CRPC_OPTION_CONNECTION_LIMIT, configuration->connection_limit, CRPC_OPTION_ADDRESS_LIMIT,
            configuration->address_limit, CRPC_OPTION_TIMEOUT, configuration->idle_seconds, CRPC_OPTION_MEMORY_LIMIT, memory_limit, CRPC_OPTION_COMPLETED, on_completed,
            self, CRPC_OPTION_END);
    }
    if (self->daemon != NULL) return self;
    free(self);
    return NULL;
}

void crpc_stop(void *context) {
    server *self = context;
    crpc_library.MHD_stop_daemon_(self->daemon);
    free(self);
}

// MARK: - Requests

typedef struct {
    void *context;
    crpc_on_field on_field;
} reader;

static enum MHD_Result on_field(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    (void)kind;
    reader *self = context;
    self->on_field(self->context, name, value == NULL ? "" : value);
    return (enum MHD_Result)1;
}

void crpc_read_fields(void *connection, void *context, crpc_on_field callback) {
    reader self = {context, callback};
    crpc_library.MHD_get_connection_values_(connection, (enum MHD_ValueKind)CRPC_KIND_HEADER, on_field, &self);
}

void crpc_read_query(void *connection, void *context, crpc_on_field callback) {
    reader self = {context, callback};
    crpc_library.MHD_get_connection_values_(connection, (enum MHD_ValueKind)CRPC_KIND_QUERY, on_field, &self);
}

// MARK: - Responses

static bool queue(
    void *connection, unsigned int status, struct MHD_Response *response, const crpc_field *fields, size_t count) {
    if (response == NULL) return false;
    bool is_complete = true;
    for (size_t index = 0; index < count && is_complete; index++) {
        is_complete = crpc_library.MHD_add_response_header_(response, fields[index].name, fields[index].value) == 1;
    }
    bool is_queued = is_complete && crpc_library.MHD_queue_response_(connection, status, response) == 1;
    crpc_library.MHD_destroy_response_(response);
    return is_queued;
}

bool crpc_reply(
    void *connection, unsigned int status, const crpc_field *fields, size_t count, const void *body, size_t size) {
    struct MHD_Response *response = crpc_library.MHD_create_response_from_buffer_(
        size, (void *)(size == 0 ? "" : body), (enum MHD_ResponseMemoryMode)CRPC_MUST_COPY);
    return queue(connection, status, response, fields, count);
}

// MARK: - Upgrades

typedef struct {
    void *context;
    crpc_on_upgraded on_upgraded;
} upgrade;

static void on_upgraded(
    void *context, struct MHD_Connection *connection, void *state, const char *early, size_t early_size, int descriptor,
    struct MHD_UpgradeResponseHandle *handle) {
    (void)connection;
    (void)state;
    upgrade self = *(upgrade *)context;
    free(context);
    self.on_upgraded(self.context, descriptor, early, early_size, handle);
}

bool crpc_upgrade(
    void *connection, const crpc_field *fields, size_t count, void *context, crpc_on_upgraded callback) {
    upgrade *self = malloc(sizeof *self);
    if (self == NULL) return false;
    self->context = context;
    self->on_upgraded = callback;
    struct MHD_Response *response = crpc_library.MHD_create_response_for_upgrade_(on_upgraded, self);
    if (queue(connection, 101, response, fields, count)) return true;
    free(self);
    return false;
}

void crpc_end_upgrade(void *upgraded) {
    (void)crpc_library.MHD_upgrade_action_(upgraded, (enum MHD_UpgradeAction)CRPC_ACTION_CLOSE);
}

void crpc_suspend(void *connection) { crpc_library.MHD_suspend_connection_(connection); }

void crpc_resume(void *connection) { crpc_library.MHD_resume_connection_(connection); }
