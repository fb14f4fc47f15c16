// The functions of both libraries that are used, as a table of pointers.
//
// The declarations are our own, so that a build needs no headers of the libraries. With NETDASH_CHECK_HEADERS, as a
// test compiles this folder, they come from the real headers instead, and each use and each constant is compared.
#ifndef NETDASH_CRPCLIBRARIES_H
#define NETDASH_CRPCLIBRARIES_H

#include "CRPCTransport.h"

#include <stdarg.h>
#include <sys/socket.h>
#include <sys/types.h>

#ifdef NETDASH_CHECK_HEADERS
#include <microhttpd.h>
#include <wslay/wslay.h>
#define CRPC_FUNCTION(result, name, parameters) __typeof__(&name) name##_;
#define CRPC_SAME(ours, theirs) _Static_assert((ours) == (theirs), #theirs)
#else
#define CRPC_FUNCTION(result, name, parameters) result(*name##_) parameters;
#define CRPC_SAME(ours, theirs)

// int has the size of the enumeration, whose values are 0 and 1.
enum MHD_Result { CRPC_NO = 0, CRPC_YES = 1 };
struct MHD_Daemon;
struct MHD_Connection;
struct MHD_Response;
struct MHD_UpgradeResponseHandle;
enum MHD_ValueKind { CRPC_OF_HEADER = 1, CRPC_OF_QUERY = 8 };
enum MHD_RequestTerminationCode { CRPC_COMPLETED_OK = 0 };
enum MHD_ResponseMemoryMode { CRPC_COPY_MEMORY = 2 };
enum MHD_UpgradeAction { CRPC_CLOSE_UPGRADE = 0 };
enum MHD_ConnectionNotificationCode { CRPC_BEGAN = 0, CRPC_ENDED = 1 };
enum MHD_ConnectionInfoType { CRPC_DESCRIPTOR = 6, CRPC_CONTEXT = 7 };
union MHD_ConnectionInfo {
    int connect_fd;
    void *socket_context;
};
typedef enum MHD_Result (*MHD_AcceptPolicyCallback)(void *, const struct sockaddr *, socklen_t);
typedef enum MHD_Result (*MHD_AccessHandlerCallback)(
    void *, struct MHD_Connection *, const char *, const char *, const char *, const char *, size_t *, void **);
typedef enum MHD_Result (*MHD_KeyValueIterator)(void *, enum MHD_ValueKind, const char *, const char *);
typedef void (*MHD_UpgradeHandler)(
    void *, struct MHD_Connection *, void *, const char *, size_t, int, struct MHD_UpgradeResponseHandle *);

struct wslay_event_context;
typedef struct wslay_event_context *wslay_event_context_ptr;
struct wslay_event_on_msg_recv_arg {
    uint8_t rsv;
    uint8_t opcode;
    const uint8_t *msg;
    size_t msg_length;
    uint16_t status_code;
};
struct wslay_event_callbacks {
    ssize_t (*recv_callback)(wslay_event_context_ptr, uint8_t *, size_t, int, void *);
    ssize_t (*send_callback)(wslay_event_context_ptr, const uint8_t *, size_t, int, void *);
    void (*genmask_callback)(void);
    void (*on_frame_recv_start_callback)(void);
    void (*on_frame_recv_chunk_callback)(void);
    void (*on_frame_recv_end_callback)(void);
    void (*on_msg_recv_callback)(
        wslay_event_context_ptr, const struct wslay_event_on_msg_recv_arg *, void *);
};
struct wslay_event_msg {
    uint8_t opcode;
    const uint8_t *msg;
    size_t msg_length;
};
#endif

#define CRPC_USE_TLS 2u
#define CRPC_USE_INTERNAL_THREAD 8u
#define CRPC_USE_EPOLL 512u
#define CRPC_USE_WAKING 1024u
#define CRPC_ALLOW_SUSPEND 8192u
#define CRPC_ALLOW_UPGRADE 32768u
enum {
    CRPC_OPTION_END = 0,
    CRPC_OPTION_MEMORY_LIMIT = 1,
    CRPC_OPTION_CONNECTION_LIMIT = 2,
    CRPC_OPTION_TIMEOUT = 3,
    CRPC_OPTION_COMPLETED = 4,
    CRPC_OPTION_ADDRESS_LIMIT = 5,
    CRPC_OPTION_KEY = 8,
    CRPC_OPTION_CERTIFICATE = 9,
    CRPC_OPTION_LISTENER = 12,
    CRPC_OPTION_CONNECTIONS = 27,
    CRPC_CONNECTION_BEGAN = 0,
    CRPC_INFO_DESCRIPTOR = 6,
    CRPC_INFO_CONTEXT = 7,
    CRPC_MUST_COPY = 2,
    CRPC_KIND_HEADER = 1,
    CRPC_KIND_QUERY = 8,
    CRPC_ACTION_CLOSE = 0,
    CRPC_WOULD_BLOCK = -401,
    CRPC_CALLBACK_FAILURE = -400,
    CRPC_TEXT_FRAME = 1,
};

#define CRPC_MICROHTTPD(F)                                                                                             \
    F(struct MHD_Daemon *, MHD_start_daemon,                                                                           \
      (unsigned int, uint16_t, MHD_AcceptPolicyCallback, void *, MHD_AccessHandlerCallback, void *, ...))              \
    F(void, MHD_stop_daemon, (struct MHD_Daemon *))                                                                    \
    F(int, MHD_get_connection_values,                                                                                  \
      (struct MHD_Connection *, enum MHD_ValueKind, MHD_KeyValueIterator, void *))                                     \
    F(struct MHD_Response *, MHD_create_response_from_buffer, (size_t, void *, enum MHD_ResponseMemoryMode))           \
    F(struct MHD_Response *, MHD_create_response_for_upgrade, (MHD_UpgradeHandler, void *))                            \
    F(enum MHD_Result, MHD_add_response_header, (struct MHD_Response *, const char *, const char *))                   \
    F(enum MHD_Result, MHD_queue_response, (struct MHD_Connection *, unsigned int, struct MHD_Response *))             \
    F(void, MHD_destroy_response, (struct MHD_Response *))                                                             \
    F(enum MHD_Result, MHD_upgrade_action, (struct MHD_UpgradeResponseHandle *, enum MHD_UpgradeAction, ...))          \
    F(const union MHD_ConnectionInfo *, MHD_get_connection_info,                                                       \
      (struct MHD_Connection *, enum MHD_ConnectionInfoType, ...))                                                     \
    F(void, MHD_suspend_connection, (struct MHD_Connection *))                                                         \
    F(void, MHD_resume_connection, (struct MHD_Connection *))

#define CRPC_WSLAY(F)                                                                                                  \
    F(int, wslay_event_context_server_init,                                                                            \
      (wslay_event_context_ptr *, const struct wslay_event_callbacks *, void *))                                       \
    F(void, wslay_event_context_free, (wslay_event_context_ptr))                                                       \
    F(void, wslay_event_config_set_max_recv_msg_length, (wslay_event_context_ptr, uint64_t))                           \
    F(int, wslay_event_recv, (wslay_event_context_ptr))                                                                \
    F(int, wslay_event_send, (wslay_event_context_ptr))                                                                \
    F(int, wslay_event_queue_msg, (wslay_event_context_ptr, const struct wslay_event_msg *))                           \
    F(int, wslay_event_queue_close, (wslay_event_context_ptr, uint16_t, const uint8_t *, size_t))                      \
    F(void, wslay_event_set_error, (wslay_event_context_ptr, int))                                                     \
    F(int, wslay_event_want_read, (wslay_event_context_ptr))                                                           \
    F(int, wslay_event_want_write, (wslay_event_context_ptr))                                                          \
    F(int, wslay_event_get_close_received, (wslay_event_context_ptr))                                                  \
    F(int, wslay_event_get_close_sent, (wslay_event_context_ptr))                                                      \
    F(size_t, wslay_event_get_queued_msg_count, (wslay_event_context_ptr))                                             \
    F(size_t, wslay_event_get_queued_msg_length, (wslay_event_context_ptr))

typedef struct {
    CRPC_MICROHTTPD(CRPC_FUNCTION)
    CRPC_WSLAY(CRPC_FUNCTION)
} crpc_functions;

// Filled by crpc_load, and unchanged from then on.
extern crpc_functions crpc_library;

#endif
