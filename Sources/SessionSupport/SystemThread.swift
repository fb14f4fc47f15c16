import CLinux
import Glibc

/// A named POSIX thread that runs one closure with all signals blocked, so that signals reach the thread that reads
/// them.
package struct SystemThread: Sendable {
    /// Carries a closure through C; consumed by the new thread.
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// The failure of a call that starts threads.
    package struct Refusal: Error {
        /// The C function.
        package let call: String
        /// Its result, an error number.
        package let number: Int32
    }

    private let handle: pthread_t

    /// True on the calling thread.
    package var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

    /// Runs `body` on a new detached thread.
    /// - Parameter name: shown by tools; 15 bytes at most are kept.
    package static func detach(name: String, _ body: @escaping @Sendable () -> Void) throws(Refusal) {
        let thread = try start(name: name, body)
        let result = pthread_detach(thread.handle)
        precondition(result == 0, "A thread that was just started cannot be detached: \(result)")
    }

    /// Runs `body` on a new thread, which must be joined once.
    /// - Parameters:
    ///   - name: shown by tools; 15 bytes at most are kept.
    ///   - stackByteCount: the size of its stack; nil for the system's.
    package static func start(
        name: String, stackByteCount: Int? = nil, _ body: @escaping @Sendable () -> Void
    ) throws(Refusal) -> SystemThread {
        var attributes = pthread_attr_t()
        try check(pthread_attr_init(&attributes), "pthread_attr_init")
        defer { pthread_attr_destroy(&attributes) }
        if let stackByteCount {
            try check(pthread_attr_setstacksize(&attributes, stackByteCount), "pthread_attr_setstacksize")
        }
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var handle = pthread_t()
        let result = pthread_create(&handle, &attributes, runStart, start.toOpaque())
        if result != 0 { start.release() }
        try check(result, "pthread_create")
        return SystemThread(handle: handle)
    }

    /// Waits for the end of the thread.
    ///
    /// A call on the thread itself detaches it, because it cannot wait for itself.
    package func join() {
        if isCurrent {
            pthread_detach(handle)
        } else {
            pthread_join(handle, nil)
        }
    }

    private static func check(_ result: Int32, _ call: String) throws(Refusal) {
        guard result == 0 else { throw Refusal(call: call, number: result) }
    }

    fileprivate static func run(_ context: UnsafeMutableRawPointer) {
        let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        cl_block_all_signals()
        cl_name_thread(start.name)
        start.body()
    }
}

private nonisolated func runStart(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { SystemThread.run(context) }
    return nil
}
