import CLinux
import Glibc

/// Starts plain threads: named, detached and deaf to signals, so that signals reach the thread that reads them.
enum LoopThread {
    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Runs `body` on a new thread.
    ///
    /// Throws when the system refuses one.
    static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SessionError) {
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let result = pthread_create(&thread, nil, loopThreadMain, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw SessionError(
                .internal, "No thread can be started: \(String(cString: strerror(result)))", errno: result)
        }
        pthread_detach(thread)
    }

    fileprivate static func run(_ context: UnsafeMutableRawPointer) {
        let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        cl_block_all_signals()
        cl_name_thread(start.name)
        start.body()
    }
}

private nonisolated func loopThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { LoopThread.run(context) }
    return nil
}
