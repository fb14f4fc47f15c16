import Glibc

/// Writes one response as its script says.
///
/// Confined to the connection's thread.
struct ResponseWriter {
    private static let block = 262_144

    private let descriptor: Int32
    private let writer: SocketWriter

    init(descriptor: Int32, writer: SocketWriter) {
        self.descriptor = descriptor
        self.writer = writer
    }

    /// Sends head and body, and reports the body bytes sent so far after each block.
    ///
    /// - Parameters:
    ///   - withBody: false for a response to HEAD.
    ///   - closing: whether the request ends the connection after it.
    func write(
        _ response: ScriptedResponse, withBody: Bool, closing: Bool, sent: (Int64) -> Void
    ) throws(ConnectionEnd) {
        if let gate = response.gateBeforeHead { try pass(gate) }
        switch response.form {
        case .silence:
            throw .cut(response.delivery.cut?.manner ?? .close)
        case .raw:
            try deliver(response, chunk: nil, sent: sent)
        case .http:
            for interim in response.interim { try write(interim) }
            try writer.write(ResponseHead.bytes(of: response, closing: closing))
            if withBody, !Self.isBodiless(response.status) {
                try deliver(response, chunk: Self.chunkSize(response.framing), sent: sent)
            }
            if let gate = response.gateBeforeSurplus { try pass(gate) }
            try writer.flush(with: response.surplus)
        }
        try writer.flush()
    }

    /// Sends a short response of the server's own.
    func write(_ status: Int, reason: String) throws(ConnectionEnd) {
        let response = ScriptedResponse.text(reason + ".\n", status: status)
        try write(response, withBody: true, closing: true) { _ in }
    }

    /// Sends an interim response as often as it says.
    func write(_ interim: InterimResponse) throws(ConnectionEnd) {
        let bytes = ResponseHead.bytes(of: interim)
        for _ in 0..<max(0, interim.times) {
            guard interim.byteInterval > 0 else {
                try writer.write(bytes)
                continue
            }
            for byte in bytes {
                try writer.flush(with: [byte])
                usleep(interim.byteInterval)
            }
        }
        try writer.flush()
    }

    private func deliver(_ response: ScriptedResponse, chunk: Int?, sent: (Int64) -> Void) throws(ConnectionEnd) {
        let total = response.body.count
        var plan = DeliveryPlan(response.delivery, total: total, block: Self.block)
        var pacer = Pacer(bytesPerSecond: response.delivery.bytesPerSecond)
        var position: Int64 = 0
        var chunkEnd: Int64 = 0
        while true {
            switch plan.next(at: position) {
            case .stall(let gate):
                try pass(gate)
                pacer?.restart()
            case .cut(let manner):
                try writer.flush()
                throw .cut(manner)
            case .end:
                if chunk != nil { try writer.write(ResponseHead.lastChunk(response.trailers)) }
                return
            case .move(let limit):
                var limit = limit
                if let chunk {
                    if position == chunkEnd { chunkEnd = try beginChunk(at: position, size: chunk, total: total) }
                    limit = Int(min(Int64(limit), chunkEnd - position))
                }
                let count = try move(response.body, at: position, limit: limit)
                position += Int64(count)
                if chunk != nil, position == chunkEnd { try writer.write(ASCII.lineEnd) }
                sent(position)
                try pace(&pacer, count)
            }
        }
    }

    private func move(_ body: ServedBody, at position: Int64, limit: Int) throws(ConnectionEnd) -> Int {
        var end: ConnectionEnd?
        let count = body.withRun(at: position, limit: limit) { run in
            do throws(ConnectionEnd) { try writer.write(run) } catch { end = error }
            return run.count
        }
        if let end { throw end }
        // A body that ends before its own count would otherwise be read for ever.
        guard count > 0 else { throw .gone }
        return count
    }

    private func beginChunk(at position: Int64, size: Int, total: Int64) throws(ConnectionEnd) -> Int64 {
        let length = min(Int64(max(1, size)), total - position)
        try writer.write(String(length, radix: 16) + "\r\n")
        return position + length
    }

    private func pace(_ pacer: inout Pacer?, _ count: Int) throws(ConnectionEnd) {
        guard pacer != nil else { return }
        try writer.flush()
        if pacer?.pass(count, connection: descriptor) == false { throw .gone }
    }

    private func pass(_ gate: Gate) throws(ConnectionEnd) {
        try writer.flush()
        guard gate.pass(connection: descriptor) else { throw .gone }
    }

    private static func chunkSize(_ framing: Framing) -> Int? {
        guard case .chunked(let size) = framing else { return nil }
        return size
    }

    /// Returns whether a response of that status never has a body (RFC 9112, 6.3).
    static func isBodiless(_ status: Int) -> Bool {
        status < 200 || status == 204 || status == 304
    }
}
