import Glibc

/// Removes files that nobody wants any more.
enum FileRemover {
    /// Removes a file; one that is gone already is as good.
    static func remove(_ path: String) { unlink(path) }
}
