/// A moment at which the program tells somebody who does not look at it.
enum NotificationEvent: String, Sendable, CaseIterable {
    /// A task was completed.
    case complete
    /// A task has failed.
    case error
    /// Every task has ended.
    case allDone = "all-done"

    /// The option that names the command which runs then, without its dashes.
    var optionName: String { "on-" + rawValue }
}

/// The ways in which the program tells that work has ended, each at the moments that the user chose.
struct NotificationSettings: Sendable, Equatable {
    /// The moments at which the terminal's bell rings.
    var bell: Set<NotificationEvent> = []
    /// The moments at which the terminal shows a notification.
    var notification: Set<NotificationEvent> = []
    /// The commands that run, as a shell reads them.
    var hooks: [NotificationEvent: String] = [:]

    /// The word for no moment at all.
    static let never = "never"

    /// Whether nothing is told at all.
    var isSilent: Bool { bell.isEmpty && notification.isEmpty && hooks.isEmpty }
}
