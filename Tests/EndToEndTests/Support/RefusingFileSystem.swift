import Foundation
import Testing

/// A library that a program is started with, and that refuses calls of the file system as vfat, many FUSE and network
/// mounts do, does them in pieces, or fails those on one file: such file systems cannot be mounted in a test.
///
/// Built once for all tests; they skip themselves where there is no compiler.
enum RefusingFileSystem {
    /// A call that is refused.
    enum Call: String, CaseIterable, Sendable {
        case tmpfile, link, fallocate, renameat2, fchmod, fsyncdir, locks
        /// A file that was written to is closed, and the call says that it has failed.
        case close
        /// Nothing is told of a file system.
        case statfs
        /// A call that writes takes a few bytes, or is interrupted, in turns.
        case wholeWrites

        /// Every lock of a database is refused as well, so that a saved session has no way to work.
        static let databaseLocks = "setlk"
        /// The environment is where the kernel put it, beside the arguments.
        static let environmentInPlace = "environment"
    }

    /// The variables of a program that is refused some calls, and gets EIO where it writes to a file whose path contains
    /// a text; nil without a compiler.
    static func environment(refusing calls: [Call] = [], failing text: String? = nil) -> [String: String]? {
        environment(refusing: calls.map(\.rawValue), failing: text)
    }

    /// The same for calls that no file system can do without.
    static func environment(refusing calls: [String], failing text: String? = nil) -> [String: String]? {
        guard let library else { return nil }
        var result = ["LD_PRELOAD": library, "REFUSED": calls.joined(separator: ",")]
        result["FAILING"] = text
        return result
    }

    private static let library: String? = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("netdash-refusing-\(getuid())")
        let (source, built) = (
            folder.appendingPathComponent("\(getpid()).c"), folder.appendingPathComponent("refusing.so")
        )
        let fresh = folder.appendingPathComponent("\(getpid()).so")
        defer { for file in [source, fresh] { try? FileManager.default.removeItem(at: file) } }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(code.utf8).write(to: source)
            let compiler = Process()
            compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            compiler.arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", fresh.path, source.path, "-ldl"]
            compiler.standardError = FileHandle.nullDevice
            try compiler.run()
            compiler.waitUntilExit()
            guard compiler.terminationStatus == 0 else { return nil }
            _ = rename(fresh.path, built.path)
            return built.path
        } catch {
            return nil
        }
    }()

    private static let code = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdarg.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/stat.h>
        #include <unistd.h>
        static int refused(const char *call) {
            const char *all = getenv("REFUSED");
            return all && strstr(all, call) != NULL;
        }
        // A variable that is set before main moves the environment away from the arguments.
        __attribute__((constructor)) static void move(void) {
            if (refused("environment")) setenv("MOVED_BEFORE_MAIN", "1", 1);
        }
        static int failing(int file) {
            const char *text = getenv("FAILING");
            char name[64], path[4096];
            if (!text) return 0;
            snprintf(name, sizeof name, "/proc/self/fd/%d", file);
            ssize_t count = readlink(name, path, sizeof path - 1);
            if (count < 0) return 0;
            path[count] = 0;
            return strstr(path, text) != NULL;
        }
        static int is_written(int file) {
            struct stat facts;
            int flags = fcntl(file, F_GETFL);
            return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
        }
        /* How much of a write is done; 0 for one that is interrupted. */
        static size_t piece(int file, size_t count) {
            static _Thread_local int turn;
            if (!refused("wholeWrites") || !is_written(file)) return count;
            if (++turn % 2) return 0;
            return count < 501 ? count : 501;
        }
        #define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))
        int openat(int folder, const char *path, int flags, ...) {
            mode_t mode = 0;
            if (flags & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }
            if ((flags & O_TMPFILE) == O_TMPFILE && refused("tmpfile")) { errno = EOPNOTSUPP; return -1; }
            return NEXT(int (*)(int, const char *, int, ...), "openat")(folder, path, flags, mode);
        }
        int linkat(int a, const char *b, int c, const char *d, int flags) {
            if (refused("link")) { errno = EPERM; return -1; }
            return NEXT(int (*)(int, const char *, int, const char *, int), "linkat")(a, b, c, d, flags);
        }
        int fallocate(int file, int mode, off_t offset, off_t length) {
            if (refused("fallocate")) { errno = EOPNOTSUPP; return -1; }
            return NEXT(int (*)(int, int, off_t, off_t), "fallocate")(file, mode, offset, length);
        }
        int renameat2(int a, const char *b, int c, const char *d, unsigned flags) {
            if (refused("renameat2")) { errno = EINVAL; return -1; }
            return NEXT(int (*)(int, const char *, int, const char *, unsigned), "renameat2")(a, b, c, d, flags);
        }
        int fchmod(int file, mode_t mode) {
            if (refused("fchmod")) { errno = EPERM; return -1; }
            return NEXT(int (*)(int, mode_t), "fchmod")(file, mode);
        }
        int fsync(int file) {
            struct stat facts;
            if (refused("fsyncdir") && fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode)) { errno = EINVAL; return -1; }
            return NEXT(int (*)(int), "fsync")(file);
        }
        int fcntl64(int file, int call, ...) {
            va_list list; va_start(list, call); void *argument = va_arg(list, void *); va_end(list);
            if (call == F_OFD_SETLK && refused("locks")) { errno = ENOLCK; return -1; }
            if ((call == F_SETLK || call == F_SETLKW) && refused("setlk")) { errno = ENOLCK; return -1; }
            return NEXT(int (*)(int, int, ...), "fcntl64")(file, call, argument);
        }
        int fcntl(int file, int call, ...) {
            va_list list; va_start(list, call); void *argument = va_arg(list, void *); va_end(list);
            if (call == F_OFD_SETLK && refused("locks")) { errno = ENOLCK; return -1; }
            if ((call == F_SETLK || call == F_SETLKW) && refused("setlk")) { errno = ENOLCK; return -1; }
            return NEXT(int (*)(int, int, ...), "fcntl")(file, call, argument);
        }
        ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
            size_t part = piece(file, count);
            if (failing(file)) { errno = EIO; return -1; }
            if (count && !part) { errno = EINTR; return -1; }
            return NEXT(ssize_t (*)(int, const void *, size_t, off_t), "pwrite")(file, bytes, part, offset);
        }
        ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
            size_t part = piece(file, count);
            if (failing(file)) { errno = EIO; return -1; }
            if (count && !part) { errno = EINTR; return -1; }
            return NEXT(ssize_t (*)(int, const void *, size_t, off_t), "pwrite64")(file, bytes, part, offset);
        }
        ssize_t write(int file, const void *bytes, size_t count) {
            size_t part = piece(file, count);
            if (count && !part) { errno = EINTR; return -1; }
            return NEXT(ssize_t (*)(int, const void *, size_t), "write")(file, bytes, part);
        }
        int close(int file) {
            int fails = refused("close") && is_written(file);
            int result = NEXT(int (*)(int), "close")(file);
            if (fails) { errno = EIO; return -1; }
            return result;
        }
        int fstatfs(int file, void *facts) {
            if (refused("statfs")) { errno = ENOSYS; return -1; }
            return NEXT(int (*)(int, void *), "fstatfs")(file, facts);
        }
        int fstatvfs(int file, void *facts) {
            if (refused("statfs")) { errno = ENOSYS; return -1; }
            return NEXT(int (*)(int, void *), "fstatvfs")(file, facts);
        }
        int statvfs(const char *path, void *facts) {
            if (refused("statfs")) { errno = ENOSYS; return -1; }
            return NEXT(int (*)(const char *, void *), "statvfs")(path, facts);
        }
        """
}
