/// What a subscriber wants to hear; the interests of all decide what the service keeps.
package struct Interest: Sendable, Equatable, Codable {
    /// Whether rows are shown: then every change of a phase is news, and the details that can be asked for (a log, header
    /// fields, times) are kept.
    package var showsRows: Bool
    /// Whether what happens between a transfer's beginning and its end is worth a line; ends are told in any case.
    package var hearsMilestones: Bool
    /// Whether rows that begin paused can be resumed by this subscriber; a run waits for them only then.
    package var takesCommands: Bool
    /// Whether the bodies of answers are kept, because they can be asked for.
    package var keepsBodies: Bool
    /// Whether every event has its transfer's URL, not the ends alone.
    package var wantsURLs: Bool

    /// An interest; bodies are kept where rows are shown, unless told otherwise.
    package init(
        showsRows: Bool = false, hearsMilestones: Bool = true, takesCommands: Bool = true, keepsBodies: Bool? = nil,
        wantsURLs: Bool = false
    ) {
        (self.showsRows, self.hearsMilestones, self.takesCommands) = (showsRows, hearsMilestones, takesCommands)
        (self.keepsBodies, self.wantsURLs) = (keepsBodies ?? showsRows, wantsURLs)
    }

    /// What two subscribers want together.
    func union(_ other: Interest) -> Interest {
        Interest(
            showsRows: showsRows || other.showsRows, hearsMilestones: hearsMilestones || other.hearsMilestones,
            takesCommands: takesCommands || other.takesCommands, keepsBodies: keepsBodies || other.keepsBodies,
            wantsURLs: wantsURLs || other.wantsURLs)
    }

    /// Whether a notice is news for this subscriber.
    func concerns(_ notice: TransferNotice) -> Bool {
        switch notice {
        case .event(let event): hearsMilestones || event.what.mayEndRun
        case .moved, .changed, .removed, .held, .limited, .bounded, .complaint, .idle, .saving, .saved, .lost: true
        }
    }
}
