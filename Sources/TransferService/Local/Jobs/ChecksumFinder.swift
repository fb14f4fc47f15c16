import Foundation
import SessionCore
import SessionSupport

/// Fetches the checksum files that publishers put beside their downloads.
///
/// It has its own session, so that its requests are neither rows nor saved. A folder's checksum list is requested once
/// for all who look for it at the same time or within a minute: a publisher may replace it. Safe from any thread.
final class ChecksumFinder: Sendable {
    /// The size in bytes beyond which a text is no list of checksums.
    private static let textLimit = 4 << 20
    /// The milliseconds for which a folder's list counts, or that there is none.
    private static let validity: Int64 = 60_000

    /// The response to a request for a file.
    private enum Found: Sendable {
        case text(String)
        case nothing
        /// Another try may find it.
        case failure

        var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    /// The state of a folder's checksum list.
    private enum Known: Sendable {
        case asked([@Sendable (String?) -> Void])
        case found(Found, until: Int64)
    }

    private struct State: Sendable {
        var manager: SessionManager?
        var isClosed = false
        var lists: [String: Known] = [:]

        /// The list of an earlier response that counts at a moment.
        mutating func list(at url: String, now: Int64) -> Known? {
            lists = lists.filter { if case .found(_, let end) = $0.value { now < end } else { true } }
            return lists[url]
        }
    }

    private let configuration: SessionConfiguration
    private let clock: @Sendable () -> Int64
    private let state = Locked(State())

    /// Creates a finder whose requests use a configuration without its saved session.
    ///
    /// - Parameter clock: the milliseconds since a fixed moment.
    init(
        _ configuration: SessionConfiguration, clock: @escaping @Sendable () -> Int64 = { MonotonicClock.milliseconds }
    ) {
        self.clock = clock
        var configuration = configuration
        configuration.identifier = nil
        configuration.dataLimit = Self.textLimit
        self.configuration = configuration
    }

    /// Looks up the checksum of a download and calls back with it, or with nil.
    ///
    /// `request` makes the request for another URL with all options of the download; nil where it cannot.
    func find(
        _ job: Job, request: @escaping @Sendable (_ url: String) -> TransferRequest?,
        found: @escaping @Sendable (Job.Checksum?) -> Void
    ) {
        look(in: PublishedChecksum.candidates(beside: job.url)[...], request, found)
    }

    /// Ends what runs; waiting callers get nil.
    func close() {
        let manager = state.withLock { state in
            state.isClosed = true
            return state.manager
        }
        manager?.invalidate(cancellingTasks: true)
    }

    private func look(
        in candidates: ArraySlice<PublishedChecksum>, _ request: @escaping @Sendable (String) -> TransferRequest?,
        _ found: @escaping @Sendable (Job.Checksum?) -> Void
    ) {
        guard let candidate = candidates.first else { return found(nil) }
        text(of: candidate, request) { [self] text in
            if let known = text.flatMap({ candidate.checksum(in: $0) }) { return found(known) }
            look(in: candidates.dropFirst(), request, found)
        }
    }

    /// Calls back with the text of a file, or with nil.
    private func text(
        of candidate: PublishedChecksum, _ request: (String) -> TransferRequest?,
        _ done: @escaping @Sendable (String?) -> Void
    ) {
        guard candidate.isList else { return fetch(candidate.url, request) { done($0.text) } }
        let known: Known? = state.withLock { state in
            let known = state.list(at: candidate.url, now: clock())
            switch known {
            case nil: state.lists[candidate.url] = .asked([done])
            case .asked(let others): state.lists[candidate.url] = .asked(others + [done])
            case .found: break
            }
            return known
        }
        switch known {
        case .found(let found, _): done(found.text)
        case .asked: break
        case nil:
            fetch(candidate.url, request) { [self] found in
                for done in keep(found, of: candidate.url) { done(found.text) }
            }
        }
    }

    /// Keeps what was found for a while; returns who waits for it.
    private func keep(_ found: Found, of url: String) -> [@Sendable (String?) -> Void] {
        state.withLock { state in
            let asked = state.lists.removeValue(forKey: url)
            switch found {
            case .text, .nothing: state.lists[url] = .found(found, until: clock() + Self.validity)
            case .failure: break
            }
            if case .asked(let waiting) = asked { return waiting }
            return []
        }
    }

    private func fetch(
        _ url: String, _ request: (String) -> TransferRequest?, _ done: @escaping @Sendable (Found) -> Void
    ) {
        guard let request = request(url), let manager = openManager() else { return done(.failure) }
        do throws(SessionError) {
            let task = try manager.dataTask(with: request) { head, body, error in
                let text = (body as? Data).map { String(decoding: $0, as: UTF8.self) }
                done(Self.found(head?.statusCode, text, error))
            }
            task.resume()
        } catch {
            done(.failure)
        }
    }

    private static func found(_ status: Int?, _ text: String?, _ error: (any Error)?) -> Found {
        if let error { return (error as? SessionError)?.code == .bodyTooLarge ? .nothing : .failure }
        switch status {
        case 200: return text.map { .text($0) } ?? .failure
        // Another download may have credentials that this one lacks, and another moment more luck.
        case 401, 407, 408, 425, 429: return .failure
        // A store of objects answers 403 for a missing one.
        case .some(400...499): return .nothing
        default: return .failure
        }
    }

    private func openManager() -> SessionManager? {
        state.withLock { state in
            if state.isClosed { return nil }
            if let manager = state.manager { return manager }
            let manager = SessionManager(configuration: configuration)
            // This program never runs the main queue.
            manager.completionQueue = DispatchQueue(label: "netdash.checksums")
            manager.postsNotifications = false
            manager.responseSerializer = DataResponseSerializer()
            state.manager = manager
            return manager
        }
    }
}
