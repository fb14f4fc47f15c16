/// What is at the name a download wants, looked at before any byte is requested or written.
enum Destination: Sendable, Equatable {
    /// The download may go on; the name may still be taken until it is finished.
    case clear
    /// Something is there and the policy is to leave it: the download is done. The path of what is there.
    case skip(path: String)

    /// Looks at the name, and whether the folder can be written to.
    ///
    /// Throws `destinationIsFolder`, `destinationExists`, `permission` or `readOnly`.
    static func check(
        _ name: String, in folder: Folder, collision: DownloadTarget.Collision
    ) throws(SessionError) -> Destination {
        if let status = folder.status(name) {
            try checkReplaceable(status, name, in: folder)
            switch collision {
            case .skip: return .skip(path: folder.path(of: name))
            case .fail: throw exists(name, in: folder)
            case .rename, .overwrite: break
            }
        }
        try folder.checkWritable()
        return .clear
    }

    /// Throws when what has the name can never give way to a file: a folder, a device, a FIFO, a socket.
    static func checkReplaceable(_ status: FileStatus, _ name: String, in folder: Folder) throws(SessionError) {
        switch status.kind {
        case .regular, .symbolicLink: return
        case .folder:
            let message = "Cannot save to \(folder.path(of: name)): it is a folder"
            throw SessionError(.destinationIsFolder, message)
        case .other:
            let message = "Cannot save to \(folder.path(of: name)): it is a device, pipe or socket"
            throw SessionError(.destinationExists, message)
        }
    }

    /// The error for a name that is taken and must not be replaced.
    static func exists(_ name: String, in folder: Folder) -> SessionError {
        SessionError(.destinationExists, "\(folder.path(of: name)) exists already and is not replaced")
    }
}
