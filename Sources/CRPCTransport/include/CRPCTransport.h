// HTTP by libmicrohttpd and WebSockets by wslay, both loaded at run time: a program that never listens needs neither.
#ifndef NETDASH_CRPCTRANSPORT_H
#define NETDASH_CRPCTRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loads both libraries once. Returns NULL, or the name of the one that is missing.
const char *crpc_load(void);

// MARK: - HTTP

typedef struct {
    const char *name;
    const char *value;
} crpc_field;

// A part of a request: first its head without data, then its body in pieces, then its end without data. `state` is the
// request's own, NULL at first. Sets `size` to 0 when it has taken the data. Returns false to end the connection.
typedef bool (*crpc_on_request)(
    void *context, void *connection, const char *path, const char *method, const char *data, size_t *size, void **state);
// A request is over, answered or not.
typedef void (*crpc_on_completed)(void *context, void *state);
typedef void (*crpc_on_field)(void *context, const char *name, const char *value);
// A connection is a WebSocket now. `early` are bytes that came behind the request. The socket stays the library's and
// is given back with crpc_end_upgrade.
typedef void (*crpc_on_upgraded)(
    void *context, int descriptor, const char *early, size_t early_size, void *upgraded);

typedef struct {
    // A listening, non-blocking socket, which the server closes.
    int listener;
    unsigned int connection_limit;
    // The most connections from one address; 0 for any number.
    unsigned int address_limit;
    unsigned int idle_seconds;
    // A certificate and its key in PEM; NULL for none.
    const char *certificate;
    void *context;
    crpc_on_request on_request;
    crpc_on_completed on_completed;
} crpc_configuration;

// Starts a thread that serves; NULL on failure.
void *crpc_start(const crpc_configuration *configuration);
// Ends every connection. No connection may be suspended, and no upgrade may be open.
void crpc_stop(void *server);

// Reads the header fields, or the members of the query.
void crpc_read_fields(void *connection, void *context, crpc_on_field on_field);
void crpc_read_query(void *connection, void *context, crpc_on_field on_field);
// Answers; the body is copied. Returns false on failure.
bool crpc_reply(
    void *connection, unsigned int status, const crpc_field *fields, size_t count, const void *body, size_t size);
// Compresses a body as gzip does. Returns the number of bytes; 0 where it takes more room than there is.
size_t crpc_gzip(const void *body, size_t size, void *result, size_t capacity);
bool crpc_upgrade(
    void *connection, const crpc_field *fields, size_t count, void *context, crpc_on_upgraded on_upgraded);
void crpc_end_upgrade(void *upgraded);
// Stops calling on_request for a connection until it is resumed.
void crpc_suspend(void *connection);
void crpc_resume(void *connection);

// MARK: - WebSocket

// A complete message of text. The data is valid during the call.
typedef void (*crpc_on_message)(void *context, const uint8_t *data, size_t size);

// The server's side of a WebSocket over a non-blocking descriptor; NULL without memory.
void *crpc_socket_new(
    int descriptor, const char *early, size_t early_size, uint64_t message_limit, void *context,
    crpc_on_message on_message);
void crpc_socket_free(void *socket);
// Reads what is there, at most a few pieces. Returns false when the WebSocket is over. `has_more` says that early bytes
// or more pieces wait that no poll reports.
bool crpc_socket_receive(void *socket, bool *has_more);
// Writes as much as the descriptor takes; false when the WebSocket is over.
bool crpc_socket_send(void *socket);
// Adds a message of text behind the others, which is copied.
bool crpc_socket_queue(void *socket, const uint8_t *data, size_t size);
// Adds the frame that ends the WebSocket.
void crpc_socket_queue_close(void *socket, uint16_t code);
bool crpc_socket_wants_read(void *socket);
bool crpc_socket_wants_write(void *socket);
// The bytes and the messages that wait to be written, control frames included.
size_t crpc_socket_queued_bytes(void *socket);
size_t crpc_socket_queued_messages(void *socket);
// Whether both sides have ended it.
bool crpc_socket_is_over(void *socket);

#endif
