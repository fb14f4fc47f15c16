import Dashboard

/// Builds the bytes for a window's title and its progress in taskbar or tab, only for changes.
///
/// Titles are OSC 2, after saving the earlier one and before restoring it; progress is OSC 9;4.
struct WindowOutput {
    let hasTitle: Bool
    private let hasProgress: Bool
    private let isUTF8: Bool
    private var title: SafeText?
    private var progress = TaskbarProgress.none
    private var sentTitle: SafeText?
    private var sentProgress = TaskbarProgress.none

    /// Enables what the terminal supports and the user wants.
    init(settings: TerminalSettings, isUTF8: Bool) {
        hasTitle = settings.setsTitle && TerminalForm.hasTitle(settings.type ?? "")
        hasProgress = settings.showsProgress
        self.isUTF8 = isUTF8
    }

    mutating func setTitle(_ title: SafeText) { self.title = title }

    mutating func setProgress(_ progress: TaskbarProgress) { self.progress = progress }

    /// Sent when the screen is entered: the terminal saves the earlier title.
    var entrance: [UInt8] { hasTitle ? Array("\u{1B}[22;2t".utf8) : [] }

    /// Sent at every end of the program, so it undoes whatever was sent before.
    var restoration: [UInt8] {
        (hasProgress ? Self.bytes(of: .none) : []) + (hasTitle ? Array("\u{1B}[23;2t".utf8) : [])
    }

    /// The bytes for the changes since the last call.
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

    /// Resets the sent state after the screen was left.
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
