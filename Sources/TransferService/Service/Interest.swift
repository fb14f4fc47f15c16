/// Says what a subscriber wants to receive; the union of all interests decides what the service keeps.
package struct Interest: Sendable, Equatable, Codable {
    /// Whether rows are shown: then every change of a row is sent, and the details (log, header fields, times) are
    /// kept.
    package var showsRows: Bool
    /// Whether events between a transfer's start and end are sent; ends always are.
    package var hearsMilestones: Bool
    /// Whether the byte counts of running transfers are sent, for printing.
    package var hearsProgress: Bool
    /// Whether this subscriber can resume rows that begin paused; a run waits for them only then.
    package var takesCommands: Bool
    /// Whether response bodies are kept, because they can be requested.
    package var keepsBodies: Bool
    /// Whether every event contains its transfer's URL, not only ends.
    package var wantsURLs: Bool
    /// Frames per second, which bounds the updates; nil for immediate ones.
    package var framesPerSecond: Int?
    /// Whether unread notices wait without a limit: for the run's own window and lines, which must lose nothing.
    package var keepsAll: Bool

    /// Bodies are kept where rows are shown, unless stated otherwise.
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

    /// The union of two interests; each subscriber keeps its own pace.
    func union(_ other: Interest) -> Interest {
        Interest(
            showsRows: showsRows || other.showsRows, hearsMilestones: hearsMilestones || other.hearsMilestones,
            hearsProgress: hearsProgress || other.hearsProgress, takesCommands: takesCommands || other.takesCommands,
            keepsBodies: keepsBodies || other.keepsBodies, wantsURLs: wantsURLs || other.wantsURLs)
    }
}
