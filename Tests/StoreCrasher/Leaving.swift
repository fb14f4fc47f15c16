import SessionCore

/// Calls `exit()` while a session works, in the middle of some transfers of one URL.
///
/// The second half of them goes on during the exit: a handler that has its turn late waits for it, as any slow clean-up
/// of a program would.
enum Leaving {
    private static let half = 4
    private static let ended = DispatchSemaphore(value: 0)

    static func run(url: String) throws {
        // Handlers run in the opposite order: whatever the library registers has its turn before this one.
        atexit { Leaving.waitForHalf() }
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 1
        configuration.maximumConcurrentTransfersPerHost = 2
        let manager = SessionManager(configuration: configuration)
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
        var anybody = SecurityPolicy.default
        (anybody.allowsInvalidCertificates, anybody.validatesDomainName) = (true, false)
        manager.securityPolicy = anybody
        manager.onComplete = { _, _ in Leaving.ended.signal() }
        for _ in 0..<2 * half { try manager.dataTask(with: TransferRequest(url: url), completionHandler: nil).resume() }
        waitForHalf()
        exit(0)
    }

    /// Bounded, so that a session that stands still is no test that hangs.
    private static func waitForHalf() {
        for _ in 0..<half where ended.wait(timeout: .now() + 20) == .timedOut { _exit(3) }
    }
}
