import Glibc
import Testing

@testable import netdash

/// Whether a log is for the screen.
@Suite("A log on the dashboard's terminal")
struct TerminalLogTests {
    @Test("A path leads to a terminal under each of its names, and no other file does")
    func names() throws {
        let (mine, other) = (try TestPseudoterminal(), try TestPseudoterminal())
        let descriptor = open(mine.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        for path in [mine.path, "/proc/self/fd/\(descriptor)", "/dev/fd/\(descriptor)"] {
            #expect(FileKind.isTerminal(path, of: descriptor), "\(path)")
        }
        for path in [other.path, "/dev/null", "/tmp", "/no/such"] {
            #expect(!FileKind.isTerminal(path, of: descriptor), "\(path)")
        }
    }
}
