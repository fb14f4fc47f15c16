import CLinux
import SessionSupport

/// A look at what the system grants the program, before anything begins.
enum Resources {
    /// The reason why the program cannot begin with what it is granted.
    struct Shortage: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// The address space, beside what the program takes by itself, without which threads, libraries and a few transfers
    /// have no room: an allocation that fails in the middle of them ends the process with a signal.
    private static let leastFreeAddressSpace: Int64 = 256 << 20
    /// The threads that a run has at one time: the loop's and four for its disk, those of the store, of signals and of
    /// output, and some that run closures.
    ///
    /// A queue that gets none waits for one without an end.
    private static let leastThreads = 12
    /// The descriptors for the most transfers at once that anybody asks for; more only slow down the programs that hooks
    /// start and that close every number.
    private static let wantedDescriptors: Int64 = 65_536

    /// Asks for as many descriptors as are worth having, and throws when there is too little of something else.
    static func prepare() throws(Shortage) {
        // With fewer descriptors fewer transfers run at once.
        _ = cl_raise_descriptor_limit(wantedDescriptors)
        let addressSpace = cl_address_space_limit()
        try checkAddressSpace(addressSpace, inUse: cl_address_space_in_use())
        if addressSpace < .max { cl_share_arenas() }
        try checkThreads()
    }

    static func checkAddressSpace(_ limit: Int64, inUse: Int64) throws(Shortage) {
        let needed = inUse + leastFreeAddressSpace
        guard limit < needed else { return }
        throw Shortage(description: ProgramErrors.addressSpace(limit >> 20, needed: needed >> 20))
    }

    /// Has so many threads at one time.
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
