// swift-format-ignore-file
// Made of Sources/SessionCore/Reachability; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfReachabilityManager() async throws {
        ReachabilityManager.shared.startMonitoring()
        for await status in ReachabilityManager.shared.statuses { print(status) }
    }
    mutating func exampleOfReachabilityStatus() async throws {
        let status = ReachabilityManager.shared.checkStatus()
        print(status == .notReachable ? "offline" : "online")
        _ = status
    }
    mutating func exampleOfReachabilityNotification() async throws {
        let observer = NotificationCenter.default.addObserver(
            forName: .reachabilityDidChange, object: nil, queue: nil
        ) { notification in
            print(notification.userInfo?[ReachabilityNotification.statusKey] ?? "unknown")
        }
        _ = observer
    }
}
