import Dashboard

/// The bytes that name a terminal's window and show progress in its taskbar or tab: only those for what has changed.
///
/// Titles are OSC 2, between pushing the one that was there and popping it; progress is OSC 9;4.
struct WindowOutput {
    /// Whether the window is named.
    let hasTitle: Bool
    /// Whether progress is shown.
    private let hasProgress: Bool
    private let isUTF8: Bool
    private var title: SafeText?
    private var progress = TaskbarProgress.none
    private var sentTitle: SafeText?
    private var sentProgress = TaskbarProgress.none

    /// The output that a terminal understands and the user wants.
    init(settings: TerminalSettings, isUTF8: Bool) {
        hasTitle = settings.setsTitle && TerminalForm.hasTitle(settings.type ?? "")
        hasProgress = settings.showsProgress
        self.isUTF8 = isUTF8
    }

    /// Remembers the title to show.
    mutating func setTitle(_ title: SafeText) { self.title = title }

    /// Remembers the progress to show.
    mutating func setProgress(_ progress: TaskbarProgress) { self.progress = progress }

    /// Sent when the screen is entered: the terminal keeps the title that is there.
    var entrance: [UInt8] { hasTitle ? Array("\u{1B}[22;2t".utf8) : [] }

    /// Sent on every way out, so it holds whatever was sent before.
    var restoration: [UInt8] {
        (hasProgress ? Self.bytes(of: .none) : []) + (hasTitle ? Array("\u{1B}[23;2t".utf8) : [])
    }

    /// The bytes for what has changed since they were last taken.
    mutating func changes() -> [UInt8] {
        var bytes: [UInt8] = []
        if hasTitle, let title, title != sentTitle {
            sentTitle = title
            bytes += titleBytes(title)
        }
        if hasProgress, progress != sentProgress {
            sentProgress = progress
            bytes += Self.bytes(of: progress)
        }
        return bytes
    }

    /// Forgets what had been sent: the screen was left.
    mutating func forget() {
        sentTitle = nil
        sentProgress = .none
    }

    private func titleBytes(_ title: SafeText) -> [UInt8] {
        // Outside of UTF-8 the second byte of a character may mean the end of the title.
        let text = isUTF8 ? title.string : String(title.string.map { $0.isASCII ? $0 : "?" })
        return Array("\u{1B}]2;\(text)\u{7}".utf8)
    }

    private static func bytes(of progress: TaskbarProgress) -> [UInt8] {
        let (state, percent) =
            switch progress {
            case .none: (0, 0)
            case .percent(let percent): (1, percent)
            case .unknown: (3, 0)
            case .paused(let percent): (4, percent)
            }
        return Array("\u{1B}]9;4;\(state);\(min(max(percent, 0), 100))\u{7}".utf8)
    }
}
