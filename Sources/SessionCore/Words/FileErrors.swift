/// Calls that a file system refused.
enum FileErrors {
    /// A sentence of this table: a path and what the system says.
    typealias Sentence = @Sendable (_ path: String, _ reason: String) -> String

    static let read: Sentence = { "Cannot read \($0): \($1)" }
    static let write: Sentence = { "Cannot write to \($0): \($1)" }
    static let sync: Sentence = { "Cannot sync \($0) to the disk: \($1)" }
    static let save: Sentence = { "Cannot save to \($0): \($1)" }
    static let open: Sentence = { "Cannot open \($0): \($1)" }
    static let examine: Sentence = { "Cannot examine \($0): \($1)" }
    static let lock: Sentence = { "Cannot lock \($0): \($1)" }
    static let move: Sentence = { "Cannot move \($0): \($1)" }
    static let moveTo: Sentence = { "Cannot move the file to \($0): \($1)" }
    static let moveAside: Sentence = { "Cannot move aside \($0): \($1)" }
    static let remove: Sentence = { "Cannot remove \($0): \($1)" }
    static let shorten: Sentence = { "Cannot truncate \($0): \($1)" }
    static let reserve: Sentence = { "Cannot reserve space for \($0): \($1)" }
    static let setMode: Sentence = { "Cannot set the mode of \($0): \($1)" }
    static let find: Sentence = { "Cannot find \($0): \($1)" }

    // MARK: - Folders

    static let openFolder: Sentence = { "Cannot open the folder \($0): \($1)" }
    static let examineFolder: Sentence = { "Cannot examine the folder \($0): \($1)" }
    static let createFolder: Sentence = { "Cannot create the folder \($0): \($1)" }
    static let syncFolder: Sentence = { "Cannot sync the folder \($0): \($1)" }
    static let writeToFolder: Sentence = { "Cannot write to the folder \($0): \($1)" }
    static let listFolder: Sentence = { "Cannot list the folder \($0): \($1)" }
    static let useAsFolder: Sentence = { "Cannot use \($0) as a folder: \($1)" }

    // MARK: - Partial files and saved sessions

    static let createPart: Sentence = { "Cannot create the partial file \($0): \($1)" }
    static let examinePart: Sentence = { "Cannot examine the partial file \($0): \($1)" }
    static let saveMeta: Sentence = { "Cannot save the resume data of \($0): \($1)" }
    static let openSession: Sentence = { "Cannot open the saved session \($0): \($1)" }
    static let examineSession: Sentence = { "Cannot examine the saved session \($0): \($1)" }
    static let setSessionMode: Sentence = { "Cannot set the mode of the saved session \($0): \($1)" }

    static func spaceNeeded(_ message: String, _ needed: Int64, free: Int64) -> String {
        let sizes = SizeWords.pair(needed, free)
        return "\(message); needs \(sizes.first), free \(sizes.second)"
    }
}

/// Reasons why a system call failed.
enum FileReasons {
    static let full = "disk full"
    static let quota = "disk quota used up"
    static let readOnly = "file system is read-only"
    static let permission = "permission denied"
    static let missing = "no such file or folder"
    static let folderIsFile = "a part of the path is not a folder"
    static let isFolder = "is a folder"
    static let isNoFolder = "not a folder"
    static let exists = "already exists"
    static let nameTooLong = "name too long"
    static let tooLarge = "larger than the file system or process limit allows"
    static let isLink = "is a symbolic link"
    static let tooManyFiles = "too many open files (see ulimit -n)"
    static let diskError = "disk I/O error"
    static let inUse = "in use by another transfer"
    static let noInodes = "no free inodes on this disk; delete some files"
    static let special = "device, pipe or socket"
    static let otherOwner = "file has another owner"
    static let folderTakesNone = "folder accepts no new file"
}
