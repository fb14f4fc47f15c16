import CLinux
import Glibc
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

/// A terminal without a screen: a test types into it, and looks at the frames it got.
final class FakeTerminal: Terminal {
    let descriptor: Int32
    private var typing: Int32
    private var nextSize: Size?
    var size = Size(columns: 80, rows: 24)
    var capabilities = ViewCapabilities()
    var inputDeadline: Int64? { parser.deadline }
    var hasUnsentOutput = false
    var ownsForeground = true
    private(set) var frames: [Surface] = []
    private(set) var isSuspended = false
    private(set) var redraws = 0
    private var parser = InputParser()

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        (descriptor, typing) = (ends[0], ends[1])
        try #require(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
    }

    deinit {
        close(descriptor)
        if typing >= 0 { close(typing) }
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        let count = write(typing, bytes, bytes.count)
        #expect(count == bytes.count)
    }

    func start() throws(TerminalError) {}
    func stop() {}
    func draw(_ surface: Surface) throws(TerminalError) { frames.append(surface) }
    func flush() throws(TerminalError) {}
    func redrawAll() { redraws += 1 }

    func updateSize() -> Size {
        size = nextSize ?? size
        return size
    }

    func changeSizeAtNextUpdate(to newSize: Size) { nextSize = newSize }

    func hangUp() {
        close(typing)
        typing = -1
    }

    func readKeys(now: Int64) throws(TerminalError) -> [TerminalInput] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        if count == 0 { throw .gone }
        return parser.expire(now: now) + parser.feed(bytes.prefix(max(count, 0)), now: now)
    }

    func suspend() { isSuspended = true }

    func resumeAfterStop() -> Bool {
        if ownsForeground { isSuspended = false }
        return ownsForeground
    }

    private(set) var reportsMouse = false
    func setMouse(_ isOn: Bool) { reportsMouse = isOn }
    func setGlyphs(_ glyphs: GlyphSet) { capabilities.glyphs = glyphs }
    private(set) var theme = Theme.terminal
    func setTheme(_ theme: Theme) { self.theme = theme }
    private(set) var title: SafeText = .empty
    private(set) var progress = TaskbarProgress.none
    func setTitle(_ title: SafeText) { self.title = title }
    func setProgress(_ progress: TaskbarProgress) { self.progress = progress }
    private(set) var announcements: [Announcement] = []
    func announce(_ announcement: Announcement) { announcements.append(announcement) }
    func copy(_ text: String) -> Bool { true }
}

/// Signals that a test sends by hand.
final class FakeSignals: SignalSource {
    let descriptor = cl_eventfd()
    private var waiting: [Int32] = []

    deinit {
        close(descriptor)
    }

    func send(_ signal: Int32) {
        waiting.append(signal)
        #expect(cl_eventfd_signal(descriptor) == 0)
    }

    func drain() -> [Int32] {
        #expect(cl_eventfd_drain(descriptor) == 0)
        defer { waiting = [] }
        return waiting
    }
}
