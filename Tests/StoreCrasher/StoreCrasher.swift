import SessionCore

/// Works with a session until it is killed, or leaves in the middle of the work.
///
/// The first argument says how; the second is the store's folder, or the URL of those who leave.
@main
enum StoreCrasher {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("fill", 3): try await Filling.run(store: arguments[1], first: Int(arguments[2]) ?? 0)
        case ("finish", 5):
            try await Finishing.run(
                store: arguments[1], url: arguments[2], folder: arguments[3], isStaged: arguments[4] == "staged")
        case ("stage", 4):
            try await Staging.run(store: arguments[1], url: arguments[2], pausesFirst: arguments[3] == "paused")
        case ("leave", 2): try Leaving.run(url: arguments[1])
        case ("download", 4):
            try await Downloading.run(url: arguments[1], folder: arguments[2], isStaged: arguments[3] == "staged")
        case ("download", 5):
            try await Downloading.run(
                url: arguments[1], folder: arguments[2], isStaged: arguments[3] == "staged",
                connections: Int(arguments[4]) ?? 1)
        default: exit(2)
        }
    }

    /// Opens the session `test` of a store.
    static func manager(store: String, _ handlers: SessionHandlers = SessionHandlers()) throws -> SessionManager {
        var configuration = SessionConfiguration.persistent(identifier: "test")
        configuration.storeFolder = store
        configuration.stagingFolder = store + "-staging"
        let manager = SessionManager(configuration: configuration, handlers: handlers)
        manager.postsNotifications = false
        if let error = manager.store.error { throw error }
        return manager
    }
}
