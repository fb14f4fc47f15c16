import CLinux
import SessionSupport

/// Checks the system's limits before the run.
enum Resources {
    /// The reason why the limits are too low.
    struct Shortage: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// The address space that threads, libraries and a few transfers need beyond the program's own: an allocation that
    /// fails in the middle of them ends the process with a signal.
    private static let leastFreeAddressSpace: Int64 = 256 << 20
    /// A run's concurrent threads: the loop's and four for its disk, the ones of the store, of signals and of output,
    /// and some that run closures.
    ///
    /// A queue without a thread waits for one without an end: with six to eight threads libdispatch lacked the next one
    /// and slept.
    private static let leastThreads = 12
    /// Enough descriptors for the highest useful concurrency; more only slow down hook programs that close every
    /// number.
    private static let wantedDescriptors: Int64 = 65_536

    /// Raises the descriptor limit, and throws when another limit is too low.
    ///
    /// A command that only speaks with a service has few threads, and does not wait for the check of a run's.
    static func prepare(forTransfers: Bool) throws(Shortage) {
        // With fewer descriptors fewer transfers run at once.
        _ = cl_raise_descriptor_limit(wantedDescriptors)
        let addressSpace = cl_address_space_limit()
        try checkAddressSpace(addressSpace, inUse: cl_address_space_in_use())
        if addressSpace < .max { cl_share_arenas() }
        if forTransfers { try checkThreads() }
    }

    static func checkAddressSpace(_ limit: Int64, inUse: Int64) throws(Shortage) {
        let needed = inUse + leastFreeAddressSpace
        guard limit < needed else { return }
        throw Shortage(description: ProgramErrors.addressSpace(limit >> 20, needed: needed >> 20))
    }

    /// Starts this many concurrent threads, and throws if it cannot.
    private static func checkThreads() throws(Shortage) {
        let mayEnd = Monitor(false)
        var threads: [SystemThread] = []
        var refusal: Int32?
        while threads.count < leastThreads, refusal == nil {
            do throws(SystemThread.Refusal) {
                threads.append(
                    try SystemThread.start(name: "netdash-check") {
                        mayEnd.wait { $0 ? () : nil }
                    })
            } catch {
                refusal = error.number
            }
        }
        mayEnd.change { $0 = true }
        for thread in threads { thread.join() }
        guard let refusal else { return }
        throw Shortage(description: ProgramErrors.threads(SystemWords.text(refusal)))
    }
}
