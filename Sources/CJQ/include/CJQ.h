#ifndef CJQ_H
#define CJQ_H

#include <stddef.h>
#include <stdint.h>

/// Whether the library is there; loads it at the first call.
int cjq_is_available(void);

/// The results of a program for a JSON text, as the text of a JSON array in `*results`, which `cjq_free` releases.
///
/// Stops after `limit` results. Returns 0, or -1 with the reason in `message`: a program that cannot be compiled, a text
/// that is no JSON, or an error of the program.
int cjq_run(
    const char *program, const char *text, size_t length, int64_t limit, char **results, size_t *results_length,
    char *message, size_t capacity);

/// Compiles a program; returns 0, or -1 with the reason in `message`.
int cjq_check(const char *program, char *message, size_t capacity);

void cjq_free(char *results);

#endif
