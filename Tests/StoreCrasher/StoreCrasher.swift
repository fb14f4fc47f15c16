import Foundation
import SessionCore

/// Fills a persistent session and says what was acknowledged, a line each, until somebody kills it.
///
/// Arguments: the store's folder and the first number to use. Of three tasks one stays, one is cancelled, one removed.
@main
enum StoreCrasher {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let first = Int(arguments[2]) else { exit(2) }
        var configuration = SessionConfiguration.persistent(identifier: "test")
        configuration.storeFolder = arguments[1]
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        if let error = manager.storeError { throw error }
        // Bounded, so that it ends also when nobody kills it.
        for number in first..<first + 20_000 {
            let request = TransferRequest(url: "http://127.0.0.1:1/\(number)")
            let task = try manager.dataTask(with: request, completionHandler: nil)
            try await manager.flushStore()
            say("added", number)
            switch number % 3 {
            case 1:
                task.cancel()
                _ = await task.completion()
                say("cancelled", number)
            case 2:
                manager.removeStored(task.id)
                try await manager.flushStore()
                say("removed", number)
            default:
                break
            }
        }
        await manager.close()
    }

    private static func say(_ word: String, _ number: Int) {
        FileHandle.standardOutput.write(Data("\(word) \(number)\n".utf8))
    }
}
