import CLinux
import Foundation
import SessionCore
import SessionSupport

/// Requests that find out what a server can do; they are neither rows nor saved, and write no file.
///
/// Each call blocks until it has its result, at most until its time limit.
package final class ServerTrial: Sendable {
    /// The head of a response, as far as a trial needs it.
    package struct Answer: Sendable, Equatable {
        package var status: Int
        /// The length of the complete file; nil where the response does not tell.
        package var length: Int64?
        /// The strong validator; nil without one.
        package var validator: String?

        package init(status: Int, length: Int64? = nil, validator: String? = nil) {
            (self.status, self.length, self.validator) = (status, length, validator)
        }
    }

    /// Seconds without a response after which a trial has none.
    private static let patience = 10.0

    private let manager: SessionManager
    private let request: TransferRequest

    /// Takes a job's URL, header fields and options; nil for options that are wrong, which the command line refuses.
    package init?(_ job: Job, settings: ServiceSettings) {
        var configuration = SessionConfiguration.default
        configuration.connectTimeout = settings.connectTimeout
        configuration.stallTimeout = settings.stallTimeout
        configuration.additionalHeaders = [
            "User-Agent": settings.options.terms.headers["User-Agent"] ?? Product.userAgent
        ]
        let identity = JobIdentity()
        // HTTP/1.1, as for downloads: with HTTP/2 several requests would share one connection.
        var request = TransferRequest(
            url: job.url, headers: job.headers, idleTimeout: Self.patience, allowsHTTP2: false)
        do throws(JobIdentity.Problem) {
            configuration.options = try identity.runOptions(settings.options)
            try identity.complete(&request, of: job)
        } catch {
            return nil
        }
        self.request = request
        manager = SessionManager(configuration: configuration)
        // This program never runs the main queue.
        manager.completionQueue = DispatchQueue(label: "netdash.trial")
        manager.postsNotifications = false
        manager.responseSerializer = DataResponseSerializer()
    }

    deinit { manager.invalidate(cancellingTasks: true) }

    /// The response to a request with further header fields, whose body is not read; nil without a response.
    package func answer(to fields: [(name: String, value: String)]) -> Answer? {
        let found = Monitor<(answer: Answer?, hasEnded: Bool)>((nil, false))
        manager.onResponse = { _, head in
            found.change { $0.answer = Self.answer(head) }
            // One byte keeps the connection for the next request.
            return head.statusCode == 206 ? .allow : .cancel
        }
        let task = task(fields, receive: { _ in }, ended: { _ in found.change { $0.hasEnded = true } })
        guard let task else { return nil }
        task.resume()
        return found.wait { $0.hasEnded ? .some($0.answer) : nil }
    }

    /// Reads ranges at the same time, each over its own connection, until there are enough bytes or time is over.
    ///
    /// `ranges` are the values of Range fields; nil for a request without one.
    package func sample(_ ranges: [String?], bytes limit: Int64, seconds: Double) -> ServerSample {
        manager.onResponse = nil
        let meter = Monitor(ServerMeter(connections: ranges.count, limit: limit))
        let tasks = ranges.map { range in
            task(
                range.map { [("Range", $0)] } ?? [],
                receive: { bytes in meter.change { $0.receive(bytes, at: cl_monotonic_nanoseconds()) } },
                ended: { isComplete in meter.change { $0.end(isComplete) } })
        }
        for task in tasks {
            if let task { task.resume() } else { meter.change { $0.end(false) } }
        }
        meter.wait(timeoutMilliseconds: Int64(Self.patience * 1000)) { $0.hasBegun || $0.isOver }
        meter.wait(timeoutMilliseconds: Int64(seconds * 1000)) { $0.isOver }
        meter.change { $0.stop(at: cl_monotonic_nanoseconds()) }
        for task in tasks { task?.cancel() }
        return meter.wait { $0.running == 0 ? $0.sample : nil }
    }

    private func task(
        _ fields: [(name: String, value: String)], receive: @escaping @Sendable (Int) -> Void,
        ended: @escaping @Sendable (_ isComplete: Bool) -> Void
    ) -> SessionTask? {
        var request = request
        for field in fields { request.headers[field.name] = field.value }
        let options = TaskOptions(delivery: .stream { receive($0.count) })
        return try? manager.dataTask(with: request, options: options) { head, _, error in
            ended(error == nil && head.map { $0.statusCode < 300 } ?? false)
        }
    }

    private static func answer(_ head: ResponseHead) -> Answer {
        let range = head.headers["Content-Range"]?.split(separator: "/").last.flatMap { Int64($0) }
        let length = head.statusCode == 206 ? range : head.headers["Content-Length"].flatMap { Int64($0) }
        return Answer(status: head.statusCode, length: length, validator: head.strongValidator)
    }
}
