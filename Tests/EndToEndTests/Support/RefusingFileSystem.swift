import Foundation
import Testing

/// A library that a program is started with, and that refuses calls of the file system as vfat, many FUSE and network
/// mounts do, or fails those on one file: such file systems cannot be mounted in a test.
///
/// Built once for all tests; they skip themselves where there is no compiler.
enum RefusingFileSystem {
    /// A call that is refused.
    enum Call: String, CaseIterable, Sendable {
        case tmpfile, link, fallocate, renameat2, fchmod, fsyncdir, locks
    }

    /// The variables of a program that is refused some calls, and gets EIO where it writes to a file whose path contains
    /// a text; nil without a compiler.
    static func environment(refusing calls: [Call] = [], failing text: String? = nil) -> [String: String]? {
        guard let library else { return nil }
        var result = ["LD_PRELOAD": library, "REFUSED": calls.map(\.rawValue).joined(separator: ",")]
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
            struct stat facts;
            if (call == F_OFD_SETLK && refused("locks")) { errno = ENOLCK; return -1; }
            return NEXT(int (*)(int, int, ...), "fcntl64")(file, call, argument);
        }
        int fcntl(int file, int call, ...) {
            va_list list; va_start(list, call); void *argument = va_arg(list, void *); va_end(list);
            if (call == F_OFD_SETLK && refused("locks")) { errno = ENOLCK; return -1; }
            return NEXT(int (*)(int, int, ...), "fcntl")(file, call, argument);
        }
        ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
            if (failing(file)) { errno = EIO; return -1; }
            return NEXT(ssize_t (*)(int, const void *, size_t, off_t), "pwrite")(file, bytes, count, offset);
        }
        ssize_t pwrite64(int file, const void *bytes, size_t count, off_t offset) {
            if (failing(file)) { errno = EIO; return -1; }
            return NEXT(ssize_t (*)(int, const void *, size_t, off_t), "pwrite64")(file, bytes, count, offset);
        }
        """
}
