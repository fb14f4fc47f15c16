import Glibc

/// Gives a file its name without replacing what the policy protects: the kernel decides, so two finishers that want one
/// name get two.
struct Placement {
    /// Where the download's content is.
    enum Place: Equatable {
        case given(String)
        /// The file that had the name is gone.
        case replaced(String)
        /// A file stays, and the download needs none.
        case kept(String)

        var name: String {
            switch self {
            case .given(let name), .replaced(let name), .kept(let name): name
            }
        }
        var isKept: Bool { self == .kept(name) }
    }

    let folder: Folder
    let name: String
    let collision: DownloadTarget.Collision
    /// The file's place among the ones that want the name; nil where the first to end gets it.
    var turn: NameTurn?

    /// The numbers that are tried one after another.
    static let fewNumbers = 16

    /// Tries names until one is free, by the policy.
    ///
    /// A name is examined only after it turned out to be taken, because almost all are free. If a folder or a device
    /// has it, the file gets a number: a fixed name was examined before.
    /// - Parameters:
    ///   - give: names the file if the name is free; not negative on success, or -1 with `errno` set: EEXIST when the
    ///     name is taken.
    ///   - isSame: whether the file that has the name has the same content.
    ///   - replace: replaces the file that has the name.
    /// - Returns: the name it got, or the name of the file that stays instead.
    func claim(
        _ give: (_ name: String) -> Int32, isSame: (_ name: String) -> Bool,
        replace: (_ name: String) throws(SessionError) -> Void
    ) throws(SessionError) -> Place {
        guard let turn, collision != .fail else { return try claimNow(give, isSame, replace) }
        return try turn.place { reserved throws(SessionError) in
            reserved == 0 ? try claimNow(give, isSame, replace) : .given(try number(beyond: reserved, give))
        }
    }

    private func claimNow(
        _ give: (_ name: String) -> Int32, _ isSame: (_ name: String) -> Bool,
        _ replace: (_ name: String) throws(SessionError) -> Void
    ) throws(SessionError) -> Place {
        if give(name) >= 0 { return .given(name) }
        guard errno == EEXIST else { throw failure(errno, name) }
        if let status = folder.status(name) {
            do throws(SessionError) {
                try DestinationCheck.checkReplaceable(status, name, in: folder)
            } catch {
                guard collision != .fail, collision != .sameOrFail else { throw error }
                return try number(give, isSame)
            }
        }
        switch collision {
        case .skip:
            try DestinationCheck.checkKept(name, in: folder)
            return .kept(name)
        case .fail:
            throw DestinationCheck.exists(name, in: folder)
        case .overwrite, .refresh:
            try replace(name)
            return .replaced(name)
        case .same where isSame(name), .sameOrFail where isSame(name):
            return .kept(name)
        case .sameOrFail:
            throw DestinationCheck.exists(name, in: folder)
        case .rename, .same:
            return try number(give, isSame)
        }
    }

    /// Gives the first free number; a copy that an earlier run has numbered stays instead, if the policy looks for it.
    private func number(
        _ give: (_ name: String) -> Int32, _ isSame: (_ name: String) -> Bool
    ) throws(SessionError) -> Place {
        var number = 1
        while number <= FileNames.highestNumber {
            let candidate = FileNames.numbered(name, number)
            if give(candidate) >= 0 { return .given(candidate) }
            guard errno == EEXIST else { throw failure(errno, candidate) }
            if collision == .same, isSame(candidate) { return .kept(candidate) }
            number = number == Self.fewNumbers ? freeNumber(above: number) : number + 1
        }
        throw namesTaken
    }

    /// Gives the first free name after `reserved` others, which belong to downloads that were added before.
    private func number(beyond reserved: Int, _ give: (_ name: String) -> Int32) throws(SessionError) -> String {
        var left = reserved
        for number in 0...FileNames.highestNumber {
            let candidate = number == 0 ? name : FileNames.numbered(name, number)
            if left == 0 {
                if give(candidate) >= 0 { return candidate }
                guard errno == EEXIST else { throw failure(errno, candidate) }
            } else if folder.status(candidate) == nil {
                left -= 1
            }
        }
        throw namesTaken
    }

    private var namesTaken: SessionError {
        SessionError(.destinationExists, StorageErrors.namesTaken(folder.path(of: name), FileNames.highestNumber))
    }

    /// Returns a number whose name is free while the previous one is taken, or the one after the highest.
    ///
    /// Without this search, each of thousands of files with one name would try all taken names. Free numbers between
    /// taken ones are not searched for.
    private func freeNumber(above taken: Int) -> Int {
        func isTaken(_ number: Int) -> Bool { folder.status(FileNames.numbered(name, number)) != nil }
        var (low, step) = (taken, taken)
        while low + step <= FileNames.highestNumber, isTaken(low + step) {
            low += step
            step *= 2
        }
        var high = min(low + step, FileNames.highestNumber + 1)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if isTaken(middle) { low = middle } else { high = middle }
        }
        return high
    }

    private func failure(_ number: Int32, _ name: String) -> SessionError {
        SystemError.error(number, FileErrors.save, path: folder.path(of: name))
    }
}
