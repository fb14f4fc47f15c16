import Foundation
import SessionCore
import SessionSupport

/// Fetches the checksum files that publishers put beside their downloads.
///
/// It has its own session, so that its requests are neither rows nor saved. A folder's checksum list is requested once
/// per run; further callers wait for that response. Safe from any thread.
final class ChecksumFinder: Sendable {
    /// The size in bytes beyond which a text is no list of checksums.
    private static let textLimit = 4 << 20

    /// The state of a folder's checksum list.
    private enum Known: Sendable {
        case asked([@Sendable (String?) -> Void])
        case text(String?)
    }

    private struct State: Sendable {
        var manager: SessionManager?
        var isClosed = false
        var lists: [String: Known] = [:]
    }

    private let configuration: SessionConfiguration
    private let state = Locked(State())

    /// Creates a finder whose requests use a configuration without its saved session.
    init(_ configuration: SessionConfiguration) {
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
        guard candidate.isList else { return fetch(candidate.url, request, done) }
        let known: Known? = state.withLock { state in
            let known = state.lists[candidate.url]
            switch known {
            case nil: state.lists[candidate.url] = .asked([done])
            case .asked(let others): state.lists[candidate.url] = .asked(others + [done])
            case .text: break
            }
            return known
        }
        switch known {
        case .text(let text): done(text)
        case .asked: break
        case nil:
            fetch(candidate.url, request) { [self] text in
                let waiting = state.withLock { state in
                    defer { state.lists[candidate.url] = .text(text) }
                    if case .asked(let waiting) = state.lists[candidate.url] { return waiting }
                    return []
                }
                for done in waiting { done(text) }
            }
        }
    }

    private func fetch(
        _ url: String, _ request: (String) -> TransferRequest?, _ done: @escaping @Sendable (String?) -> Void
    ) {
        guard let request = request(url), let manager = openManager() else { return done(nil) }
        do throws(SessionError) {
            let task = try manager.dataTask(with: request) { head, body, error in
                let isThere = error == nil && head?.statusCode == 200
                done(isThere ? (body as? Data).map { String(decoding: $0, as: UTF8.self) } : nil)
            }
            task.resume()
        } catch {
            done(nil)
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
