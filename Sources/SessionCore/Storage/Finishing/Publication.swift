/// The last step of a whole part: the mode of a file, and the name that the collision policy gives it.
struct Publication {
    /// Where the file is now.
    struct Placed {
        var path: String
        /// What is to be said about it; nil for nothing.
        var note: String?
    }

    private let part: PartFile
    private let name: String
    private let collision: DownloadTarget.Collision
    private let stamp: FileStamp?
    /// The folder of the name.
    private let folder: Folder
    /// The file that is to be replaced; nil where nothing is there or it stays.
    private let replacement: Replacement?

    /// - Parameter home: the folder of the file where it is not the part's, and takes no new file.
    init(
        _ part: PartFile, as name: String, _ collision: DownloadTarget.Collision, _ stamp: FileStamp?, _ home: Folder?
    ) throws(SessionError) {
        (self.part, self.name, self.collision, self.stamp) = (part, name, collision, stamp)
        folder = home ?? part.folder
        switch collision {
        case .overwrite, .refresh:
            let folder = folder
            // A device or a folder never gives way, behind a link neither: the file gets a number beside it.
            let isTaken =
                folder.status(name).map { (try? DestinationCheck.checkReplaceable($0, name, in: folder)) != nil }
                ?? false
            replacement = isTaken ? try Replacement(name, in: folder, mayReplace: home == nil) : nil
        case .rename, .skip, .fail: replacement = nil
        }
    }

    /// The path that the file is to have.
    var path: String { replacement?.path ?? folder.path(of: name) }

    /// Places the part, and brings its name to the disk; nil when the policy is to skip and the name is taken.
    ///
    /// What was proven is what gets the name: the part's own name may have come to mean another file before the rename.
    func perform() throws(SessionError) -> Placed? {
        if let replacement { return try replace(replacement) }
        guard folder === part.folder else {
            throw SessionError(.permission, StorageErrors.folderUnwritable(folder.path, without: name))
        }
        try part.setMode(FileMode.finished)
        do throws(SessionError) {
            try part.checkProven()
            var placed: Placed?
            let given = try Placement(folder: folder, name: name, collision: collision).claim { name in
                let result = folder.rename(part.name, to: name, replacing: false)
                // It is placed. Should the part's name stay again, it has no meta soon, so no run continues it.
                if result > 0 { folder.remove(part.name, ifIdentity: part.identity) }
                return result
            } replace: { name throws(SessionError) in
                placed = try replace(try Replacement(name, in: folder))
            }
            guard let given, placed == nil else { return placed }
            guard folder.status(given)?.identity == part.identity else {
                _ = folder.rename(given, to: part.name, replacing: false)
                throw part.replacedOutside
            }
            try folder.sync()
            return Placed(path: folder.placedPath(of: given))
        } catch {
            throw keepPrivate(error)
        }
    }

    private func replace(_ replacement: Replacement) throws(SessionError) -> Placed {
        do throws(SessionError) {
            try part.checkProven()
            var note: String?
            if case .writtenInPlace(let reason) = try replacement.perform(with: part, stamp: stamp) {
                note = StorageErrors.writtenInPlace(reason)
            }
            try replacement.sync()
            return Placed(path: folder.placedPath(of: name), note: note)
        } catch {
            throw keepPrivate(error)
        }
    }

    /// A part stays a part, and parts are private; when that fails too, the first error is the one to report.
    private func keepPrivate(_ error: SessionError) -> SessionError {
        if part.folder.status(part.name)?.identity == part.identity { try? part.setMode(FileMode.part) }
        return error
    }
}
