import CLinux
import Foundation
import Glibc
import Testing

/// A pseudoterminal inside the test process, with a thread's worth of patience.
final class TestPseudoterminal {
    /// The side a person sits at.
    let driver: Int32
    /// The path of the side programs are on.
    let path: String
    /// Kept open, so that the terminal does not hang up between two openings.
    private var keeper: Int32

    init(size: (rows: Int32, columns: Int32) = (24, 80)) throws {
        var name = [CChar](repeating: 0, count: 64)
        driver = cl_pty_open(&name, name.count, size.rows, size.columns)
        try #require(driver >= 0, "No pseudoterminal: errno \(errno)")
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        keeper = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(keeper >= 0, "The pseudoterminal cannot be opened: errno \(errno)")
    }

    deinit {
        close(keeper)
        close(driver)
    }

    /// The modes a program left the terminal in.
    var modes: [UInt8] {
        var modes = termios()
        tcgetattr(keeper, &modes)
        return withUnsafeBytes(of: &modes) { Array($0) }
    }

    /// What programs have written until now.
    func read() -> [UInt8] {
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(driver, &chunk, chunk.count), count > 0 { result += chunk[0..<count] }
        return result
    }

    /// Types.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        let count = write(driver, bytes, bytes.count)
        #expect(count == bytes.count)
    }

    func resize(rows: Int32, columns: Int32) {
        #expect(cl_pty_resize(driver, rows, columns) == 0)
    }
}

/// A thread that can be waited for.
final class TestThread: Sendable {
    private let finished = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        let finished = finished
        Thread.detachNewThread {
            body()
            finished.signal()
        }
    }

    func join() {
        finished.wait()
    }
}
