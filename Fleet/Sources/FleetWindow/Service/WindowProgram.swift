package import FleetQueue
internal import Foundation
internal import ServiceWire
internal import SessionSupport
internal import TransferService

/// The program that shows a queue to ordinary dashboards, on the socket of a session.
///
/// It ends with a signal, or when a client stops the service; jobs and workers go on.
package enum WindowProgram {
    package static let usualSession = "fleet"

    package static func run(
        _ address: QueueAddress, session: String, environment: [String: String],
        say: @escaping @Sendable (String) -> Void
    ) throws(FleetError) {
        guard let socket = ServiceSocket.ofSession(session, environment: environment) else {
            throw FleetError(.usage, WindowLines.badSession(PostgresText.printable(session)))
        }
        let orders = try SignalOrders()
        let isStopped = Locked(false)
        let bell = try Bell()
        let service = try FleetService(address)
        let listener = try listen(service, at: socket, session: session) {
            isStopped.withLock { $0 = true }
            bell.ring()
        }
        for sentence in service.begin() { say(sentence) }
        say(WindowLines.ready(session: session, path: socket.path))
        while orders.order(else: .work) == .work, !isStopped.withLock({ $0 }) {
            FleetClock.wait(for: [orders.descriptor, bell.descriptor])
            bell.clear()
        }
        service.close()
        listener.close()
    }

    private static func listen(
        _ service: FleetService, at socket: ServiceSocket, session: String, onStop: @escaping @Sendable () -> Void
    ) throws(FleetError) -> ServiceListener {
        let welcome = Welcome(
            program: Product.version, process: ProcessInfo.processInfo.processIdentifier, session: session,
            directory: FileManager.default.currentDirectoryPath, selects: true)
        do throws(ServiceSocket.Problem) {
            return try ServiceListener(service, at: socket, welcome: welcome, onStop: onStop)
        } catch {
            let text = error == .inUse ? WindowLines.inUse(PostgresText.printable(session)) : error.sentence
            throw FleetError(.file, PostgresText.printable(text))
        }
    }
}
