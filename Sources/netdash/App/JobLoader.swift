import Foundation

/// Brings jobs into a session beside the first frame, which thousands of them must not delay.
enum JobLoader {
    /// As many rows as a screen may show.
    private static let pageLength = 128
    /// How many jobs are made at once.
    private static let chunkLength = 4_096
    /// How long the first page has the processor for itself.
    private static let headStart = 0.02

    /// Adds the jobs on a thread of its own.
    static func load(_ jobs: JobList, into bridge: SessionBridge) {
        DispatchQueue(label: "netdash.adding").async {
            var count = 0
            bridge.add {
                let isFirst = count == 0
                // What follows would keep the first page from the screen.
                if count == pageLength { Thread.sleep(forTimeInterval: headStart) }
                let chunk = jobs.next(isFirst ? pageLength : chunkLength)
                count += chunk.count
                return chunk
            }
        }
    }
}
