#include "CRPCLibraries.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// The least memory of a connection: a page's fields and its query fit.
static const size_t memory_limit = 64 * 1024;

// What a connection is doing.
typedef enum {
    // Its request is not complete yet.
    ARRIVING,
    // Its request is being answered.
    ANSWERED,
    // It has had an answer, and may send another request.
    IDLE,
    // It is a WebSocket until it ends.
    UPGRADED,
    // It was told to end.
    ENDING,
} client_state;

typedef struct client {
    struct client *previous, *next;
    int descriptor;
    client_state state;
} client;

typedef struct {
    struct MHD_Daemon *daemon;
    void *context;
    crpc_on_request on_request;
    crpc_on_completed on_completed;
    // The connections, the one that has waited longest first. Only the server's thread uses them.
    client *first, *last;
    unsigned int client_count, client_limit;
} server;

// MARK: - Connections

static void append(server *self, client *added) {
    added->previous = self->last;
    added->next = NULL;
    *(self->last == NULL ? &self->first : &self->last->next) = added;
    self->last = added;
}

static void take_out(server *self, client *removed) {
    *(removed->previous == NULL ? &self->first : &removed->previous->next) = removed->next;
    *(removed->next == NULL ? &self->last : &removed->next->previous) = removed->previous;
}

// Ends the connection that has waited longest, one with half a request before one without any.
static void make_room(server *self, const client *newest) {
    client *chosen = NULL;
    for (client *each = self->first; each != NULL; each = each->next) {
        if (each == newest) continue;
        if (each->state == ARRIVING) {
            chosen = each;
            break;
        }
        if (each->state == IDLE && chosen == NULL) chosen = each;
    }
    if (chosen == NULL) return;
    chosen->state = ENDING;
    // The server reads the end of the connection next. A client that has left already is no failure.
    (void)shutdown(chosen->descriptor, SHUT_RDWR);
}

static void on_connection(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_ConnectionNotificationCode code) {
    server *self = context;
    if ((int)code != CRPC_CONNECTION_BEGAN) {
        client *ended = *state;
        if (ended == NULL) return;
        take_out(self, ended);
        free(ended);
        self->client_count -= 1;
        return;
    }
    const union MHD_ConnectionInfo *info =
        crpc_library.MHD_get_connection_info_(connection, (enum MHD_ConnectionInfoType)CRPC_INFO_DESCRIPTOR);
    client *began = info == NULL ? NULL : calloc(1, sizeof *began);
    // It is served without being counted.
    if (began == NULL) return;
    began->descriptor = info->connect_fd;
    *state = began;
    append(self, began);
    self->client_count += 1;
    if (self->client_count >= self->client_limit) make_room(self, began);
}

static client *client_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        crpc_library.MHD_get_connection_info_(connection, (enum MHD_ConnectionInfoType)CRPC_INFO_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

// Sets the state from which a connection waits.
static void set_state(server *self, struct MHD_Connection *connection, client_state state) {
    client *changed = client_of(connection);
    if (changed == NULL || changed->state == ENDING || changed->state == UPGRADED) return;
    changed->state = state;
    take_out(self, changed);
    append(self, changed);
}

// MARK: - Calls of the library

static enum MHD_Result on_request(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *data, size_t *size, void **state) {
    (void)version;
    server *self = context;
    // The first call has the head of a request, and the last one no further data.
    if (*state == NULL) set_state(self, connection, ARRIVING);
    else if (*size == 0) set_state(self, connection, ANSWERED);
    bool goes_on = self->on_request(self->context, connection, url, method, data, size, state);
    return (enum MHD_Result)(goes_on ? 1 : 0);
}

static void on_completed(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code) {
    (void)code;
    server *self = context;
    set_state(self, connection, IDLE);
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
    self->client_limit = configuration->connection_limit;
    unsigned int flags = CRPC_USE_INTERNAL_THREAD | CRPC_USE_EPOLL | CRPC_USE_WAKING | CRPC_ALLOW_SUSPEND
        | CRPC_ALLOW_UPGRADE;
    if (configuration->certificate != NULL) {
        self->daemon = crpc_library.MHD_start_daemon_(
            flags | CRPC_USE_TLS, 0, NULL, NULL, on_request, self, CRPC_OPTION_LISTENER, configuration->listener,
            CRPC_OPTION_CONNECTION_LIMIT, configuration->connection_limit, CRPC_OPTION_ADDRESS_LIMIT,
            configuration->address_limit, CRPC_OPTION_TIMEOUT, configuration->idle_seconds, CRPC_OPTION_MEMORY_LIMIT,
            memory_limit, CRPC_OPTION_COMPLETED, on_completed, self, CRPC_OPTION_CONNECTIONS, on_connection, self,
            CRPC_OPTION_KEY, configuration->certificate, CRPC_OPTION_CERTIFICATE, configuration->certificate,
            CRPC_OPTION_END);
    } else {
        self->daemon = crpc_library.MHD_start_daemon_(
            flags, 0, NULL, NULL, on_request, self, CRPC_OPTION_LISTENER, configuration->listener,
            CRPC_OPTION_CONNECTION_LIMIT, configuration->connection_limit, CRPC_OPTION_ADDRESS_LIMIT,
            configuration->address_limit, CRPC_OPTION_TIMEOUT, configuration->idle_seconds, CRPC_OPTION_MEMORY_LIMIT,
            memory_limit, CRPC_OPTION_COMPLETED, on_completed, self, CRPC_OPTION_CONNECTIONS, on_connection, self,
            CRPC_OPTION_END);
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
    if (!queue(connection, 101, response, fields, count)) {
        free(self);
        return false;
    }
    client *upgraded = client_of(connection);
    if (upgraded != NULL) upgraded->state = UPGRADED;
    return true;
}

void crpc_end_upgrade(void *upgraded) {
    (void)crpc_library.MHD_upgrade_action_(upgraded, (enum MHD_UpgradeAction)CRPC_ACTION_CLOSE);
}

void crpc_suspend(void *connection) { crpc_library.MHD_suspend_connection_(connection); }

void crpc_resume(void *connection) { crpc_library.MHD_resume_connection_(connection); }
