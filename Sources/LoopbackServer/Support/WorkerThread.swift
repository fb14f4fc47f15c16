import CLinux
import Glibc

/// A POSIX thread that runs one closure.
///
/// Every started thread must be joined once.
struct WorkerThread: Sendable {
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let handle: pthread_t

    /// Whether this is the thread that asks.
    var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

    /// Starts a thread with every signal blocked, so that signals go to the program's own threads.
    static func start(
        name: String, stackByteCount: Int, body: @escaping @Sendable () -> Void
    ) throws(ServerError) -> WorkerThread {
        var attributes = pthread_attr_t()
        var result = pthread_attr_init(&attributes)
        guard result == 0 else { throw ServerError(call: "pthread_attr_init", number: result) }
        defer { pthread_attr_destroy(&attributes) }
        result = pthread_attr_setstacksize(&attributes, stackByteCount)
        guard result == 0 else { throw ServerError(call: "pthread_attr_setstacksize", number: result) }
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        var handle = pthread_t()
        result = pthread_create(
            &handle, &attributes,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                cl_block_all_signals()
                cl_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        guard result == 0 else {
            start.release()
            throw ServerError(call: "pthread_create", number: result)
        }
        return WorkerThread(handle: handle)
    }

    /// Waits for the end of the thread.
    ///
    /// The thread itself is detached instead, because it cannot wait for itself.
    func join() {
        if isCurrent {
            pthread_detach(handle)
        } else {
            pthread_join(handle, nil)
        }
    }
}
