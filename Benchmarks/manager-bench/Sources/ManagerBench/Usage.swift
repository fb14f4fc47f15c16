import Foundation
import Glibc

/// What the process has used so far.
struct Usage {
    var wall: Double
    var processor: Double
    var residentBytes: Int

    static func now() -> Usage {
        var usage = rusage()
        getrusage(__rusage_who_t(truncatingIfNeeded: RUSAGE_SELF.rawValue), &usage)
        let processor =
            Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let resident = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        return Usage(
            wall: ProcessInfo.processInfo.systemUptime, processor: processor,
            residentBytes: resident * Int(sysconf(Int32(_SC_PAGESIZE))))
    }

    /// What was used between two moments.
    static func - (after: Usage, before: Usage) -> Usage {
        Usage(
            wall: after.wall - before.wall, processor: after.processor - before.processor,
            residentBytes: after.residentBytes - before.residentBytes)
    }
}
