extension Job {
    /// The rule for an existing file of the same name: the library's rules, and the question to the user.
    package enum IfExists: String, Sendable, CaseIterable, Codable {
        case rename, skip, same
        case sameOrFail = "same-or-fail"
        case overwrite, refresh, fail
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

        /// The rule under which a further run neither replaces an existing file nor leaves its own out.
        ///
        /// The question stays: its user decides about the file that is there then.
        package var keepingFile: Self {
            switch self {
            case .rename, .skip, .overwrite, .fail: .rename
            case .same, .sameOrFail, .refresh: .same
            case .ask: .ask
            }
        }

        package init(_ collision: DownloadTarget.Collision) {
            self = Self.allCases.first { $0.collision == collision } ?? .fail
        }

        /// The library's rule; before its user is asked, a task must not write.
        package var collision: DownloadTarget.Collision {
            switch self {
            case .rename: .rename
            case .skip: .skip
            case .same: .same
            case .sameOrFail: .sameOrFail
            case .overwrite: .overwrite
            case .refresh: .refresh
            case .fail, .ask: .fail
            }
        }

        /// The words of all rules, for the help.
        package static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
    }
}
