import CLinux
import CNcurses
import Dashboard
import Glibc
import SessionSupport

/// The terminal that this program was started on, drawn with ncurses.
///
/// ncurses only computes what changed. Reading, writing, modes and size are ours, so that a frame is one write, a
/// terminal that stops taking output is noticed instead of waited for, and ncurses stays out of signal handlers.
final class CursesTerminal: Terminal {
    /// The longest text for the terminal's clipboard, in encoded bytes.
    private static let copyLimit = 8192

    private let settings: TerminalSettings
    private var device: TerminalDevice?
    private var screen: CursesScreen?
    private var errors: ErrorCapture?
    private var parser: InputParser
    private var output = OutputQueue()
    private var isSuspended = false
    /// Whether the terminal's family supports bracketed paste, focus events and the mouse.
    private var isXtermLike = false
    private var window: WindowOutput
    private var needsEntrance = false
    private var form: TerminalForm?
    private var reportsMouse = false
    private(set) var capabilities = ViewCapabilities()

    init(settings: TerminalSettings) {
        self.settings = settings
        parser = InputParser(escapeDelay: settings.escapeDelay)
        window = WindowOutput(settings: settings, isUTF8: false)
    }

    deinit {
        stop()
    }

    var descriptor: Int32 { device?.descriptor ?? -1 }
    var size: Size { screen?.size ?? Size(columns: 80, rows: 24) }
    var inputDeadline: Int64? { parser.deadline }
    var hasUnsentOutput: Bool { !output.isEmpty }

    // MARK: Start and stop

    func start() throws(TerminalError) {
        guard device == nil else { return }
        guard let type = settings.type, !type.isEmpty, type != "dumb", type != "unknown" else { throw .noTerminalType }
        let isUTF8 = TerminalLocale.establish()
        let device = try TerminalDevice(path: settings.path)
        let screen = try CursesScreen(
            type: type, size: device.size, usesColor: settings.usesColor, theme: settings.theme, own: settings.styles)
        guard cn_crash_handler_install() == 0 else { throw .system(call: "sigaction", errno: errno) }
        let form = TerminalForm(type: type, isUTF8: isUTF8)
        self.form = form
        capabilities = form.capabilities(glyphs: settings.glyphs)
        isXtermLike = form.isXtermLike || screen.capability("BE") != nil
        window = WindowOutput(settings: settings, isUTF8: isUTF8)
        try device.setRestore(restoreBytes(of: screen))
        errors = try ErrorCapture()
        do {
            try device.enter()
        } catch {
            errors = nil
            throw error
        }
        self.device = device
        self.screen = screen
        needsEntrance = true
    }

    func stop() {
        device?.restore()
        output.removeAll()
        // The order matters: standard error returns to a restored terminal.
        errors = nil
        screen = nil
        device = nil
    }

    /// Enables bracketed paste, focus events and the mouse whenever the screen is entered.
    private var entrance: [UInt8] {
        guard isXtermLike else { return [] }
        let focus = settings.watchesFocus ? Array("\u{1B}[?1004h".utf8) : []
        return Array("\u{1B}[?2004h".utf8) + focus + (reportsMouse ? Self.mouseOn : [])
    }

    /// Leaves the screen from any state: paste, focus and mouse off, attributes off, screen left, cursor shown, keys
    /// normal.
    private func restoreBytes(of screen: CursesScreen) -> [UInt8] {
        var bytes: [UInt8] = []
        if isXtermLike {
            let focus = settings.watchesFocus ? "\u{1B}[?1004l" : ""
            bytes += Array("\u{1B}[?2004l\(focus)\u{1B}[?1006l\u{1B}[?1000l".utf8)
        }
        bytes += window.restoration
        for name in ["sgr0", "op"] { bytes += screen.capability(name) ?? [] }
        if let leave = screen.capability("rmcup") {
            bytes += leave
        } else {
            // Without an alternate screen the shell continues below the last frame.
            bytes += screen.movement(row: screen.size.rows - 1, column: 0) ?? []
            bytes += screen.capability("el") ?? []
        }
        for name in ["cnorm", "rmkx"] { bytes += screen.capability(name) ?? [] }
        return bytes
    }

    // MARK: Frames

    func draw(_ surface: Surface) throws(TerminalError) {
        guard let screen, !isSuspended, output.isEmpty else { return }
        let frame = try screen.draw(surface)
        if !frame.isEmpty {
            output.append(frame)
            if needsEntrance { output.append(entrance + window.entrance) }
            needsEntrance = false
        }
        if !needsEntrance { output.append(window.changes()) }
        try flush()
    }

    func flush() throws(TerminalError) {
        guard let device, !isSuspended else { return }
        try output.flush(to: device.descriptor)
    }

    func redrawAll() {
        screen?.invalidate()
    }

    func updateSize() -> Size {
        guard let device, let screen, device.size != screen.size else { return size }
        do {
            try screen.resize(to: device.size)
            try device.setRestore(restoreBytes(of: screen))
        } catch {
            // Only for lack of memory; the old size stays and the terminal clips it.
            screen.invalidate()
        }
        return screen.size
    }

    // MARK: Keys

    func readKeys(now: Int64) throws(TerminalError) -> [TerminalInput] {
        guard let device, !isSuspended else { return [] }
        var inputs = parser.expire(now: now)
        // Bounded, so that endless input cannot keep frames from being drawn.
        for _ in 0..<32 {
            let bytes = try device.read()
            if bytes.isEmpty { break }
            inputs += parser.feed(bytes, now: now)
        }
        return inputs
    }

    // MARK: Stops

    func suspend() {
        guard let device, let screen, !isSuspended else { return }
        device.restore()
        isSuspended = true
        output.removeAll()
        do {
            try screen.leave()
        } catch {
            // The terminal is restored already; entering again repaints everything.
            screen.invalidate()
        }
    }

    func resumeAfterStop() -> Bool {
        guard let device, let screen else { return false }
        guard device.isForeground else {
            // Another program has the screen: nothing may be sent any more, not even by a crash.
            if !isSuspended { abandon(screen) }
            return false
        }
        do {
            try device.enter()
        } catch {
            return false
        }
        isSuspended = false
        needsEntrance = true
        window.forget()
        parser = InputParser(escapeDelay: settings.escapeDelay)
        if device.size != screen.size { _ = updateSize() } else { screen.invalidate() }
        return true
    }

    /// Records that another program took the terminal before it could be restored.
    private func abandon(_ screen: CursesScreen) {
        cn_device_abandon()
        isSuspended = true
        output.removeAll()
        try? screen.leave()
    }

    // MARK: Mouse, glyphs and theme

    func setMouse(_ isOn: Bool) {
        // The terminals with bracketed paste have the mouse too; the restoring bytes are the same.
        guard isXtermLike, isOn != reportsMouse else { return }
        reportsMouse = isOn
        if device != nil, !isSuspended, !needsEntrance {
            send(isOn ? Self.mouseOn : Array("\u{1B}[?1006l\u{1B}[?1000l".utf8))
        }
    }

    func setGlyphs(_ glyphs: GlyphSet) {
        guard let form else { return }
        capabilities = form.capabilities(glyphs: glyphs)
    }

    func setTheme(_ theme: Theme) {
        screen?.setTheme(theme)
    }

    private static let mouseOn = Array("\u{1B}[?1000h\u{1B}[?1006h".utf8)

    // MARK: Window

    func setTitle(_ title: SafeText) { window.setTitle(title) }

    func setProgress(_ progress: TaskbarProgress) { window.setProgress(progress) }

    func announce(_ announcement: Announcement) {
        // After this much unsent output the announcement would come too late.
        guard device != nil, !isSuspended, output.count < Self.copyLimit else { return }
        send(settings.notifications.bytes(for: announcement, isUTF8: form?.isUTF8 ?? false))
    }

    func copy(_ text: String) -> Bool {
        let encoded = Base64.encode(text.utf8)
        guard device != nil, !isSuspended, encoded.utf8.count <= Self.copyLimit else { return false }
        send(Array("\u{1B}]52;c;".utf8) + encoded.utf8 + [0x07])
        return true
    }

    private func send(_ bytes: [UInt8]) {
        output.append(bytes)
        // A terminal that has hung up is reported by the next read.
        try? flush()
    }
}
