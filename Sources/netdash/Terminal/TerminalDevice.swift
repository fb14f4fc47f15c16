import CNcurses
import Dashboard
import Glibc

/// The terminal's descriptor and modes.
///
/// It opens its own file, so that making it non-blocking does not affect the shell, which shares the file behind
/// standard output. A class because it owns the descriptor.
final class TerminalDevice {
    let descriptor: Int32

    /// Opens the terminal at `path`, or the one on standard output, and saves its modes.
    init(path: String?) throws(TerminalError) {
        let name = path ?? ttyname(STDOUT_FILENO).map { String(cString: $0) }
        guard let name else { throw .noTerminal }
        var opened = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        // Inside a container the name may belong to a file system that is not mounted here.
        if opened < 0, path == nil { opened = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC) }
        guard opened >= 0 else { throw .noTerminal }
        guard cn_device_adopt(opened) == 0 else {
            let number = errno
            close(opened)
            throw .system(call: "tcgetattr", errno: number)
        }
        descriptor = opened
    }

    deinit {
        cn_device_restore()
        cn_device_release()
        close(descriptor)
    }

    /// The size, or 80 x 24 where it is unknown, as on serial lines.
    var size: Size {
        var rows: Int32 = 0
        var columns: Int32 = 0
        guard cn_device_size(descriptor, &rows, &columns) == 0 else { return Size(columns: 80, rows: 24) }
        return Size(columns: min(max(Int(columns), 1), 4096), rows: min(max(Int(rows), 1), 1000))
    }

    /// Returns whether another process group owns the terminal of a descriptor: changing its modes would stop this
    /// process.
    static func isInBackground(of descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && !cn_device_is_foreground(descriptor)
    }

    var isForeground: Bool { cn_device_is_foreground(descriptor) }

    /// Switches to unbuffered single keys.
    func enter() throws(TerminalError) {
        guard cn_device_enter() == 0 else { throw .system(call: "tcsetattr", errno: errno) }
    }

    /// Sets the bytes that leave the screen at every end of the program.
    func setRestore(_ bytes: [UInt8]) throws(TerminalError) {
        guard cn_device_set_restore(bytes, bytes.count) == 0 else { throw .screen("restore") }
    }

    /// Leaves the screen and restores the modes of the current device, if any, without waiting for a thread.
    @Sendable static func restoreAtLast() { cn_device_restore() }

    func restore() {
        cn_device_restore()
    }

    /// Reads available input; empty without any.
    func read() throws(TerminalError) -> [UInt8] {
        while true {
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                count = max(result, 0)
                failure = result < 0 ? errno : (result == 0 ? EIO : 0)
            }
            switch failure {
            case 0: return bytes
            case EAGAIN: return []
            case EINTR: continue
            case EIO: throw .gone
            default: throw .system(call: "read", errno: failure)
            }
        }
    }
}

/// Queues bytes for a terminal that may not take them at once.
///
/// Order is kept and nothing is sent twice, however little each write takes.
struct OutputQueue {
    private var bytes: [UInt8] = []
    private var sent = 0

    var isEmpty: Bool { sent == bytes.count }

    /// The bytes that wait.
    var count: Int { bytes.count - sent }

    mutating func append(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// Writes until everything is taken or the terminal takes no more.
    mutating func flush(to descriptor: Int32) throws(TerminalError) {
        while !isEmpty {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                return
            } else if errno == EIO {
                throw .gone
            } else if errno != EINTR {
                throw .system(call: "write", errno: errno)
            }
        }
        bytes.removeAll(keepingCapacity: bytes.count < 65_536)
        sent = 0
    }

    /// Drops unsent bytes, because their screen was left.
    mutating func removeAll() {
        bytes.removeAll()
        sent = 0
    }
}
