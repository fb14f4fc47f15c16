import Glibc
import SessionSupport
import TransferService

/// The status that the program ends with.
struct ExitCode: Sendable, Equatable {
    /// The number itself.
    let rawValue: Int32

    static let success = ExitCode(rawValue: 0)
    static let taskFailed = ExitCode(rawValue: 1)
    static let usage = ExitCode(rawValue: 2)
    static let disk = ExitCode(rawValue: 3)
    /// No task has reached its server: a name that is not known, connections that are refused, or no way there.
    static let network = ExitCode(rawValue: 4)
    static let check = ExitCode(rawValue: 5)
    /// The session that was named is open in another netdash.
    static let sessionInUse = ExitCode(rawValue: 6)

    /// The code of a program that a signal ended, as shells count it.
    static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }

    /// The exit code with the report counted: that of an unwritten report where all else went well.
    func counting(_ unwritten: UnwrittenReport?) -> ExitCode {
        self == .success ? unwritten?.exitCode ?? self : self
    }

    /// The exit code with the transfers counted that a run has left undone: no success where all else went well.
    func counting(undone count: Int) -> ExitCode { self == .success && count > 0 ? .taskFailed : self }

    /// The code of a run from its transfers, in the order in which they were added.
    ///
    /// The first failed transfer decides, except that no server counts as reached only when every transfer failed so.
    static func of(_ results: [TransferResult]) -> ExitCode {
        var first: TransferFailure?
        var isNetworkGone = true
        // A run may have a million results, of which no second list is made.
        for result in results {
            guard case .failed(let failure) = result else {
                isNetworkGone = false
                continue
            }
            first = first ?? failure
            if failure.category != .network { isNetworkGone = false }
        }
        guard let first else { return .success }
        if isNetworkGone { return .network }
        switch first.category {
        case .ordinary, .network: return .taskFailed
        case .disk: return .disk
        case .check: return .check
        }
    }
}

/// A failure to write lines of a run's report, which the exit code tells as well.
struct UnwrittenReport: Sendable, Equatable {
    /// The place that the lines were meant for: a file's path, or the stream's name.
    let place: String
    let errno: Int32

    /// The sentence for a person.
    var sentence: String {
        guard errno != EPIPE else { return FileErrors.closed(place) }
        return FileErrors.unwritable(report: place, SystemWords.text(errno))
    }

    /// The exit code when nothing else went wrong.
    var exitCode: ExitCode { SystemWords.isDiskRefusal(errno) ? .disk : .taskFailed }

    /// The name of a stream that lines or bodies go to.
    static func name(ofStream descriptor: Int32) -> String {
        descriptor == STDOUT_FILENO ? FileErrors.standardOutput : FileErrors.standardError
    }
}

extension SessionRefusal {
    /// The status that the program ends with where the user insists on the session.
    var exitCode: ExitCode { isInUse ? .sessionInUse : category == .disk ? .disk : .taskFailed }
}
