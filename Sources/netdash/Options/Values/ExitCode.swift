import Glibc
import SessionSupport
import TransferService

/// The status that the program ends with.
struct ExitCode: Sendable, Equatable {
    let rawValue: Int32

    static let success = ExitCode(rawValue: 0)
    static let taskFailed = ExitCode(rawValue: 1)
    static let usage = ExitCode(rawValue: 2)
    static let disk = ExitCode(rawValue: 3)
    /// No task has reached its server: an unknown host, refused connections, or no route.
    static let network = ExitCode(rawValue: 4)
    static let check = ExitCode(rawValue: 5)
    /// Another netdash has the named session open.
    static let sessionInUse = ExitCode(rawValue: 6)
    /// A response did not meet a condition.
    static let condition = ExitCode(rawValue: 7)

    /// 128 plus the signal's number, as in shells.
    static func signal(_ number: Int32) -> ExitCode { ExitCode(rawValue: 128 + number) }

    /// The exit code after an unwritten report, which decides only if everything else succeeded.
    func counting(_ unwritten: UnwrittenReport?) -> ExitCode {
        self == .success ? unwritten?.exitCode ?? self : self
    }

    /// The exit code after files that could not be written beside the transfers.
    func counting(complaints: [SafeText]) -> ExitCode { self == .success && !complaints.isEmpty ? .disk : self }

    /// The exit code after undone transfers, which fail a run that succeeded otherwise.
    func counting(undone count: Int) -> ExitCode { self == .success && count > 0 ? .taskFailed : self }

    /// The exit code after files that no job can name were left out.
    func counting(_ leftOut: UploadSources.LeftOut) -> ExitCode {
        self == .success && !leftOut.unnamed.isEmpty ? .taskFailed : self
    }

    /// The exit code of a run from its results, in the order they were added.
    ///
    /// The first failed transfer decides, but an unreached network only when every transfer failed so.
    static func of(_ results: [TransferResult]) -> ExitCode {
        var first: TransferFailure?
        var isNetworkGone = true
        // A run may have a million results, so no second list is made.
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
        case .condition: return .condition
        }
    }
}

/// A failure to write lines of a run's report, which the exit code shows too.
struct UnwrittenReport: Sendable, Equatable {
    /// The destination of the lines: a file's path, or the stream's name.
    let output: String
    let errno: Int32

    var sentence: String {
        guard errno != EPIPE else { return FileErrors.closed(output) }
        return FileErrors.unwritable(report: output, SystemWords.text(errno))
    }

    /// The exit code when nothing else went wrong.
    var exitCode: ExitCode { SystemWords.isDiskRefusal(errno) ? .disk : .taskFailed }

    static func name(ofStream descriptor: Int32) -> String {
        descriptor == STDOUT_FILENO ? FileErrors.standardOutput : FileErrors.standardError
    }
}

extension SessionRefusal {
    /// The program's status where the user insists on the session.
    var exitCode: ExitCode { isInUse ? .sessionInUse : category == .disk ? .disk : .taskFailed }
}
