import CLinux
import Glibc

/// Starts detached threads that block every signal, so that signals stay with the thread that reads them.
enum WorkerThread {
    /// Carries a closure through C; consumed by the new thread.
    private final class Box: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Runs `body` on a new thread.
    ///
    /// Returns 0 or an error number.
    static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(name: name, body: body))
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let box = Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
                cl_block_all_signals()
                cl_name_thread(box.name)
                box.body()
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            box.release()
            return result
        }
        return pthread_detach(thread)
    }
}
