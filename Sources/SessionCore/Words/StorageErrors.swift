/// Files that cannot be saved under their name, and partial files that cannot be used.
enum StorageErrors {
    static let folderWithNUL = "Folder path contains a NUL character"
    static func folderOfAnotherUser(_ path: String) -> String {
        "The folder \(path) belongs to another user, who could replace files in it"
    }
    static func noFileName(_ path: String) -> String { "“\(path)” does not name a file" }
    static func severalComponents(_ name: String) -> String {
        "“\(name)” is not a file name: must be a single path component"
    }
    static func nameTooLong(_ limit: Int) -> String { "File name longer than \(limit) bytes" }
    static func notRegular(_ path: String) -> String { "\(path) is not a regular file" }

    // MARK: - Destinations

    static func exists(_ path: String) -> String { "\(path) already exists" }
    static func existsUncompared(_ path: String, _ reason: String) -> String {
        "\(path) already exists, and its checksum is unknown: \(reason)"
    }
    static func existsDifferent(_ path: String, _ digest: String, found: String, expected: String) -> String {
        "\(path) already exists with another \(digest): \(found), expected \(expected)"
    }
    static func linkToMissingFile(_ path: String) -> String {
        "\(path) is a link to a missing file; remove it, or choose another name"
    }
    static func linkToMissingFolder(_ path: String) -> String {
        "\(path) is a link into a missing folder; remove it, or choose another name"
    }
    static func nameTwice(_ name: String) -> String {
        "An earlier download of this run gets the name \(name); choose another one"
    }
    static func namesTaken(_ path: String, _ highest: Int) -> String {
        "\(path) and its numbered names up to \(highest) are taken"
    }
    static func folderUnwritable(_ folder: String, without name: String) -> String {
        "Cannot write to the folder \(folder); \(name) has disappeared"
    }
    static func checksum(_ digest: String, found: String, expected: String, kept path: String) -> String {
        "\(digest) checksum mismatch: got \(found), expected \(expected); file kept as \(path)"
    }
    static func announcedChecksum(_ digest: String, found: String, expected: String, kept path: String) -> String {
        "\(digest) checksum mismatch: got \(found), server announced \(expected); file kept as \(path)"
    }
    static func saved(_ size: Int64, expected: Int64) -> String {
        let sizes = SizeWords.pair(size, expected)
        return "Saved \(sizes.first), expected \(sizes.second)"
    }
    static func received(_ size: Int64, expected: Int64) -> String {
        let sizes = SizeWords.pair(size, expected)
        return "Received \(sizes.first), expected \(sizes.second)"
    }
    static func unmoved(_ message: String, kept path: String) -> String {
        "\(message); complete file kept as \(path)"
    }
    static func temporaryGone(_ path: String, _ destination: String) -> String {
        "Temporary file \(path) is gone, and \(destination) is another file or missing; return nil to drop a download"
    }
    static func undurable(_ message: String, named path: String) -> String {
        "\(message); complete file named \(path), which a power cut may undo"
    }
    static let noFile = "Download ended before it had a file"

    // MARK: - Notes

    static func writtenInPlace(_ reason: String) -> String { "File overwritten in place: \(reason)" }
    static func nameClaimed(_ name: String) -> String { "Another download of this run has the name \(name)" }

    // MARK: - Partial files

    static func partInUse(_ path: String) -> String { "\(path) is in use by another transfer" }
    static func tooManyParts(_ count: Int, _ folder: String) -> String {
        "\(count) partial files of this download in \(folder); delete some"
    }
    static func tooManyParts(_ folder: String) -> String {
        "Too many partial files of this download in \(folder); delete some"
    }
    static func otherFileSystem(_ path: String) -> String {
        "Cannot move a partial file to another file system: \(path)"
    }
    static func partReplaced(_ path: String) -> String {
        "\(path) was replaced by another program; a retry starts from zero"
    }
    static func partRemoved(_ path: String) -> String {
        "\(path) was removed by another program; a retry starts from zero"
    }
    static func partFolderRemoved(_ path: String) -> String {
        "The folder of \(path) was removed by another program; a retry starts from zero"
    }
    static func partChanged(_ path: String) -> String {
        "\(path) was changed by another program; a retry starts from zero"
    }
}
