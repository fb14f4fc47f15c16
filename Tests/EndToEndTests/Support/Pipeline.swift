import Glibc

/// A pipe between a test and the program.
final class Pipeline {
    /// Where the bytes come out.
    private(set) var readEnd: Int32
    /// Where the bytes go in.
    private(set) var writeEnd: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        // Programs are started with none of this process's descriptors, so nobody else keeps an end open.
        guard pipe(&ends) == 0 else { throw WaitingFailed(description: "No pipe: errno \(errno)") }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        closeReadEnd()
        closeWriteEnd()
    }

    /// Writes bytes that fit into the pipe, or that somebody reads.
    func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(writeEnd, $0.baseAddress, $0.count) }
            guard count > 0 else { throw WaitingFailed(description: "Writing to a pipe failed: errno \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    func closeReadEnd() {
        if readEnd >= 0 { close(readEnd) }
        readEnd = -1
    }

    func closeWriteEnd() {
        if writeEnd >= 0 { close(writeEnd) }
        writeEnd = -1
    }
}
