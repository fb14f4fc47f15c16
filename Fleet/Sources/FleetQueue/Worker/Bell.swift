internal import Glibc

/// Wakes a loop that waits in `poll`, from any thread or signal handler.
///
/// A class because it owns the two ends of a pipe.
package final class Bell: Sendable {
    package let descriptor: Int32
    let end: Int32

    package init() throws(FleetError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw FleetError(.file, QueueErrors.noPipe(String(cString: strerror(errno))))
        }
        for end in ends {
            guard fcntl(end, F_SETFL, O_NONBLOCK) == 0, fcntl(end, F_SETFD, FD_CLOEXEC) == 0 else {
                throw FleetError(.file, QueueErrors.noPipe(String(cString: strerror(errno))))
            }
        }
        descriptor = ends[0]
        end = ends[1]
    }

    deinit {
        close(descriptor)
        close(end)
    }

    /// Rings; a full pipe rings already.
    package func ring() {
        var byte: UInt8 = 1
        _ = write(end, &byte, 1)
    }

    /// Takes back all rings and returns their number.
    @discardableResult
    package func clear() -> Int {
        var bytes = [UInt8](repeating: 0, count: 256)
        var count = 0
        while true {
            let step = read(descriptor, &bytes, bytes.count)
            guard step > 0 else { return count }
            count += step
        }
    }
}
