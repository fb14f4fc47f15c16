import Glibc

/// Gives a file its name without ever replacing what the policy protects: the kernel decides, so two finishers that want
/// one name get two.
struct Placement {
    let folder: Folder
    let name: String
    let collision: DownloadTarget.Collision

    /// Tries names until one is free, as the policy says.
    ///
    /// A name is looked at only once it has turned out to be taken, because almost all are free.
    /// - Parameter give: names the file; not negative when it has the name, or -1 with `errno` set: EEXIST when the name is
    ///   taken and `replacing` is false.
    /// - Returns: the name it got; nil when the policy is to skip and the name is taken.
    func perform(_ give: (_ name: String, _ replacing: Bool) -> Int32) throws(SessionError) -> String? {
        if give(name, false) >= 0 { return name }
        guard errno == EEXIST else { throw failure(errno, name) }
        if let status = folder.status(name) { try Destination.checkReplaceable(status, name, in: folder) }
        switch collision {
        case .skip:
            return nil
        case .fail:
            throw Destination.exists(name, in: folder)
        case .overwrite:
            guard give(name, true) >= 0 else { throw failure(errno, name) }
            return name
        case .rename:
            return try number(give)
        }
    }

    private func number(_ give: (_ name: String, _ replacing: Bool) -> Int32) throws(SessionError) -> String {
        for number in 1...FileNames.highestNumber {
            let candidate = FileNames.numbered(name, number)
            if give(candidate, false) >= 0 { return candidate }
            guard errno == EEXIST else { throw failure(errno, candidate) }
        }
        let message = "\(folder.path(of: name)) and all its names up to number \(FileNames.highestNumber) are taken"
        throw SessionError(.destinationExists, message)
    }

    private func failure(_ number: Int32, _ name: String) -> SessionError {
        SystemError.error(number, cannot: "save to", path: folder.path(of: name))
    }
}
