/// Where a download goes: a folder, how the file is named and what happens when the name is taken.
///
/// The part lies in the same folder from its first byte, so that finishing is one atomic rename.
public struct DownloadTarget: Sendable, Equatable, Codable {
    /// How the file gets its name.
    public enum Name: Sendable, Equatable, Codable {
        /// Exactly this one; it must be a single path component.
        case fixed(String)
        /// From the response (RFC 6266), else the URL's last path component, else "download".
        case automatic
    }

    /// What happens when the name is taken.
    public enum Collision: String, Sendable, CaseIterable, Codable {
        /// A number is added before the extension: `name (1).ext`.
        case rename
        /// The task completes without a transfer and leaves the file as it is.
        case skip
        /// The new file replaces the old one at the very end; until then the old one is intact.
        case overwrite
        /// The task fails before any byte is written.
        case fail
    }

    /// The folder's path; created, with its parents, when missing.
    public var folder: String
    /// How the file is named.
    public var name: Name
    /// What happens when the name is taken.
    public var collision: Collision
    /// Whether a matching part of an earlier run is adopted.
    public var adoptsPart: Bool
    /// A digest the whole file must have, verified before the file gets its name.
    public var checksum: Checksum?

    /// A target in a folder.
    public init(
        folder: String, name: Name = .automatic, collision: Collision = .rename, adoptsPart: Bool = true,
        checksum: Checksum? = nil
    ) {
        self.folder = folder
        self.name = name
        self.collision = collision
        self.adoptsPart = adoptsPart
        self.checksum = checksum
    }
}
