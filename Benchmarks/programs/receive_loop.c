/* The least that a download over HTTP can cost: one request, then recv and write of 256 KiB at a time, until the server
 * closes. It knows no redirects, no ranges and no errors but its own; it is a yardstick, not a program.
 *
 *   receive_loop PORT PATH FILE       from 127.0.0.1 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BLOCK = 256 << 10 };
static char block[BLOCK];

static int fail(const char *what) {
    perror(what);
    return 1;
}

/* Writes all of it; 0, or -1 with errno. */
static int write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0) return -1;
        bytes += written;
        count -= (size_t)written;
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "usage: receive_loop PORT PATH FILE\n"), 2;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(argv[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) < 0) return fail("connect");
    int length = snprintf(block, BLOCK, "GET /%s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", argv[2]);
    if (write_all(connection, block, (size_t)length) < 0) return fail("request");
    int file = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0) return fail(argv[3]);

    size_t held = 0; /* bytes in the block */
    char *body = NULL;
    while (!body) { /* the head */
        ssize_t count = recv(connection, block + held, BLOCK - 1 - held, 0);
        if (count <= 0) return fail("head");
        held += (size_t)count;
        block[held] = 0;
        body = strstr(block, "\r\n\r\n");
    }
    body += 4;
    if (write_all(file, body, held - (size_t)(body - block)) < 0) return fail("write");
    for (;;) {
        /* Whole blocks: each write is as large as it can be. */
        ssize_t count = recv(connection, block, BLOCK, MSG_WAITALL);
        if (count < 0) return fail("recv");
        if (count == 0) break;
        if (write_all(file, block, (size_t)count) < 0) return fail("write");
    }
    return close(file) < 0 ? fail("close") : 0;
}
