import CLinux
import Foundation

/// Brings jobs into a session beside the first frame, which thousands of them must not delay.
enum JobLoader {
    /// From so many jobs on, what reading them took is worth giving back.
    private static let longList = 5_000
    /// When the rows of a long list have reached the screen's own lists.
    private static let settlingTime = DispatchTimeInterval.seconds(3)

    /// Adds the jobs on a thread of its own.
    static func load(_ jobs: JobList, into bridge: SessionBridge) {
        let queue = DispatchQueue(label: "netdash.adding")
        queue.async {
            let all = jobs.take()
            bridge.add(all)
            guard all.count >= longList else { return }
            queue.asyncAfter(deadline: .now() + settlingTime) { cl_release_free_memory() }
        }
    }
}
