/// The destination of a job, derived from folder and name alone.
///
/// Two downloads of one URL with the same destination are one transfer.
package struct JobDestination: Hashable {
    private let url: String
    private let folder: String
    private let name: String?

    /// Creates the destination of a job; nil for jobs that are never merged, because they send or print something.
    package init?(of job: Job, defaultDirectory: String?) {
        guard job.kind == .download, job.output != .standardOutput else { return nil }
        url = job.url
        let destination = Self.resolve(job, defaultDirectory: defaultDirectory)
        (folder, name) = (Self.plain(destination.folder), destination.name)
    }

    /// The folder without `.` and empty parts.
    ///
    /// `..` stays, because a link may precede it.
    private static func plain(_ folder: String) -> String {
        guard hasIdleParts(folder) else { return folder }
        let parts = folder.split(separator: "/").filter { $0 != "." }
        if folder.hasPrefix("/") { return "/" + parts.joined(separator: "/") }
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// Whether a folder has such parts, or might; most of the hundred thousand folders in a list have none.
    private static func hasIdleParts(_ folder: String) -> Bool {
        let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
        var previous: UInt8 = 0
        let bytes = folder.utf8Span.span
        for index in bytes.indices {
            let byte = bytes[index]
            if previous == slash, byte == slash || byte == dot { return true }
            previous = byte
        }
        return previous == slash || folder.hasPrefix("./")
    }

    /// The name of a file when neither the server nor the URL offers one.
    package static let unnamedFile = "download"

    /// The longest file name in bytes; the names of partial files are shortened to that.
    package static let longestName = 255

    /// The folder and, when given, the name.
    ///
    /// A name with slashes is relative to the folder, or to the root; one with a trailing slash is a folder.
    package static func resolve(_ job: Job, defaultDirectory: String?) -> (folder: String, name: String?) {
        let base = job.directory ?? defaultDirectory ?? "."
        guard case .name(let text) = job.output else { return (base, nil) }
        guard let slash = text.lastIndex(of: "/") else { return (base, text) }
        let name = String(text[text.index(after: slash)...])
        let folder = slash == text.startIndex ? "/" : String(text[..<slash])
        return (folder.hasPrefix("/") ? folder : base + "/" + folder, name.isEmpty ? nil : name)
    }

    /// The system's names for standard output.
    private static let standardOutputs = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]

    /// The output that `-o` or `out=` names.
    package static func output(named out: String, label: String) throws(UsageError) -> Job.Output {
        if out == "-" || standardOutputs.contains(out) { return .standardOutput }
        let name = out.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard !name.isEmpty, name != ".", name != ".." else {
            throw UsageError(argument: label, FileNameUsage.folder(out))
        }
        guard name.utf8.count <= longestName else {
            throw UsageError(argument: label, FileNameUsage.tooLong(longestName))
        }
        return .name(out)
    }
}

/// The facts about a download's destination: what has its name, and how many bytes exist.
package struct DestinationInfo: Sendable, Equatable, Codable {
    /// The kind of file that already has the name.
    package enum Occupant: Sendable, Equatable, Codable {
        case file
        /// A folder, device or pipe that no file can replace.
        case obstacle
    }

    package var occupant: Occupant?
    /// The name with the first free number, if the file's own is taken; nil if unknown.
    package var numberedName: String?
    /// Bytes of an earlier run to resume from.
    package var keptBytes: Int64 = 0
    /// Whether an unfinished task downloads the same to it.
    package var isInProgress = false

    package init(
        occupant: Occupant? = nil, numberedName: String? = nil, keptBytes: Int64 = 0, isInProgress: Bool = false
    ) {
        self.occupant = occupant
        self.numberedName = numberedName
        self.keptBytes = keptBytes
        self.isInProgress = isInProgress
    }

    /// A sentence about what a download will do with it; empty where none is necessary.
    package func outlook(policy: Job.IfExists, continues: Bool, units: Units) -> SafeText {
        if isInProgress { return DestinationHints.isInList }
        let bytes = SizeText.short(keptBytes, units: units)
        let kept: SafeText =
            keptBytes == 0 ? "" : continues ? DestinationHints.resumes(at: bytes) : DestinationHints.restarts
        switch occupant {
        case nil:
            guard keptBytes > 0 else { return "" }
            return continues ? DestinationHints.partResumes(at: bytes) : DestinationHints.partRestarts(bytes)
        case .obstacle: return DestinationHints.obstacle
        case .file: break
        }
        switch policy {
        case .skip: return DestinationHints.skips
        case .fail: return DestinationHints.fails
        case .rename:
            let name = numberedName.map { DestinationHints.numbers(SafeText(untrusted: $0)) }
            return [name ?? DestinationHints.numbers, kept].joined(by: ", ")
        case .refresh: return [DestinationHints.refreshes, kept].joined(by: ", ")
        case .same: return [DestinationHints.skipsSame, kept].joined(by: ", ")
        case .sameOrFail: return [DestinationHints.needsSame, kept].joined(by: ", ")
        case .ask: return [DestinationHints.asks, kept].joined(by: ", ")
        case .overwrite: return [DestinationHints.replaces, kept].joined(by: ", ")
        }
    }
}
