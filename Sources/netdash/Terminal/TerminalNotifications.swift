import Dashboard

/// The bytes with which a terminal rings and shows a notification.
///
/// There are two orders for a notification and no way to ask which one a terminal knows: OSC 777 is urxvt's, which VTE
/// and foot took over, OSC 9 is iTerm's, which the others have. Terminals that know neither ignore both.
struct TerminalNotifications: Sendable {
    /// What stands between the program and the window.
    private enum Multiplexer: Sendable {
        case none, tmux, screen
    }

    /// The characters of a text that are shown at most.
    private static let limit = 100

    private let hasNotifications: Bool
    private let usesTitle: Bool
    private let multiplexer: Multiplexer

    /// What the environment says of the terminal.
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

    /// The order itself: a safe text has nothing in it that could end or follow it, and a semicolon only parts fields.
    private func order(for text: SafeText, isUTF8: Bool) -> [UInt8] {
        let characters = text.string.prefix(Self.limit)
        // Outside of UTF-8 the second byte of a character may mean the end of the order.
        let shown = isUTF8 ? String(characters) : String(characters.map { $0.isASCII ? $0 : "?" })
        return usesTitle
            ? Array("\u{1B}]777;notify;netdash;\(shown.replacing(";", with: ","))\u{7}".utf8)
            : Array("\u{1B}]9;\(shown)\u{7}".utf8)
    }

    /// The order as a multiplexer hands it on to its own terminal; tmux does where its option `allow-passthrough` is on.
    private func passed(_ order: [UInt8]) -> [UInt8] {
        switch multiplexer {
        case .none: order
        case .tmux:
            Array("\u{1B}Ptmux;".utf8) + order.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] } + Array("\u{1B}\\".utf8)
        case .screen: Array("\u{1B}P".utf8) + order + Array("\u{1B}\\".utf8)
        }
    }
}
