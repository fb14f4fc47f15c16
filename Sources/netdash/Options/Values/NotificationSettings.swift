/// A moment at which the program notifies an absent user.
enum NotificationEvent: String, Sendable, CaseIterable {
    /// A task was completed.
    case complete
    /// A task has failed.
    case error
    /// Every task has ended.
    case allDone = "all-done"

    /// The option of its hook command, without dashes.
    var optionName: String { "on-" + rawValue }
}

/// How the program announces that work has ended, each at the moments that the user chose.
struct NotificationSettings: Sendable, Equatable {
    var bell: Set<NotificationEvent> = []
    var notification: Set<NotificationEvent> = []
    /// The commands for the shell.
    var hooks: [NotificationEvent: String] = [:]

    /// The word for no moment.
    static let never = "never"

    var isSilent: Bool { bell.isEmpty && notification.isEmpty && hooks.isEmpty }
}
