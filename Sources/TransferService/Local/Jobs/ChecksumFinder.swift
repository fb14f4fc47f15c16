import Foundation
import SessionCore
import SessionSupport

/// Looks for the checksums that publishers lay beside their files.
///
/// With a session of its own, so that nothing of it is a row or stands in a saved session. A file for a whole folder is
/// asked for once in a run, and whoever wants it meanwhile waits for that. Safe from any thread.
final class ChecksumFinder: Sendable {
    /// Bytes beyond which a text is no list of checksums.
    private static let textLimit = 4 << 20

    /// What is known of a file for a whole folder.
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

    /// A finder whose requests go out as those of a session do.
    init(_ configuration: SessionConfiguration) {
        var configuration = configuration
        configuration.identifier = nil
        configuration.dataLimit = Self.textLimit
        self.configuration = configuration
    }

    /// Looks for the checksum of a download, and calls back with it, or with nil where there is none.
    ///
    /// `request` makes the request for another URL with everything that the download's options say; nil where it cannot.
    func find(
        _ job: Job, request: @escaping @Sendable (_ url: String) -> TransferRequest?,
        found: @escaping @Sendable (Job.Checksum?) -> Void
    ) {
        look(in: PublishedChecksum.places(beside: job.url)[...], request, found)
    }

    /// Ends what is under way; whoever waits hears that nothing was found.
    func close() {
        let manager = state.withLock { state in
            state.isClosed = true
            return state.manager
        }
        manager?.invalidate(cancellingTasks: true)
    }

    private func look(
        in places: ArraySlice<PublishedChecksum>, _ request: @escaping @Sendable (String) -> TransferRequest?,
        _ found: @escaping @Sendable (Job.Checksum?) -> Void
    ) {
        guard let place = places.first else { return found(nil) }
        text(of: place, request) { [self] text in
            if let known = text.flatMap({ place.checksum(in: $0) }) { return found(known) }
            look(in: places.dropFirst(), request, found)
        }
    }

    /// The text of a file; nil where there is none.
    private func text(
        of place: PublishedChecksum, _ request: (String) -> TransferRequest?,
        _ done: @escaping @Sendable (String?) -> Void
    ) {
        guard place.isList else { return fetch(place.url, request, done) }
        let known: Known? = state.withLock { state in
            let known = state.lists[place.url]
            switch known {
            case nil: state.lists[place.url] = .asked([done])
            case .asked(let others): state.lists[place.url] = .asked(others + [done])
            case .text: break
            }
            return known
        }
        switch known {
        case .text(let text): done(text)
        case .asked: break
        case nil:
            fetch(place.url, request) { [self] text in
                let waiting = state.withLock { state in
                    defer { state.lists[place.url] = .text(text) }
                    if case .asked(let waiting) = state.lists[place.url] { return waiting }
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
            // The main queue never runs here.
            manager.completionQueue = DispatchQueue(label: "netdash.checksums")
            manager.postsNotifications = false
            manager.responseSerializer = DataResponseSerializer()
            state.manager = manager
            return manager
        }
    }
}
