import Glibc

/// The temporary file of a download, whose destination closure may have moved it itself.
struct StagedFile {
    /// The result of a look for the file.
    enum Place: Equatable {
        /// It is where it was.
        case present
        /// The file at the destination is the temporary one.
        case moved
        case gone
    }

    let path: String
    private let status: FileStatus?

    /// Remembers the file's identity.
    init(_ path: String) { (self.path, status) = (path, Self.status(path)) }

    var isPresent: Bool { Self.status(path) != nil }

    /// Looks for the file after a closure has named its destination.
    func place(at destination: String) -> Place {
        if isPresent { return .present }
        guard let status, let found = Self.status(destination), found.kind == .regular else { return .gone }
        if found.identity == status.identity { return .moved }
        // A move to another file system is a copy.
        return found.identity.device != status.identity.device && found.size == status.size ? .moved : .gone
    }

    private static func status(_ path: String) -> FileStatus? {
        var raw = stat()
        return lstat(path, &raw) == 0 ? FileStatus(raw) : nil
    }
}
