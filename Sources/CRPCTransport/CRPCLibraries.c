#include "CRPCLibraries.h"

#include <dlfcn.h>
#include <pthread.h>

crpc_functions crpc_library;

static const char *missing;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define CRPC_LOAD(result, name, parameters)                                                                            \
    crpc_library.name##_ = (__typeof__(crpc_library.name##_))dlsym(handle, #name);                                     \
    if (crpc_library.name##_ == NULL) return false;

static bool load_microhttpd(void *handle) {
    CRPC_MICROHTTPD(CRPC_LOAD)
    return true;
}

static bool load_wslay(void *handle) {
    CRPC_WSLAY(CRPC_LOAD)
    return true;
}

// The libraries stay loaded: their threads may outlive any owner.
static bool load(const char *name, bool (*read)(void *)) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL || !read(handle)) {
        missing = name;
        return false;
    }
    return true;
}

static void load_all(void) {
    if (load("libmicrohttpd.so.12", load_microhttpd)) load("libwslay.so.1", load_wslay);
}

const char *crpc_load(void) {
    if (pthread_once(&once, load_all) != 0) return "libmicrohttpd.so.12";
    return missing;
}

CRPC_SAME(CRPC_USE_TLS, MHD_USE_TLS);
CRPC_SAME(CRPC_USE_INTERNAL_THREAD, MHD_USE_INTERNAL_POLLING_THREAD);
CRPC_SAME(CRPC_USE_EPOLL, MHD_USE_EPOLL);
CRPC_SAME(CRPC_USE_WAKING, MHD_USE_ITC);
CRPC_SAME(CRPC_ALLOW_SUSPEND | CRPC_USE_WAKING, MHD_ALLOW_SUSPEND_RESUME);
CRPC_SAME(CRPC_ALLOW_UPGRADE, MHD_ALLOW_UPGRADE);
CRPC_SAME((int)CRPC_OPTION_END, (int)MHD_OPTION_END);
CRPC_SAME((int)CRPC_OPTION_MEMORY_LIMIT, (int)MHD_OPTION_CONNECTION_MEMORY_LIMIT);
CRPC_SAME((int)CRPC_OPTION_CONNECTION_LIMIT, (int)MHD_OPTION_CONNECTION_LIMIT);
CRPC_SAME((int)CRPC_OPTION_ADDRESS_LIMIT, (int)MHD_OPTION_PER_IP_CONNECTION_LIMIT);
CRPC_SAME((int)CRPC_OPTION_TIMEOUT, (int)MHD_OPTION_CONNECTION_TIMEOUT);
CRPC_SAME((int)CRPC_OPTION_COMPLETED, (int)MHD_OPTION_NOTIFY_COMPLETED);
CRPC_SAME((int)CRPC_OPTION_KEY, (int)MHD_OPTION_HTTPS_MEM_KEY);
CRPC_SAME((int)CRPC_OPTION_CERTIFICATE, (int)MHD_OPTION_HTTPS_MEM_CERT);
CRPC_SAME((int)CRPC_OPTION_LISTENER, (int)MHD_OPTION_LISTEN_SOCKET);
CRPC_SAME((int)CRPC_OPTION_CONNECTIONS, (int)MHD_OPTION_NOTIFY_CONNECTION);
CRPC_SAME((int)CRPC_CONNECTION_BEGAN, (int)MHD_CONNECTION_NOTIFY_STARTED);
CRPC_SAME((int)CRPC_INFO_DESCRIPTOR, (int)MHD_CONNECTION_INFO_CONNECTION_FD);
CRPC_SAME((int)CRPC_INFO_CONTEXT, (int)MHD_CONNECTION_INFO_SOCKET_CONTEXT);
CRPC_SAME((int)CRPC_MUST_COPY, (int)MHD_RESPMEM_MUST_COPY);
CRPC_SAME((int)CRPC_KIND_HEADER, (int)MHD_HEADER_KIND);
CRPC_SAME((int)CRPC_KIND_QUERY, (int)MHD_GET_ARGUMENT_KIND);
CRPC_SAME((int)CRPC_ACTION_CLOSE, (int)MHD_UPGRADE_ACTION_CLOSE);
CRPC_SAME((int)CRPC_WOULD_BLOCK, (int)WSLAY_ERR_WOULDBLOCK);
CRPC_SAME((int)CRPC_CALLBACK_FAILURE, (int)WSLAY_ERR_CALLBACK_FAILURE);
CRPC_SAME((int)CRPC_TEXT_FRAME, (int)WSLAY_TEXT_FRAME);
CRPC_SAME(sizeof(struct wslay_event_callbacks), 7 * sizeof(void *));
CRPC_SAME(offsetof(struct wslay_event_callbacks, send_callback), sizeof(void *));
CRPC_SAME(offsetof(struct wslay_event_callbacks, on_msg_recv_callback), 6 * sizeof(void *));
CRPC_SAME(offsetof(struct wslay_event_on_msg_recv_arg, opcode), 1);
CRPC_SAME(offsetof(struct wslay_event_on_msg_recv_arg, msg), sizeof(void *));
CRPC_SAME(offsetof(struct wslay_event_on_msg_recv_arg, msg_length), 2 * sizeof(void *));
CRPC_SAME(offsetof(struct wslay_event_msg, msg), sizeof(void *));
CRPC_SAME(sizeof(struct wslay_event_msg), 3 * sizeof(void *));
