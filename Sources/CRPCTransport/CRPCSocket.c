#include "CRPCLibraries.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>

// The pieces that one call reads: another WebSocket has its turn after them.
static const int pieces_of_turn = 16;

typedef struct {
    wslay_event_context_ptr events;
    int descriptor;
    // Bytes that came behind the request.
    char *early;
    size_t early_size;
    size_t early_read;
    int pieces_left;
    bool was_cut;
    void *context;
    crpc_on_message on_message;
} websocket;

static ssize_t receive(wslay_event_context_ptr events, uint8_t *buffer, size_t size, int flags, void *context) {
    (void)flags;
    websocket *self = context;
    size_t early = self->early_size - self->early_read;
    if (early > 0) {
        size_t count = early < size ? early : size;
        memcpy(buffer, self->early + self->early_read, count);
        self->early_read += count;
        return (ssize_t)count;
    }
    if (self->pieces_left == 0) {
        self->was_cut = true;
        crpc_library.wslay_event_set_error_(events, CRPC_WOULD_BLOCK);
        return -1;
    }
    self->pieces_left -= 1;
    ssize_t count;
    do count = recv(self->descriptor, buffer, size, 0);
    while (count < 0 && errno == EINTR);
    if (count > 0) return count;
    bool is_empty = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    crpc_library.wslay_event_set_error_(events, is_empty ? CRPC_WOULD_BLOCK : CRPC_CALLBACK_FAILURE);
    return -1;
}

static ssize_t transmit(wslay_event_context_ptr events, const uint8_t *data, size_t size, int flags, void *context) {
    (void)flags;
    websocket *self = context;
    ssize_t count;
    do count = send(self->descriptor, data, size, MSG_NOSIGNAL);
    while (count < 0 && errno == EINTR);
    if (count >= 0) return count;
    bool is_full = errno == EAGAIN || errno == EWOULDBLOCK;
    crpc_library.wslay_event_set_error_(events, is_full ? CRPC_WOULD_BLOCK : CRPC_CALLBACK_FAILURE);
    return -1;
}

static void on_message(
    wslay_event_context_ptr events, const struct wslay_event_on_msg_recv_arg *message, void *context) {
    (void)events;
    websocket *self = context;
    if (message->opcode == CRPC_TEXT_FRAME) self->on_message(self->context, message->msg, message->msg_length);
}

void *crpc_socket_new(
    int descriptor, const char *early, size_t early_size, uint64_t message_limit, void *context,
    crpc_on_message callback) {
    websocket *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    // The head of a frame and its payload are two writes, the second of which would wait for the first one's
    // acknowledgement. A socket in the file system has no such option and needs none.
    int is_on = 1;
    (void)setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &is_on, sizeof is_on);
    self->descriptor = descriptor;
    self->context = context;
    self->on_message = callback;
    if (early_size > 0) {
        self->early = malloc(early_size);
        if (self->early != NULL) memcpy(self->early, early, early_size);
        self->early_size = early_size;
    }
    struct wslay_event_callbacks callbacks = {
        .recv_callback = receive, .send_callback = transmit, .on_msg_recv_callback = on_message};
    if ((early_size > 0 && self->early == NULL)
        || crpc_library.wslay_event_context_server_init_(&self->events, &callbacks, self) != 0) {
        free(self->early);
        free(self);
        return NULL;
    }
    crpc_library.wslay_event_config_set_max_recv_msg_length_(self->events, message_limit);
    return self;
}

void crpc_socket_free(void *context) {
    websocket *self = context;
    crpc_library.wslay_event_context_free_(self->events);
    free(self->early);
    free(self);
}

bool crpc_socket_receive(void *context, bool *has_more) {
    websocket *self = context;
    self->pieces_left = pieces_of_turn;
    self->was_cut = false;
    int result = crpc_library.wslay_event_recv_(self->events);
    *has_more = self->was_cut;
    return result == 0;
}

bool crpc_socket_send(void *context) {
    websocket *self = context;
    return crpc_library.wslay_event_send_(self->events) == 0;
}

bool crpc_socket_queue(void *context, const uint8_t *data, size_t size) {
    websocket *self = context;
    struct wslay_event_msg message = {CRPC_TEXT_FRAME, data, size};
    return crpc_library.wslay_event_queue_msg_(self->events, &message) == 0;
}

void crpc_socket_queue_close(void *context, uint16_t code) {
    websocket *self = context;
    (void)crpc_library.wslay_event_queue_close_(self->events, code, NULL, 0);
}

bool crpc_socket_wants_read(void *context) {
    return crpc_library.wslay_event_want_read_(((websocket *)context)->events) != 0;
}

bool crpc_socket_wants_write(void *context) {
    return crpc_library.wslay_event_want_write_(((websocket *)context)->events) != 0;
}

size_t crpc_socket_queued_bytes(void *context) {
    return crpc_library.wslay_event_get_queued_msg_length_(((websocket *)context)->events);
}

size_t crpc_socket_queued_messages(void *context) {
    return crpc_library.wslay_event_get_queued_msg_count_(((websocket *)context)->events);
}

bool crpc_socket_is_over(void *context) {
    websocket *self = context;
    return !crpc_socket_wants_read(self) && !crpc_socket_wants_write(self);
}
