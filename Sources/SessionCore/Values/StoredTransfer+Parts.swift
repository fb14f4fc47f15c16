extension StoredTransfer {
    /// What was last asked of a transfer.
    public enum Wanted: String, Sendable, CaseIterable {
        /// Resumed: it runs, or waits for its turn.
        case running
        /// Never resumed, or suspended.
        case paused
    }

    /// Where a response body goes.
    public enum Destination: Sendable, Equatable {
        /// To the caller.
        case memory
        /// To a temporary file whose place is asked for at the end.
        case staged
        /// To a folder.
        case target(DownloadTarget)
    }

    /// How far a transfer is.
    public enum Standing: Sendable, Equatable {
        /// Next: finishing for a download, or one of the three ends.
        case unfinished
        /// The part is whole and about to get its name: next is one of the three ends.
        ///
        /// After a crash the file's identity tells whether it got there.
        case finishing(FinishingFile)
        /// Ended well. Final.
        case completed
        /// Ended badly, with the error's kind and sentence. Final.
        case failed(SessionError.Code, message: String)
        /// Cancelled. Final.
        case cancelled

        /// Whether nothing will change any more.
        public var isFinal: Bool {
            switch self {
            case .unfinished, .finishing: false
            case .completed, .failed, .cancelled: true
            }
        }
    }

    /// The file a part is about to become.
    public struct FinishingFile: Sendable, Equatable {
        /// The path it is to have.
        public var path: String
        /// The device it lies on.
        public var device: UInt64
        /// Its number there, which a rename does not change.
        public var inode: UInt64

        /// A file from its parts.
        public init(path: String, device: UInt64, inode: UInt64) {
            self.path = path
            self.device = device
            self.inode = inode
        }
    }

    /// Body bytes, as ``TaskStatus`` counts them.
    public struct Counts: Sendable, Equatable {
        /// Bytes received.
        public var received: Int64
        /// Bytes sent.
        public var sent: Int64
        /// The response body's length; nil while unknown.
        public var expectedToReceive: Int64?
        /// The request body's length; nil while unknown.
        public var expectedToSend: Int64?

        /// Counts from their parts.
        public init(
            received: Int64 = 0, sent: Int64 = 0, expectedToReceive: Int64? = nil, expectedToSend: Int64? = nil
        ) {
            self.received = received
            self.sent = sent
            self.expectedToReceive = expectedToReceive
            self.expectedToSend = expectedToSend
        }

        init(_ status: TaskStatus) {
            self.init(
                received: status.received, sent: status.sent, expectedToReceive: status.expectedToReceive,
                expectedToSend: status.expectedToSend)
        }
    }
}
