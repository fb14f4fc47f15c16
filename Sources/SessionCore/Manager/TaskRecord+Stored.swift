import Support

/// Where a body goes, as a store knows it.
extension TaskRecord.Route {
    /// What of it can be stored; closures cannot.
    var storedDestination: StoredTransfer.Destination {
        switch self {
        case .body: .memory
        case .target(let target): .target(target)
        case .destination: .staged
        }
    }

    /// The way of a restored task, without closures.
    ///
    /// It may go on with the part it has begun, whatever it is to do about those of others.
    init(_ stored: StoredTransfer) {
        switch stored.destination {
        case .memory: self = .body(.memory)
        case .staged: self = .destination(nil)
        case .target(var target):
            if stored.wasStarted { target.adoptsPart = true }
            self = .target(target)
        }
    }
}

extension StoredTransfer {
    /// What a staged download needs to go on; one with a target finds its part by itself.
    func resumeData(for request: TransferRequest) -> ResumeData? {
        guard case .staged = destination, let partPath else { return nil }
        return ResumeData(url: request.url, headers: request.headers, partPath: partPath, target: nil)
    }
}

extension SessionTask {
    /// Takes over what is known of an earlier run, before anybody sees the task.
    func restore(_ stored: StoredTransfer) {
        mutable.withLock { $0.userDescription = stored.label }
        var status = TaskStatus()
        status.phase = stored.wanted == .running ? .queued : .paused
        status.received = stored.counts.received
        status.sent = 0
        status.expectedToReceive = stored.counts.expectedToReceive
        status.expectedToSend = stored.counts.expectedToSend
        control.publish(status)
    }
}
