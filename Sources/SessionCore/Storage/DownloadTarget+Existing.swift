extension DownloadTarget {
    /// What lies where a download is to go, as somebody wants to know before it begins.
    public struct Existing: Sendable, Equatable {
        /// What can have a name.
        public enum Occupant: Sendable, Equatable {
            /// A file or a symbolic link, with which the collision policy deals.
            case file
            /// A folder, device, pipe or socket, which never gives way to a file.
            case obstacle
        }

        /// The name that is wanted: the fixed one, or that of the URL, which the server's own may still replace.
        public var name: String
        /// What has that name now; nil when it is free.
        public var occupant: Occupant?
        /// Bytes of an earlier run that the download would go on from, provided that the server allows it; 0 without any.
        public var keptBytes: Int64

        /// Facts about a place.
        public init(name: String, occupant: Occupant? = nil, keptBytes: Int64 = 0) {
            self.name = name
            self.occupant = occupant
            self.keptBytes = keptBytes
        }
    }

    /// Looks at the place that a download of a URL would have.
    ///
    /// Nothing is created, changed, locked or held; what it says may be outdated at once. It may block, so it does not
    /// belong on a thread that must not wait for a disk. A folder that is missing or cannot be read has nothing in it.
    public func existing(url: String) -> Existing {
        var result = Existing(name: PartFile.keyName(name, url: url))
        guard let folder = try? Folder(path: folder, creating: false) else { return result }
        if let status = folder.status(result.name) {
            result.occupant =
                (try? Destination.checkReplaceable(status, result.name, in: folder)).map { .file } ?? .obstacle
        }
        if adoptsPart {
            result.keptBytes = PartFile.keptBytes(in: folder, url: url, name: name, hasChecksum: checksum != nil)
        }
        return result
    }
}
