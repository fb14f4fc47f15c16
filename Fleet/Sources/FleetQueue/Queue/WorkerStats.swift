internal import Foundation

/// What a worker says of itself with each beat, for `status` and windows.
package struct WorkerStats: Codable, Equatable, Sendable {
    package var running: Int
    package var ready: Int
    package var done: Int
    /// The failed attempts that the queue has counted.
    package var failed: Int
    /// Why it claims nothing; nil while it works.
    package var obstacle: String?

    package init(running: Int = 0, ready: Int = 0, done: Int = 0, failed: Int = 0, obstacle: String? = nil) {
        (self.running, self.ready, self.done, self.failed) = (running, ready, done, failed)
        self.obstacle = obstacle
    }

    /// As JSON; without the sentence where the database could not store it.
    var json: String {
        var stored = self
        stored.obstacle = obstacle.map { PostgresText.printable($0) }
        return (try? JSONEncoder().encode(stored)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
