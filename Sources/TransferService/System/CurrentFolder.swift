import Glibc

/// The folder of this process, which relative paths start at.
package enum CurrentFolder {
    /// Why no path leads to it.
    package enum Problem: Error, Sendable, Equatable {
        /// It was removed, or its disk was taken away.
        case isGone
        /// Its path has bytes that are not UTF-8, and a text of it would name another folder.
        case isNoText
    }

    /// Returns its absolute path.
    package static func path() throws(Problem) -> String {
        guard let bytes = getcwd(nil, 0) else { throw .isGone }
        defer { free(bytes) }
        // The kernel names a folder outside of this process's file systems "(unreachable)".
        guard bytes[0] == CChar(bitPattern: UInt8(ascii: "/")) else { throw .isGone }
        guard let path = String(validatingCString: bytes) else { throw .isNoText }
        return path
    }

    /// Returns a path from the root; a relative one stays as it is where no path leads to this folder.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = try? Self.path() else { return path }
        return path == "." ? folder : folder + "/" + path
    }
}
