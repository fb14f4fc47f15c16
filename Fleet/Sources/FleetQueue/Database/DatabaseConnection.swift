internal import CPostgres
internal import Glibc

/// A connection to PostgreSQL, for one thread.
///
/// A class because it owns libpq's connection. No call waits without a limit: after it the connection counts as lost.
package final class DatabaseConnection {
    private let handle: OpaquePointer
    /// The longest wait for an answer, in seconds.
    private let patience: Int
    /// What is done while an answer is awaited, each time when a descriptor can be read; nil for nothing.
    package var pastime: (descriptors: [Int32], work: () -> Void)?
    /// What is done once an answer has been awaited for some seconds; nil for nothing.
    package var silence: Silence?
    /// When the statement was sent whose answer is awaited, and whether its silence was told.
    private var (sentAt, isSilent) = (0.0, false)

    /// A wait for an answer that has become long.
    package struct Silence {
        let seconds: Double
        /// Tells it, once for each statement.
        let tell: () -> Void
        /// Whether the answer is worth no further wait: then the connection counts as lost.
        let givesUp: () -> Bool
    }

    /// Connects; an error's text has neither the address nor a password.
    package init(
        _ address: QueueAddress, role: String, patience: Int = 60, connectionPatience: Int = 10
    ) throws(FleetError) {
        guard PQlibVersion() >= 120_000 else { throw FleetError(.refused, QueueErrors.oldLibrary) }
        // What the address says itself wins over the values before it.
        let settings = [
            ("fallback_application_name", "netdash-fleet " + role), ("client_encoding", "UTF8"),
            ("connect_timeout", "\(connectionPatience)"), ("tcp_user_timeout", "30000"), ("keepalives_idle", "30"),
            ("dbname", address.text),
        ]
        let keywords = settings.map { strdup($0.0) }
        let values = settings.map { strdup($0.1) }
        defer { (keywords + values).forEach { free($0) } }
        let opened = PQconnectdbParams(
            keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
        guard let opened else { throw FleetError(.away, QueueErrors.away(QueueErrors.noMemory)) }
        guard PQstatus(opened) == CONNECTION_OK else {
            let reason = PostgresText.printable(String(cString: PQerrorMessage(opened)))
            PQfinish(opened)
            throw FleetError(.away, QueueErrors.away(reason))
        }
        handle = opened
        self.patience = patience
        // Notices would be written to standard error, over the lines of the program.
        PQsetNoticeProcessor(opened, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    /// The socket, for `poll`.
    package var descriptor: Int32 { PQsocket(handle) }

    /// The process of the server as the connection's start has named it; a pooler names another one.
    var serverProcess: Int64 { Int64(PQbackendPID(handle)) }

    /// Runs a statement with parameters in text form; nil is NULL.
    @discardableResult
    package func run(_ statement: String, _ parameters: [String?] = []) throws(FleetError) -> DatabaseResult {
        let texts = parameters.map { $0.flatMap { strdup($0) } }
        defer { texts.forEach { free($0) } }
        (sentAt, isSilent) = (FleetClock.now(), false)
        let sent = PQsendQueryParams(
            handle, statement, Int32(texts.count), nil, texts.map { UnsafePointer($0) }, nil, nil, 0)
        guard sent == 1 else { throw lost() }
        return try finish()
    }

    /// Waits for the results of what was sent and returns the last one; the first error is thrown.
    private func finish() throws(FleetError) -> DatabaseResult {
        var last: DatabaseResult?
        var problem: FleetError?
        while let result = try next() {
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: last = DatabaseResult(result)
            case PGRES_COPY_IN, PGRES_COPY_OUT: return DatabaseResult(result)
            default:
                problem = problem ?? error(of: result)
                PQclear(result)
            }
        }
        if let problem { throw problem }
        guard let last else { throw lost() }
        return last
    }

    private func next() throws(FleetError) -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            try waitForAnswer()
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        return PQgetResult(handle)
    }

    private func waitForAnswer() throws(FleetError) {
        let end = FleetClock.now() + Double(patience)
        let descriptors = [descriptor] + (pastime?.descriptors ?? [])
        while true {
            let next = isSilent ? end : min(end, silence.map { sentAt + $0.seconds } ?? end)
            let left = Int(((next - FleetClock.now()) * 1000).rounded(.up))
            if Self.waitForInput(descriptors, milliseconds: left) {
                guard let pastime, Self.waitForInput(pastime.descriptors, milliseconds: 0) else { return }
                pastime.work()
                if Self.waitForInput([descriptor], milliseconds: 0) { return }
            }
            let now = FleetClock.now()
            guard now < end, !givesUp(at: now) else {
                throw FleetError(.away, QueueErrors.away(QueueErrors.noAnswer(seconds: Int(now - sentAt))))
            }
        }
    }

    /// Tells a long wait, and returns whether it ends here.
    private func givesUp(at now: Double) -> Bool {
        guard let silence, now >= sentAt + silence.seconds else { return false }
        if !isSilent {
            isSilent = true
            silence.tell()
        }
        return silence.givesUp()
    }

    private func error(of result: OpaquePointer) -> FleetError {
        guard PQstatus(handle) == CONNECTION_OK else { return lost() }
        // The codes are characters in libpq's header, which Swift does not import.
        let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
        let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) } ?? ""
        return .server(state: state, message: message)
    }

    private func lost() -> FleetError {
        let reason = PostgresText.printable(String(cString: PQerrorMessage(handle)))
        return FleetError(.away, QueueErrors.away(reason.isEmpty ? QueueErrors.closed : reason))
    }

    /// Waits until one of the descriptors can be read; false when the time has run out.
    static func waitForInput(_ descriptors: [Int32], milliseconds: Int) -> Bool {
        wait(for: POLLIN, at: descriptors, milliseconds: milliseconds)
    }

    private static func wait(for events: Int32, at descriptors: [Int32], milliseconds: Int) -> Bool {
        var polls = descriptors.map { pollfd(fd: $0, events: Int16(events), revents: 0) }
        let count = poll(&polls, nfds_t(polls.count), Int32(clamping: max(0, milliseconds)))
        // A signal ends the wait as input does: the caller looks at its state.
        return count > 0 || (count < 0 && errno == EINTR)
    }
}

@available(*, unavailable)
extension DatabaseConnection: Sendable {}

// MARK: Transactions, COPY and notices

extension DatabaseConnection {
    /// Runs `body` in a transaction, which an error undoes.
    package func transaction<Result>(_ body: () throws(FleetError) -> Result) throws(FleetError) -> Result {
        try run("BEGIN")
        do throws(FleetError) {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // A lost connection has undone it already.
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    /// Sends lines to `COPY … FROM STDIN`; `next` returns a buffer of whole lines, and nil at the end.
    package func copyIn(_ statement: String, _ next: () throws(FleetError) -> [UInt8]?) throws(FleetError) {
        try run(statement)
        // Otherwise a call waits without a limit for a server that takes nothing.
        guard PQsetnonblocking(handle, 1) == 0 else { throw lost() }
        defer { PQsetnonblocking(handle, 0) }
        do throws(FleetError) {
            while let lines = try next() {
                let sent = lines.withUnsafeBufferPointer { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { PQputCopyData(handle, $0.baseAddress, Int32($0.count)) }
                }
                guard sent == 1 else { throw lost() }
                try flush()
            }
        } catch {
            guard error.code != .away else { throw error }
            _ = PQputCopyEnd(handle, QueueErrors.inputFailed)
            try? flush()
            _ = try? finish()
            throw error
        }
        guard PQputCopyEnd(handle, nil) == 1 else { throw lost() }
        try flush()
        _ = try finish()
    }

    /// Sends what is buffered; also reads, because a server that cannot write may not read either.
    private func flush() throws(FleetError) {
        sentAt = FleetClock.now()
        while true {
            let state = PQflush(handle)
            guard state == 1 else {
                guard state == 0 else { throw lost() }
                return
            }
            let left = Int(((sentAt + Double(patience) - FleetClock.now()) * 1000).rounded(.up))
            guard Self.wait(for: POLLIN | POLLOUT, at: [descriptor], milliseconds: left) else {
                throw FleetError(.away, QueueErrors.away(QueueErrors.noAnswer(seconds: patience)))
            }
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    /// Receives the lines of `COPY … TO STDOUT`, each with its line feed.
    package func copyOut(
        _ statement: String, _ line: (UnsafeRawBufferPointer) throws(FleetError) -> Void
    ) throws(FleetError) {
        try run(statement)
        while true {
            var bytes: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(handle, &bytes, 1)
            if count == 0 {
                sentAt = FleetClock.now()
                try waitForAnswer()
                guard PQconsumeInput(handle) == 1 else { throw lost() }
                continue
            }
            guard count > 0, let bytes else {
                guard count == -1 else { throw lost() }
                _ = try finish()
                return
            }
            defer { PQfreemem(bytes) }
            try line(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        }
    }

    /// The texts of notices that have arrived.
    package func notices() throws(FleetError) -> [String] {
        guard PQconsumeInput(handle) == 1, PQstatus(handle) == CONNECTION_OK else { throw lost() }
        var texts: [String] = []
        while let notice = PQnotifies(handle) {
            texts.append(String(cString: notice.pointee.extra))
            PQfreemem(notice)
        }
        return texts
    }
}
