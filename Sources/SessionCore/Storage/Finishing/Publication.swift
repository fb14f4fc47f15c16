/// The last step of a download: sets the file's mode, and its name by the collision policy.
struct Publication {
    /// A file that has its name.
    struct Placed {
        var path: String
        /// A sentence for the user; nil for none.
        var note: String?
    }

    enum Result {
        case placed(Placed)
        /// The file at a name stays, and the part is not needed.
        case kept(name: String)
    }

    private let part: PartFile
    private let name: String
    private let collision: DownloadTarget.Collision
    private let stamp: FileStamp?
    private let turn: NameTurn?
    /// The folder of the name.
    private let folder: Folder
    /// The file to replace; nil for none.
    private let replacement: Replacement?

    /// - Parameter home: the folder of the file if it differs from the part's and takes no new file.
    init(
        _ part: PartFile, as name: String, _ collision: DownloadTarget.Collision, _ stamp: FileStamp?,
        _ turn: NameTurn?, _ home: Folder?
    ) throws(SessionError) {
        (self.part, self.name, self.collision, self.stamp, self.turn) = (part, name, collision, stamp, turn)
        folder = home ?? part.folder
        switch collision {
        case .overwrite, .refresh:
            let folder = folder
            // A device or a folder is never replaced, not even through a link: the file gets a number instead.
            let isTaken =
                folder.status(name).map { (try? DestinationCheck.checkReplaceable($0, name, in: folder)) != nil }
                ?? false
            replacement = isTaken ? try Replacement(name, in: folder, mayReplace: home == nil) : nil
        case .rename, .same, .sameOrFail, .skip, .fail: replacement = nil
        }
    }

    /// The intended path of the file.
    var path: String { replacement?.path ?? folder.path(of: name) }

    /// Names the part and makes the name durable, unless a file stays instead.
    ///
    /// Only the verified file gets the name: before the rename, the part's own name may have come to refer to another
    /// file.
    func perform() throws(SessionError) -> Result {
        if let replacement { return .placed(try replace(replacement)) }
        guard folder === part.folder else {
            throw SessionError(.permission, StorageErrors.folderUnwritable(folder.path, without: name))
        }
        try part.setMode(FileMode.finished)
        do throws(SessionError) {
            try part.checkProven()
            var placed: Placed?
            let place = try Placement(folder: folder, name: name, collision: collision, turn: turn).claim { name in
                let result = folder.rename(part.name, to: name, replacing: false)
                // The file has its name. If the part's name also stays, its meta is soon removed, so no run resumes it.
                if result > 0 { folder.remove(part.name, ifIdentity: part.identity) }
                return result
            } isSame: { name in
                folder.holds(contentOf: part.descriptor, at: name)
            } replace: { name throws(SessionError) in
                placed = try replace(try Replacement(name, in: folder))
            }
            if let placed { return .placed(placed) }
            guard case .given(let given) = place else { return .kept(name: place.name) }
            guard folder.status(given)?.identity == part.identity else {
                _ = folder.rename(given, to: part.name, replacing: false)
                throw part.replacedOutside
            }
            do throws(SessionError) {
                try folder.sync()
            } catch {
                throw takeBack(given, after: error)
            }
            return .placed(Placed(path: folder.placedPath(of: given)))
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
            do throws(SessionError) {
                try replacement.sync()
            } catch {
                throw error.naming(folder.placedPath(of: name))
            }
            return Placed(path: folder.placedPath(of: name), note: note)
        } catch {
            throw keepPrivate(error)
        }
    }

    /// Makes the file a part again, because its name may not survive a power cut; returns the error.
    ///
    /// A change by another program meanwhile stays one.
    private func takeBack(_ given: String, after error: SessionError) -> SessionError {
        guard folder.rename(given, to: part.name, replacing: false) >= 0, !part.hasLostName else {
            return error.naming(folder.placedPath(of: given))
        }
        part.recordRenaming()
        return error
    }

    /// Makes the part private again after an error; if that fails too, the first error is reported.
    private func keepPrivate(_ error: SessionError) -> SessionError {
        if part.folder.status(part.name)?.identity == part.identity { try? part.setMode(FileMode.part) }
        return error
    }
}

extension SessionError {
    /// Returns the error of a file that has its name, although the name may not be on the disk.
    func naming(_ path: String) -> SessionError {
        var error = self
        error.message = StorageErrors.undurable(message, named: path)
        return error
    }
}
