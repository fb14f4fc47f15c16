import Foundation
import SessionSupport
import Testing

@testable import SessionCore
@testable import SessionHTTP

/// What a setter replaces is released outside the lock: it may be the last reference to an object of the program's.
@Suite("Release of replaced objects", .timeLimit(.minutes(1)))
struct ReleasedObjectTests {
    /// Calls a closure when it is released.
    private final class Witness: TaskHandler {
        let onRelease: @Sendable () -> Void

        init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }

        deinit { onRelease() }
    }

    /// An object of each kind that a setter takes.
    private struct Kinds: RequestInterceptor, ResponseSerializer, ResponseCache, RequestSerializer {
        let witness: Witness
        var settings = RequestSettings()

        func serialize(head: ResponseHead?, data: Data) -> SerializedResponse { SerializedResponse() }
        func store(_ response: CachedResponse) {}
        func response(for request: TransferRequest) -> CachedResponse? { nil }
        func removeResponse(for request: TransferRequest) {}
        func body(
            of parameters: ParameterValue?, for request: TransferRequest
        ) throws(RequestSerializationError) -> EncodedBody? { nil }
    }

    enum Place: String, CaseIterable {
        case interceptors, serializer, chosenSerializer, cache, entries, reachability, requests, taskHandler
        case taskSerializer, pausing, resuming, cancelling
    }

    private let http = HTTPManager(manager: SessionManager(configuration: .default) { _ in ScriptedEngine() })
    private let progress = TransferProgress()

    /// Gives a property an object that only the property keeps.
    private func replace(_ place: Place, _ task: SessionTask, _ network: ReachabilityManager, with witness: Witness) {
        let manager = http.manager
        let kinds = Kinds(witness: witness)
        let closure: @Sendable () -> Void = { withExtendedLifetime(witness) {} }
        switch place {
        case .interceptors: manager.interceptors = [kinds]
        case .serializer: manager.responseSerializer = kinds
        case .chosenSerializer: manager.chosenSerializer = kinds
        case .cache: manager.responseCache = kinds
        case .entries: manager.onEntriesAdmitted = { _ in closure() }
        case .reachability: network.onStatusChange = { _ in closure() }
        case .requests: http.requestSerializer = kinds
        case .taskHandler: task.handler = witness
        case .taskSerializer: task.responseSerializer = kinds
        case .pausing: progress.pausingHandler = closure
        case .resuming: progress.resumingHandler = closure
        case .cancelling: progress.cancellationHandler = closure
        }
    }

    private func clear(_ place: Place, _ task: SessionTask, _ network: ReachabilityManager) {
        let manager = http.manager
        switch place {
        case .interceptors: manager.interceptors = []
        case .serializer: manager.responseSerializer = JSONResponseSerializer()
        case .chosenSerializer: manager.chosenSerializer = nil
        case .cache: manager.responseCache = nil
        case .entries: manager.onEntriesAdmitted = nil
        case .reachability: network.onStatusChange = nil
        case .requests: http.requestSerializer = HTTPRequestSerializer()
        case .taskHandler: task.handler = nil
        case .taskSerializer: task.responseSerializer = nil
        case .pausing: progress.pausingHandler = nil
        case .resuming: progress.resumingHandler = nil
        case .cancelling: progress.cancellationHandler = nil
        }
    }

    @Test("An object that a setter replaces may use its owner when it is released", arguments: Place.allCases)
    func replaced(_ place: Place) async throws {
        let task = try http.manager.dataTask(
            with: TransferRequest(url: "http://127.0.0.1/"), completionHandler: nil)
        let network = ReachabilityManager(source: ScriptedReachability(.none))
        let (log, http, progress) = (EventLog<String>(), http, progress)
        // On another thread: this one must not be the one that waits for ever.
        DispatchQueue.global().async {
            let use: @Sendable () -> Void = { [weak task] in
                // Each takes the lock that one of the setters has.
                _ = (http.manager.interceptors, http.requestSerializer, network.status, progress.isPaused)
                log.add("used \(task?.state.rawValue ?? "")")
            }
            replace(place, task, network, with: Witness(use))
            clear(place, task, network)
        }
        #expect(await log.wait(count: 1) == ["used suspended"])
        task.cancel()
        _ = await task.completion()
    }
}
