extension Job {
    /// The rule for an existing file of the same name: the library's rules, and the question to the user.
    package enum IfExists: String, Sendable, CaseIterable, Codable {
        case rename, skip, overwrite, refresh, same, fail
        case sameOrFail = "same-or-fail"
        /// The task waits until its user has decided.
        case ask

        /// Two rules that hold together: an existing file that may be replaced, and one that is kept where it is current.
        ///
        /// Of two others the second counts.
        package func combined(with other: Self) -> Self {
            switch (self, other) {
            case (.overwrite, .refresh), (.overwrite, .same), (.refresh, .overwrite), (.same, .overwrite),
                (.refresh, .same), (.same, .refresh):
                .refresh
            case (.same, .fail), (.fail, .same): .sameOrFail
            case (.overwrite, .fail), (.refresh, .fail): self
            default: other
            }
        }

        package init(_ collision: DownloadTarget.Collision) {
            switch collision {
            case .rename: self = .rename
            case .skip: self = .skip
            case .overwrite: self = .overwrite
            case .refresh: self = .refresh
            case .same: self = .same
            case .sameOrFail: self = .sameOrFail
            case .fail: self = .fail
            }
        }

        /// The library's rule; before its user is asked, a task must not write.
        package var collision: DownloadTarget.Collision {
            switch self {
            case .rename: .rename
            case .skip: .skip
            case .overwrite: .overwrite
            case .refresh: .refresh
            case .same: .same
            case .sameOrFail: .sameOrFail
            case .fail, .ask: .fail
            }
        }
    }
}
