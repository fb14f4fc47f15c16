import Dashboard

/// Builds the bytes for a terminal's bell and notification.
///
/// Notifications have two sequences and no query for the one a terminal supports: OSC 777 is urxvt's, which
/// VTE and foot adopted, OSC 9 is iTerm's, which the others have. Terminals that support neither ignore both.
struct TerminalNotifications: Sendable {
    /// A multiplexer between the program and the window.
    private enum Multiplexer: Sendable {
        case none, tmux, screen
    }

    /// The most characters of a text that are shown.
    private static let limit = 100

    private let hasNotifications: Bool
    private let usesTitle: Bool
    private let multiplexer: Multiplexer

    init(environment: [String: String]) {
        let type = environment["TERM", default: ""]
        hasNotifications = TerminalForm(type: type, isUTF8: true).isXtermLike
        usesTitle =
            !environment["VTE_VERSION", default: ""].isEmpty
            || ["rxvt", "foot", "vte", "gnome"].contains { type.hasPrefix($0) }
        multiplexer =
            if !environment["TMUX", default: ""].isEmpty || type.hasPrefix("tmux") {
                .tmux
            } else if !environment["STY", default: ""].isEmpty {
                .screen
            } else {
                .none
            }
    }

    /// The bytes of an announcement; empty when the terminal can show nothing of it.
    func bytes(for announcement: Announcement, isUTF8: Bool) -> [UInt8] {
        let bell: [UInt8] = announcement.rings ? [0x07] : []
        guard let text = announcement.text, hasNotifications else { return bell }
        return bell + passed(order(for: text, isUTF8: isUTF8))
    }

    /// The sequence itself: a safe text contains nothing that could end it, and a semicolon only separates fields.
    private func order(for text: SafeText, isUTF8: Bool) -> [UInt8] {
        let characters = text.string.prefix(Self.limit)
        // Outside of UTF-8 the second byte of a character may mean the end of the sequence.
        let shown = isUTF8 ? String(characters) : String(characters.map { $0.isASCII ? $0 : "?" })
        return usesTitle
            ? Array("\u{1B}]777;notify;netdash;\(shown.replacing(";", with: ","))\u{7}".utf8)
            : Array("\u{1B}]9;\(shown)\u{7}".utf8)
    }

    /// The sequence wrapped for a multiplexer's own terminal; tmux passes it on if its option `allow-passthrough` is
    /// on.
    private func passed(_ order: [UInt8]) -> [UInt8] {
        switch multiplexer {
        case .none: order
        case .tmux:
            Array("\u{1B}Ptmux;".utf8) + order.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] } + Array("\u{1B}\\".utf8)
        case .screen: Array("\u{1B}P".utf8) + order + Array("\u{1B}\\".utf8)
        }
    }
}
