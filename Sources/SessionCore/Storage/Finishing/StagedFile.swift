import Glibc

/// The temporary file of a download, whose destination closure may have moved it itself.
///
/// It stays open, so that its bytes can be compared after a move to another file system, which is a copy.
struct StagedFile: ~Copyable {
    /// The result of a look for the file.
    enum Place: Equatable {
        /// It is where it was.
        case present
        /// The file at the destination is the temporary one; it may have stayed where it was.
        case moved
        case gone
    }

    let path: String
    private let descriptor: Int32
    private let identity: FileStatus.Identity?

    /// Remembers the file's identity.
    init(_ path: String) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        identity = Self.status(path)?.identity
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var isPresent: Bool { Self.status(path) != nil }

    /// Looks for the file after a closure has named its destination.
    func place(at destination: String) -> Place {
        let found = Self.status(destination)
        if isPresent {
            // A second name is not the only one.
            return found.map { $0.identity == identity && $0.links == 1 } == true ? .moved : .present
        }
        guard let identity, let found, found.kind == .regular else { return .gone }
        if found.identity == identity { return .moved }
        return found.identity.device != identity.device && hasContent(of: destination) ? .moved : .gone
    }

    private func hasContent(of destination: String) -> Bool {
        let other = open(destination, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard other >= 0 else { return false }
        defer { close(other) }
        return descriptor >= 0 && Folder.haveSameContent(descriptor, other)
    }

    private static func status(_ path: String) -> FileStatus? {
        var raw = stat()
        return lstat(path, &raw) == 0 ? FileStatus(raw) : nil
    }
}
