/// The interface through which attempts reach their transfer.
extension Transfer: AttemptOwner {
    var firstRequest: TransferRequest { description.request }

    var hasReusedConnection: Bool { figures.metrics.reusedConnection }

    var isPaced: Bool { core.pace.isActive }

    func hasMoved(_ direction: Pace.Direction, _ count: Int64, _ attempt: Attempt) {
        guard let portion = core.pace.hasMoved(direction, count, id) else { return }
        attempt.pacing.latestPortion = portion
    }

    func isCurrent(_ socket: SocketName) -> Bool { core.name(of: socket.number) == socket }

    func made(_ socket: Int32) -> SocketName { core.madeSocket(socket) }

    func locate(_ attempt: Attempt) { core.locate(attempt) }

    func bytesInFlight(for attempt: Attempt) -> Int64 { core.bytesInFlight(for: attempt) }
}
