import CLinux
import Glibc
import SessionSupport

/// What a finished file keeps of the answer that brought it: the time of its last change, and the tag by which the server
/// can be asked whether it has changed since.
///
/// The tag lies in an extended attribute of the file with the file's size and time, so that it speaks for these bytes
/// alone, and with a hash of the URL, because another URL's tags mean something else. Best effort: a file system
/// without attributes or times keeps nothing, and the file is asked for by what time it has.
struct FileStamp: Sendable, Equatable {
    /// The attribute with the tag.
    static let attribute = "user.sessioncore.etag"
    private static let sizeLimit = 4 << 10

    /// Seconds since 1970; nil leaves the time as it is.
    var modified: Int64?
    /// The entity tag as it was sent; nil where none is kept.
    var entityTag: String?
    /// The URL that was asked for.
    var url: String

    /// The stamp that a target asks for; nil when it asks for none.
    ///
    /// A refresh needs the server's time: the moment at which a file was written here is later than the last change that
    /// it may have missed.
    init?(_ target: DownloadTarget, url: String, facts: @autoclosure () -> StoredFacts?) {
        guard target.keepsRemoteTime || target.collision == .refresh, let facts = facts() else { return nil }
        self.url = url
        modified = facts.lastModified.flatMap { Self.plausible($0) }
        if target.collision == .refresh { entityTag = facts.tag?.text }
    }

    /// The seconds of a date that a file may have: from 1980 to tomorrow, in which every file system and its clock agree.
    private static func plausible(_ date: String) -> Int64? {
        guard let seconds = HTTPDate.seconds(date), let now = SystemTime.now,
            (315_532_800...now / 1_000_000_000 + 86_400).contains(seconds)
        else { return nil }
        return seconds
    }

    /// Marks an open file.
    func apply(to descriptor: Int32) {
        if let modified {
            let times = [timespec(tv_sec: 0, tv_nsec: cl_time_omitted()), timespec(tv_sec: Int(modified), tv_nsec: 0)]
            _ = futimens(descriptor, times)
        }
        guard let entityTag, let status = FileStatus(descriptor: descriptor) else { return }
        let value = Self.prefix(status, url: url) + entityTag
        guard value.utf8.count <= Self.sizeLimit else { return }
        _ = Array(value.utf8).withUnsafeBytes {
            cl_set_attribute(descriptor, Self.attribute, $0.baseAddress, $0.count)
        }
    }

    /// The tag that an open file has from a URL; nil without one, and when the file has changed since.
    static func entityTag(of descriptor: Int32, _ status: FileStatus, url: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        let count = bytes.withUnsafeMutableBytes { cl_attribute(descriptor, attribute, $0.baseAddress, $0.count) }
        guard count > 0, count <= bytes.count,
            let text = String(validating: bytes[..<count], as: UTF8.self)
        else { return nil }
        let known = prefix(status, url: url)
        guard text.hasPrefix(known) else { return nil }
        return EntityTag(String(text.dropFirst(known.count)))?.text
    }

    private static func prefix(_ status: FileStatus, url: String) -> String {
        "\(StableHash.hexadecimal(ResourceName.text(url).utf8)) \(status.size) \(status.modified) "
    }
}

/// A file that is there already, as a server is asked whether it has a newer one.
struct ExistingCopy: Sendable, Equatable {
    let path: String
    /// When it changed last, in seconds since 1970.
    let modified: Int64
    /// The tag that the server gave it; nil where none was kept.
    let entityTag: String?

    /// The file at a name; nil where nothing is that could be the whole answer of an earlier request.
    init?(_ name: String, in folder: Folder, url: String) {
        let descriptor = folder.open(name, flags: O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        guard let status = FileStatus(descriptor: descriptor), status.kind == .regular, status.size > 0 else {
            return nil
        }
        path = folder.path(of: name)
        modified = status.modified / 1_000_000_000
        entityTag = FileStamp.entityTag(of: descriptor, status, url: url)
    }

    /// The fields that ask for the file only if it has changed (RFC 9110, 13.1): by its tag, and by its time for servers
    /// that know no tags.
    var conditions: HeaderFields {
        var fields = HeaderFields()
        if let entityTag { fields.append(name: "If-None-Match", value: entityTag) }
        if modified > 0 { fields.append(name: "If-Modified-Since", value: HTTPDate.text(modified)) }
        return fields
    }
}
