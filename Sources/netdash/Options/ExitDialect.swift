import AriaRPC
import SessionSupport
import TransferService

/// The program whose statuses a run ends with.
enum ExitDialect: Sendable, Equatable {
    case netdash
    /// aria2c's, which the scripts that call it check.
    case aria2
    /// The same, where missing files have a status of their own.
    case aria2CountingMisses

    private static let ariaMissing = ExitCode(rawValue: 4)
    private static let ariaUnfinished = ExitCode(rawValue: 7)
    private static let ariaUsage = ExitCode(rawValue: 28)

    init(of arguments: [String]) {
        self = arguments.first == ProgramCommand.aria2c.rawValue ? .aria2 : .netdash
    }

    /// The status of a run from its results, in the order they were added; aria2c's last failure decides.
    func status(of results: [TransferResult]) -> ExitCode {
        switch self {
        case .netdash: ExitCode.of(results)
        case .aria2, .aria2CountingMisses: results.lazy.reversed().compactMap(ariaStatus).first ?? .success
        }
    }

    /// The status of a run that a signal ended.
    func status(of results: [TransferResult], signal: Int32) -> ExitCode {
        guard self != .netdash else { return .signal(signal) }
        let status = status(of: results)
        return status == .success && results.contains(.unfinished) ? Self.ariaUnfinished : status
    }

    /// The status for a mistake in the arguments.
    func status(of error: UsageError) -> ExitCode {
        switch self {
        case .netdash: error.isOfDisk ? .disk : .usage
        case .aria2, .aria2CountingMisses: error.isOfOption && !error.isOfFile ? Self.ariaUsage : .taskFailed
        }
    }

    /// The status for a reason that is no transfer's; aria2c has a number for none of them.
    func status(beside own: ExitCode) -> ExitCode { self != .netdash && own != .success ? .taskFailed : own }

    private func ariaStatus(_ result: TransferResult) -> ExitCode? {
        guard case .failed(let failure) = result else { return nil }
        if self == .aria2CountingMisses, failure.httpStatus == 404 { return Self.ariaMissing }
        let cause = Cause(rawValue: failure.kind)
        return ExitCode(rawValue: Int32(ErrorNumber.of(cause, status: failure.httpStatus)))
    }
}
