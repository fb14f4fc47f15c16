/// What a subscriber wants to hear; the interests of all decide what the service keeps.
package struct Interest: Sendable, Equatable, Codable {
    /// Whether rows are shown: then every change of a row is news, and the details that can be asked for (a log, header
    /// fields, times) are kept.
    package var showsRows: Bool
    /// Whether what happens between a transfer's beginning and its end is worth a line; ends are told in any case.
    package var hearsMilestones: Bool
    /// Whether the bytes of transfers under way are told, to be printed.
    package var hearsProgress: Bool
    /// Whether rows that begin paused can be resumed by this subscriber; a run waits for them only then.
    package var takesCommands: Bool
    /// Whether the bodies of answers are kept, because they can be asked for.
    package var keepsBodies: Bool
    /// Whether every event has its transfer's URL, not the ends alone.
    package var wantsURLs: Bool
    /// How many times a second rows are drawn, so that no more news come; nil for news at once.
    package var framesPerSecond: Int?
    /// Whether unread news waits however much it is: for the run's own window and lines, which may lose nothing.
    package var keepsAll: Bool

    /// An interest; bodies are kept where rows are shown, unless told otherwise.
    package init(
        showsRows: Bool = false, hearsMilestones: Bool = true, hearsProgress: Bool = false, takesCommands: Bool = true,
        keepsBodies: Bool? = nil, wantsURLs: Bool = false, framesPerSecond: Int? = nil,
        keepsAll: Bool = false
    ) {
        (self.showsRows, self.hearsMilestones, self.hearsProgress) = (showsRows, hearsMilestones, hearsProgress)
        (self.takesCommands, self.keepsBodies) = (takesCommands, keepsBodies ?? showsRows)
        (self.wantsURLs, self.framesPerSecond, self.keepsAll) = (wantsURLs, framesPerSecond, keepsAll)
    }

    /// Nothing but ends.
    package static let least = Interest(hearsMilestones: false, takesCommands: false)

    /// What two subscribers want together; each is told at its own pace.
    func union(_ other: Interest) -> Interest {
        Interest(
            showsRows: showsRows || other.showsRows, hearsMilestones: hearsMilestones || other.hearsMilestones,
            hearsProgress: hearsProgress || other.hearsProgress, takesCommands: takesCommands || other.takesCommands,
            keepsBodies: keepsBodies || other.keepsBodies, wantsURLs: wantsURLs || other.wantsURLs)
    }
}
