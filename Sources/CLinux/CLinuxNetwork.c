#define _GNU_SOURCE
#include "CLinuxNetwork.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
// These must follow the C library's headers, whose names they repeat.
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

int cl_network_watch(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups =
        RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    int code = errno;
    (void)close(descriptor);
    errno = code;
    return -1;
}

int cl_network_drain(int descriptor) {
    char buffer[8192];
    int found = 0;
    for (;;) {
        ssize_t count = recv(descriptor, buffer, sizeof buffer, 0);
        if (count > 0) {
            found = 1;
        } else if (count < 0 && errno == ENOBUFS) {
            // More changed than the kernel could report; the caller checks the present state anyway.
            found = 1;
        } else if (count == 0 || errno == EAGAIN) {
            return found;
        } else if (errno != EINTR) {
            return -1;
        }
    }
}

// The name and flags of the interface with a local address.
static bool interface_of(const struct sockaddr *local, char name[IF_NAMESIZE], unsigned *flags) {
    struct ifaddrs *list = NULL;
    if (getifaddrs(&list) != 0) return false;
    bool found = false;
    for (struct ifaddrs *entry = list; entry != NULL && !found; entry = entry->ifa_next) {
        if (entry->ifa_addr == NULL || entry->ifa_addr->sa_family != local->sa_family) continue;
        if (local->sa_family == AF_INET) {
            found = memcmp(&((struct sockaddr_in *)entry->ifa_addr)->sin_addr,
                           &((const struct sockaddr_in *)local)->sin_addr, sizeof(struct in_addr)) == 0;
        } else {
            found = memcmp(&((struct sockaddr_in6 *)entry->ifa_addr)->sin6_addr,
                           &((const struct sockaddr_in6 *)local)->sin6_addr, sizeof(struct in6_addr)) == 0;
        }
        if (!found) continue;
        (void)snprintf(name, IF_NAMESIZE, "%s", entry->ifa_name);
        *flags = entry->ifa_flags;
    }
    freeifaddrs(list);
    return found;
}

static bool exists(const char *name, const char *what) {
    char path[128];
    int length = snprintf(path, sizeof path, "/sys/class/net/%s/%s", name, what);
    return length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0;
}

static cl_link kind_of(const char *name, unsigned flags) {
    if ((flags & IFF_LOOPBACK) != 0) return CL_LINK_LOOPBACK;
    if ((flags & IFF_RUNNING) == 0) return CL_LINK_NONE;
    if (exists(name, "wireless") || exists(name, "phy80211")) return CL_LINK_WIRELESS;
    if (strncmp(name, "ww", 2) == 0 || strncmp(name, "ppp", 3) == 0) return CL_LINK_CELLULAR;
    return exists(name, "device") ? CL_LINK_WIRED : CL_LINK_OTHER;
}

// Connecting a datagram socket sends nothing; the kernel only chooses the route and the source address.
static cl_link link_to(const struct sockaddr *target, socklen_t length) {
    int descriptor = socket(target->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return CL_LINK_NONE;
    struct sockaddr_storage local;
    socklen_t size = sizeof local;
    char name[IF_NAMESIZE] = "";
    unsigned flags = 0;
    bool found = connect(descriptor, target, length) == 0 &&
                 getsockname(descriptor, (struct sockaddr *)&local, &size) == 0 &&
                 interface_of((struct sockaddr *)&local, name, &flags);
    (void)close(descriptor);
    return found ? kind_of(name, flags) : CL_LINK_NONE;
}

// The number of a link that is given by its name or its number; 0 for none.
static unsigned zone_index(const char *zone) {
    unsigned index = if_nametoindex(zone);
    char name[IF_NAMESIZE];
    char *end = NULL;
    if (index != 0 || *zone < '0' || *zone > '9') return index;
    unsigned long number = strtoul(zone, &end, 10);
    return *end == 0 && number <= UINT_MAX && if_indextoname((unsigned)number, name) ? (unsigned)number : 0;
}

bool cl_network_route(const char *address, cl_link *link) {
    struct sockaddr_in old;
    struct sockaddr_in6 new;
    memset(&old, 0, sizeof old);
    memset(&new, 0, sizeof new);
    if (inet_pton(AF_INET, address, &old.sin_addr) == 1) {
        old.sin_family = AF_INET;
        old.sin_port = htons(9);
        *link = link_to((struct sockaddr *)&old, sizeof old);
        return true;
    }
    char text[INET6_ADDRSTRLEN];
    const char *zone = strchr(address, '%');
    size_t length = zone ? (size_t)(zone - address) : strlen(address);
    if (length >= sizeof text) return false;
    memcpy(text, address, length);
    text[length] = 0;
    // The address of a link needs the link's name or number.
    if (zone) new.sin6_scope_id = zone_index(zone + 1);
    if (zone && new.sin6_scope_id == 0) return false;
    if (inet_pton(AF_INET6, text, &new.sin6_addr) == 1) {
        new.sin6_family = AF_INET6;
        new.sin6_port = htons(9);
        *link = link_to((struct sockaddr *)&new, sizeof new);
        return true;
    }
    return false;
}

static int port_of(const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET) return ntohs(((const struct sockaddr_in *)address)->sin_port);
    if (address->ss_family == AF_INET6) return ntohs(((const struct sockaddr_in6 *)address)->sin6_port);
    return 0;
}

int cl_local_port(int descriptor) {
    struct sockaddr_storage local;
    socklen_t length = sizeof local;
    return getsockname(descriptor, (struct sockaddr *)&local, &length) == 0 ? port_of(&local) : 0;
}

bool cl_leads_to(int descriptor, const char *peer_address, int peer_port) {
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    if (getpeername(descriptor, (struct sockaddr *)&peer, &length) != 0 || port_of(&peer) != peer_port) return false;
    const void *place = peer.ss_family == AF_INET ? (const void *)&((struct sockaddr_in *)&peer)->sin_addr
                                                  : (const void *)&((struct sockaddr_in6 *)&peer)->sin6_addr;
    char text[INET6_ADDRSTRLEN];
    return inet_ntop(peer.ss_family, place, text, sizeof text) != NULL && strcmp(text, peer_address) == 0;
}
