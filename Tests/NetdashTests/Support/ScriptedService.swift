import Foundation
import SessionSupport

@testable import TransferService

/// A service without transfers: it answers from a table, records commands and is as slow as a test wants.
final class ScriptedService: TransferService {
    private struct State {
        var rows: [RowSnapshot] = []
        var commands: [TransferCommand] = []
        var questions: [TransferQuestion] = []
        var isBusy = false
        var callers = 0
        var subscriptions: [LocalSubscription] = []
        var details: [UInt64: RowDetails] = [:]
        /// Nil for a disk that cannot be read.
        var leftovers: [LeftoverLine]?
        var history: [HistoryEntry] = []
        /// The paths to which bodies were to be written.
        var written: [String] = []
        var bytesPerSecond: Double?
        /// Why it cannot select rows; nil where it can.
        var refusal: TransferFailure?
        /// Why it answers nothing and carries out nothing; nil where it does.
        var trouble: TransferFailure?
        /// The questions that have the trouble; nil for all, and for commands too.
        var troubled: TransferQuestion?
    }

    private let state = Monitor(State())

    init(rows: [RowSnapshot] = []) {
        state.change { $0.rows = rows }
    }

    /// Changes the state of a row and tells of it.
    func change(state newState: RowState, of id: UInt64) {
        var rows = state.withLock { $0.rows }
        for index in rows.indices where rows[index].id == id { rows[index].state = newState }
        change(rows, notifier: [.changed(id)])
    }

    /// What it answers about one row.
    func setDetails(_ details: RowDetails, of id: UInt64) { state.change { $0.details[id] = details } }

    /// The parts that it finds.
    func setLeftParts(_ parts: [LeftoverLine]) { state.change { $0.leftovers = parts } }

    /// The ended transfers that it knows.
    func setHistory(_ entries: [HistoryEntry]) { state.change { $0.history = entries } }

    /// The speed of its counts, and why it gives none from now on.
    func setSelection(bytesPerSecond: Double?, refusal: TransferFailure? = nil) {
        state.change { ($0.bytesPerSecond, $0.refusal) = (bytesPerSecond, refusal) }
    }

    /// Lets it refuse all questions and commands, or one question alone; nil ends that.
    func setTrouble(_ trouble: TransferFailure?, for question: TransferQuestion? = nil) {
        state.change { ($0.trouble, $0.troubled) = (trouble, question) }
    }

    /// Whether commands and questions wait.
    var isBusy: Bool {
        get { state.withLock { $0.isBusy } }
        set { state.change { $0.isBusy = newValue } }
    }

    var commands: [TransferCommand] { state.withLock { $0.commands } }
    var written: [String] { state.withLock { $0.written } }
    var questions: [TransferQuestion] { state.withLock { $0.questions } }

    /// Changes the rows and tells every subscriber of what is new.
    func change(_ rows: [RowSnapshot], notifier notices: [TransferNotice]) {
        let subscriptions = state.change { state in
            state.rows = rows
            return state.subscriptions
        }
        for notice in notices { subscriptions.forEach { $0.receive(notice) } }
    }

    private func waitUntilFree() {
        state.change { $0.callers += 1 }
        state.wait { $0.isBusy ? nil : () }
        state.change { $0.callers -= 1 }
    }

    /// Waits until a command or a question waits.
    func waitForCaller() { state.wait { $0.callers > 0 ? () : nil } }

    /// Waits until a question was answered from the rows of its moment.
    func waitForQuestion(_ question: TransferQuestion) {
        state.wait { $0.questions.contains(question) ? () : nil }
    }

    @discardableResult func send(_ command: TransferCommand) -> CommandReply {
        waitUntilFree()
        state.change { $0.commands.append(command) }
        return state.withLock { $0.trouble }.map { CommandReply(refused: command, SafeText(untrusted: $0.message)) }
            ?? CommandReply()
    }

    func answer(_ question: TransferQuestion) -> TransferAnswer {
        waitUntilFree()
        let rows = state.change { state in
            state.questions.append(question)
            return state.rows
        }
        let (trouble, troubled) = state.withLock { ($0.trouble, $0.troubled) }
        if let trouble, troubled == nil || troubled == question { return .failed(trouble) }
        func chosen(_ ids: [UInt64]) -> [RowSnapshot] { rows.filter { ids.contains($0.id) } }
        return switch question {
        case .counts: .counts(RunCounts(live: rows.count, isIdle: rows.isEmpty))
        case .summary: .summary(RunSummary(results: [], moved: MovedBytes(received: 0), seconds: 0))
        case .ids: .ids(rows.map(\.id))
        case .page(let id, let limit): .rows(Array(rows.filter { $0.id > id ?? 0 }.prefix(limit)))
        case .matching(let request):
            matching(rows, limit: request.limit)
        case .rows(let ids): .rows(chosen(ids))
        case .figures(let ids): .figures(chosen(ids).map(\.figures))
        case .details(let id): .details(state.withLock { $0.details[id] })
        case .connections: .connections([:])
        case .connectionCounts: .connectionCounts([:])
        case .jobs(let ids): .jobs(chosen(ids).map { Job(kind: $0.kind, url: $0.url.string) })
        case .path(let id): .path(chosen([id]).first?.path?.string)
        case .destination: .destination(DestinationInfo())
        case .leftovers:
            state.withLock { $0.leftovers }.map { .leftovers($0) }
                ?? .failed(TransferFailure(kind: "storage", category: .disk, message: "no disk"))
        case .unsaved: .unsaved(nil)
        case .history: .history(state.withLock { $0.history })
        }
    }

    private func matching(_ rows: [RowSnapshot], limit: Int) -> TransferAnswer {
        let (speed, refusal) = state.withLock { ($0.bytesPerSecond, $0.refusal) }
        if let refusal { return .failed(refusal) }
        var totals = RowTotals(matching: rows.count)
        totals.bytesPerSecond = speed
        return .matching(RowMatches(rows: Array(rows.prefix(limit)), totals: totals))
    }

    func add(pages nextPage: () -> [Job]) {}
    func begin() -> [String] { [] }
    func close(leaving rest: [Job]) -> RunEnd { RunEnd() }
    func subscribe(_ interest: Interest, wake: @escaping @Sendable () -> Void) -> any Subscription {
        let source = LocalSubscription.Source(
            rows: { [weak self] in self?.snapshots(of: $0) ?? [] },
            figures: { [weak self] in self?.figures(of: $0) ?? [] }, progress: { _ in [] })
        let subscription = LocalSubscription(interest, source: source, wake: wake)
        state.change { $0.subscriptions.append(subscription) }
        return subscription
    }
    func writeBody(of id: UInt64, to path: String) -> Result<Int, TransferFailure> {
        state.change { $0.written.append(path) }
        return .success(0)
    }
    func changeURL(of id: UInt64, to url: String, from client: UInt64) -> Result<Int64?, TransferFailure> {
        .success(0)
    }
    func moveFile(
        of id: UInt64, to typed: String, isUndo: Bool, from client: UInt64
    ) -> Result<String?, TransferFailure> { .success(typed) }
    func deleteFiles(of ids: [UInt64]) -> [TransferFailure] { [] }
    func removeLeftovers(_ paths: [String]) -> (line: SafeText, complaints: [SafeText]) { ("Removed", []) }
    func fileToView(of id: UInt64) -> ViewableFile? {
        waitUntilFree()
        return nil
    }
}
