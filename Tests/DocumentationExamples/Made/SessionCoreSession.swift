// swift-format-ignore-file
// Made of Sources/SessionCore/Session; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfSession() async throws {
        let session = manager.session
        print(session.configuration.maximumConcurrentTransfers, session.isInvalidated)
        _ = session
    }
    mutating func exampleOfSessionNotification() async throws {
        let observer = NotificationCenter.default.addObserver(
            forName: .sessionTaskDidComplete, object: nil, queue: nil
        ) { notification in
            print(notification.userInfo?[SessionNotification.errorKey] ?? "ended well")
        }
        _ = observer
    }
}
