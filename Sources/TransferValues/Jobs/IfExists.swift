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

        /// Each rule with the library's; before its user is asked, a task must not write.
        private static let rules: [(rule: Self, collision: DownloadTarget.Collision)] = [
            (.rename, .rename), (.skip, .skip), (.same, .same), (.sameOrFail, .sameOrFail), (.overwrite, .overwrite),
            (.refresh, .refresh), (.fail, .fail), (.ask, .fail),
        ]

        package init(_ collision: DownloadTarget.Collision) {
            self = Self.rules.first { $0.collision == collision }?.rule ?? .fail
        }

        /// The library's rule.
        package var collision: DownloadTarget.Collision { Self.rules.first { $0.rule == self }?.collision ?? .fail }

        /// The words of all rules, for the help.
        package static var words: String { rules.map(\.rule.rawValue).joined(separator: ", ") }
    }
}
