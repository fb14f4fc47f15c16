import SessionSupport
package import TransferService

/// The end of a service that a client stops.
extension RemoteService {
    /// How a service ended that a client has stopped.
    package enum StopOutcome: Sendable, Equatable {
        /// None ran.
        case absent
        case saved
        /// Changes are lost, because of this.
        case unsaved(SafeText)
    }

    /// Ends the service of a session, whatever its version, and waits until it has saved what it can.
    package static func stop(
        at socket: ServiceSocket, program: String, patience: Int64 = stopPatience
    ) throws(LinkFailure) -> StopOutcome {
        try ServiceLink.stop(socket, program: program, patience: patience)
    }

    /// Ends the service and what it runs, and waits until that is saved; returns false where the connection is lost.
    package func stop() -> Bool {
        state.withLock { $0.isStopping = true }
        guard request(.stop) != nil else { return false }
        return state.wait(timeoutMilliseconds: Self.stopPatience) { !$0.isConnected }
    }

    /// The end of a service that this client has stopped: what is lost, if anything is.
    func stoppedEnd() -> RunEnd {
        var end = RunEnd()
        guard let unsaved = state.withLock(\.link).unsaved else { return end }
        (end.closing, end.complaints, end.unsaved) = ([WireLines.lostChanges(unsaved)], [unsaved], unsaved)
        return end
    }
}
