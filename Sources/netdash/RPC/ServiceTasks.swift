import AriaRPC
import Dashboard
import SessionSupport
import TransferService

/// The tasks of a service as aria2's interface asks for them.
final class ServiceTasks: AriaTasks, TransferObserver {
    let interest = Interest.least
    private let service: LocalService
    private let configured: Locked<(TransferLimits, RatePlan)>

    /// - Parameter settings: the limits before anything changes them.
    init(_ service: LocalService, _ settings: ServiceSettings) {
        self.service = service
        configured = Locked(
            (TransferLimits(all: settings.maximumConcurrent, perHost: settings.maximumPerHost), settings.rates))
    }

    func receive(_ notice: TransferNotice) {
        if case .configured(let limits, let plan) = notice { configured.withLock { $0 = (limits, plan) } }
    }

    var limits: (TransferLimits, RatePlan) { configured.withLock { $0 } }

    func ids() -> [UInt64] { if case .ids(let ids) = service.answer(.ids) { ids } else { [] } }
    func ids(after id: UInt64, limit: Int) -> [UInt64] {
        if case .rows(let rows) = service.answer(.page(after: id, limit: limit)) { rows.map(\.id) } else { [] }
    }
    func standings() -> [RowStanding] { service.standings }
    func figures(of ids: [UInt64]) -> [RowFigures] { service.figures(of: ids) }
    func rows(of ids: [UInt64]) -> [RowSnapshot] { service.snapshots(of: ids) }
    func jobs(of ids: [UInt64]) -> [Job] { service.jobs(of: ids) }
    func details(of id: UInt64) -> RowDetails? { service.details(of: id) }
    func path(of id: UInt64) -> String? { service.path(of: id) }
    func connections(of ids: [UInt64]) -> [UInt64: Int] { service.connectionCounts(of: ids) }

    func send(_ command: TransferCommand) -> AriaReply {
        let reply = service.send(command)
        return AriaReply(
            added: reply.added, repeated: reply.repeated, refusals: reply.refusals.map(\.reason.string))
    }
}
