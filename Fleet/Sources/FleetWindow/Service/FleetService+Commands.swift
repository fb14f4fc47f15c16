internal import FleetQueue
package import TransferService

/// Carries out commands as wishes in the queue, one statement each; what makes no sense over a queue is refused.
extension FleetService {
    @discardableResult package func send(_ command: TransferCommand) -> CommandReply {
        guard let reason = Self.refusal(of: command) else { return carryOut(command) }
        refuse(reason)
        return CommandReply(refused: command, reason)
    }

    /// Why a command makes no sense over a queue; nil where it does.
    static func refusal(of command: TransferCommand) -> SafeText? {
        switch command {
        case .pause, .resume, .cancel(_, deletingParts: false), .prioritise: nil
        case .cancel(_, deletingParts: true): QueueRefusalErrors.deleteParts
        case .undo(let step): refusal(of: step).map { _ in QueueRefusalErrors.undo }
        case .add, .addFailed: QueueRefusalErrors.add
        case .replace, .amend: QueueRefusalErrors.edit
        case .remove, .restore, .clear: QueueRefusalErrors.remove
        case .startNow: QueueRefusalErrors.startNow
        case .settle: QueueRefusalErrors.unsettled
        case .fetchAgain: QueueRefusalErrors.again
        case .setLimits, .setRates, .setDownloadRate, .limitTasks, .limitDownloads: QueueRefusalErrors.limits
        case .moveInQueue, .placeInQueue: QueueRefusalErrors.order
        case .repeatRequest: QueueRefusalErrors.repeating
        case .forgetEnds: QueueRefusalErrors.history
        }
    }

    private func carryOut(_ command: TransferCommand) -> CommandReply {
        let ids = command.rows.map { Int64(clamping: $0) }
        do throws(FleetError) {
            try desk.ask { (queue: FleetQueue) throws(FleetError) in try Self.perform(command, ids, queue) }
            for id in command.rows { tell(.changed(id)) }
            return CommandReply()
        } catch {
            let sentence = error.code == .away ? WindowErrors.unanswered(error) : SafeText(untrusted: error.text)
            tell(.complaint(sentence))
            return CommandReply(refused: command, sentence)
        }
    }

    private static func perform(
        _ command: TransferCommand, _ ids: [Int64], _ queue: FleetQueue
    ) throws(FleetError) {
        switch command {
        case .pause: _ = try queue.wish(.pause, for: ids)
        case .cancel: _ = try queue.wish(.cancel, for: ids)
        case .resume: _ = try queue.resume(ids)
        case .prioritise(_, let steps): _ = try queue.prioritise(ids, by: steps)
        case .undo(let step): try perform(step, ids, queue)
        default: break
        }
    }

    // MARK: - Files

    package func writeBody(of id: UInt64, to path: String) -> Result<Int, TransferFailure> {
        .failure(Self.refusal(QueueRefusalErrors.file))
    }
    package func changeURL(of id: UInt64, to url: String, from client: UInt64) -> Result<Int64?, TransferFailure> {
        .failure(Self.refusal(QueueRefusalErrors.edit))
    }
    package func moveFile(
        of id: UInt64, to typed: String, isUndo: Bool, from client: UInt64
    ) -> Result<String?, TransferFailure> {
        .failure(Self.refusal(QueueRefusalErrors.file))
    }
    package func deleteFiles(of ids: [UInt64]) -> [TransferFailure] {
        ids.isEmpty ? [] : [Self.refusal(QueueRefusalErrors.file)]
    }
    package func removeLeftovers(_ paths: [String]) -> (line: SafeText, complaints: [SafeText]) {
        (QueueRefusalErrors.file, [])
    }
    package func fileToView(of id: UInt64) -> ViewableFile? { nil }
}
