import SessionCore

/// Fills a session and says what was acknowledged, a line each, until somebody kills the program.
///
/// Of three tasks one stays, one is cancelled, one removed.
enum Filling {
    static func run(store: String, first: Int) async throws {
        let manager = try StoreCrasher.manager(store: store)
        // Bounded, so that it ends also when nobody kills it.
        for number in first..<first + 20_000 {
            let request = TransferRequest(url: "http://127.0.0.1:1/\(number)")
            let task = try manager.dataTask(with: request, completionHandler: nil)
            try await manager.store.flush()
            say("added", number)
            switch number % 3 {
            case 1:
                task.cancel()
                _ = await task.completion()
                say("cancelled", number)
            case 2:
                manager.store.remove(task.id)
                try await manager.store.flush()
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
