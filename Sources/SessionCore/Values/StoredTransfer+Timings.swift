extension StoredTransfer {
    /// The steps of the attempt that a transfer ended with, in seconds since it began; zero for one that did not happen.
    public struct Timings: Sendable, Equatable {
        /// Until the name was resolved.
        public var nameLookup: Double
        /// Until the connection was established.
        public var connect: Double
        /// Until the TLS handshake was complete.
        public var secureConnect: Double
        /// Until the request was sent.
        public var requestSent: Double
        /// Until the first byte of the response.
        public var firstByte: Double
        /// The attempt's whole length.
        public var total: Double

        /// The steps of an attempt; nil when there was none.
        public init?(_ metrics: TransferMetrics) {
            guard metrics.total > 0 else { return nil }
            nameLookup = metrics.nameLookup
            connect = metrics.connect
            secureConnect = metrics.secureConnect
            requestSent = metrics.requestSent
            firstByte = metrics.firstByte
            total = metrics.total
        }

        /// Metrics that know these steps and nothing else.
        public var metrics: TransferMetrics {
            var metrics = TransferMetrics()
            metrics.nameLookup = nameLookup
            metrics.connect = connect
            metrics.secureConnect = secureConnect
            metrics.requestSent = requestSent
            metrics.firstByte = firstByte
            metrics.total = total
            return metrics
        }
    }
}

extension StoredTransfer.Timings {
    /// The steps as the store keeps them: whole microseconds between blanks.
    var text: String {
        [nameLookup, connect, secureConnect, requestSent, firstByte, total]
            .map { String(Int64(($0 * 1e6).rounded())) }.joined(separator: " ")
    }

    /// Reads what ``text`` has written; nil for anything else.
    init?(text: String) {
        let steps = text.split(separator: " ").compactMap { Int64($0) }.map { Double($0) / 1e6 }
        guard steps.count == 6 else { return nil }
        var metrics = TransferMetrics()
        (metrics.nameLookup, metrics.connect, metrics.secureConnect) = (steps[0], steps[1], steps[2])
        (metrics.requestSent, metrics.firstByte, metrics.total) = (steps[3], steps[4], steps[5])
        self.init(metrics)
    }
}
