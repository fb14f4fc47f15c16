public import Foundation
public import FoundationNetworking

/// The options of one task beyond the parameters of AFNetworking's factories; the defaults match AFNetworking's
/// behavior.
///
/// ```swift
/// var options = TaskOptions(target: DownloadTarget(folder: folder))
/// options.downloadProgress = { progress in print(progress.fractionCompleted) }
/// let completion = try await manager.download(for: request, options: options)
/// print(completion.fileURL ?? file)
/// ```
public struct TaskOptions: Sendable {
    /// The destination of a data task's body.
    public var delivery: BodyDelivery
    /// The number of connections that fetch a body delivered in chunks; nil for one.
    ///
    /// The chunks still arrive in order. Bytes that further connections fetch ahead wait in memory, up to 32 MiB
    /// including unread ones; this requires a server that identifies its version with a strong validator and serves
    /// ranges.
    public var segmentation: Segmentation?
    /// The destination of a download, known before it starts: the partial file lies beside it from the first byte, and
    /// no destination closure is called.
    public var target: DownloadTarget?
    /// Makes an object from the task's body; nil for the manager's serializer.
    public var responseSerializer: (any ResponseSerializer)?
    /// A check of the response after the serializer's; nil for none.
    ///
    /// Its error is the task's error; an error that is not a ``ResponseSerializationError`` is wrapped in one, which
    /// has the head and the body.
    public var validate: ResponseCheck?
    /// Gets the task of an `async` method before it is resumed, for its progress and to pause it: once for each
    /// attempt.
    public var onTask: (@Sendable (SessionTask) -> Void)?
    /// Gets the upload progress if the factory is given no block.
    public var uploadProgress: SessionManager.ProgressBlock?
    /// Gets the download progress if the factory is given no block.
    public var downloadProgress: SessionManager.ProgressBlock?
    /// Request settings beyond URL, method, fields and body, replacing the request's own options; nil keeps the
    /// request's.
    ///
    /// They give a Foundation request a proxy, a time limit or a client certificate too.
    public var requestOptions: RequestOptions?
    /// Whether HTTP/2 may be used, overriding the request; nil keeps the request's value.
    public var allowsHTTP2: Bool?
    /// Interceptors of an `async` method, after the manager's own (``SessionManager/interceptors``).
    public var interceptors: [any RequestInterceptor] = []
    /// The task's number, which must not belong to a task that has not ended; nil for a new one.
    ///
    /// A transfer that a persistent session stores under it is replaced: it was stored by ``SessionStore/put(_:)``, or
    /// its earlier task has ended.
    package var id: TransferID?
    /// Whether a persistent session stores the task.
    ///
    /// False for a task that need not be known later, and for one that ``SessionStore/put(_:)`` has stored.
    package var isKept: Bool
    /// The queue entry that waited for the task; see ``SessionManager/onEntriesAdmitted``.
    package var entry: TransferID?
    /// The task's position among the stored ones, lower ones first; nil for its number.
    package var position: Int64?

    /// The named options; all others keep AFNetworking's behavior.
    public init(
        delivery: BodyDelivery = .memory, target: DownloadTarget? = nil,
        responseSerializer: (any ResponseSerializer)? = nil, validate: ResponseCheck? = nil
    ) {
        self.init(
            delivery: delivery, target: target, responseSerializer: responseSerializer, validate: validate, id: nil)
    }

    /// The named options, with a number chosen by the program.
    package init(
        delivery: BodyDelivery = .memory, target: DownloadTarget? = nil,
        responseSerializer: (any ResponseSerializer)? = nil, validate: ResponseCheck? = nil, id: TransferID?,
        isKept: Bool = true, position: Int64? = nil
    ) {
        self.delivery = delivery
        self.target = target
        self.responseSerializer = responseSerializer
        self.validate = validate
        self.id = id
        self.isKept = isKept
        self.position = position
    }
}

/// The destination of a data task's body: memory, or a closure that takes it in chunks.
///
/// ```swift
/// let options = TaskOptions(delivery: .data { chunk in print(chunk.count) })
/// try manager.dataTask(with: request, options: options, completionHandler: nil).resume()
/// ```
public enum BodyDelivery: Sendable {
    /// Collected, serialized and passed to the completion handler; limited by ``SessionConfiguration/dataLimit``.
    case memory
    /// Delivered in chunks on the delegate queue, in order, and not collected; the transfer waits while chunks are
    /// unread, so a slow closure slows the server down instead of filling memory.
    case stream(@Sendable ([UInt8]) -> Void)

    /// Delivers as ``stream(_:)`` does, with each chunk copied into `Data`.
    public static func data(_ receive: @escaping @Sendable (Data) -> Void) -> BodyDelivery {
        .stream { receive(Data($0)) }
    }
}

/// A request that a task can be made from: the library's own or Foundation's.
///
/// ```swift
/// let requests: [any TaskRequest] = [request, URLRequest(url: url)]
/// for request in requests { print(try request.transferRequest().url) }
/// ```
public protocol TaskRequest: Sendable {
    /// Returns the request as it is sent; throws if it cannot be sent.
    func transferRequest() throws(SessionError) -> TransferRequest
    /// Foundation's request, if it was given as one, so that the task can return its original.
    var foundationRequest: URLRequest? { get }
}

extension TransferRequest: TaskRequest {
    /// Returns the request itself.
    public func transferRequest() throws(SessionError) -> TransferRequest { self }

    /// Nil, because the request was not given as Foundation's.
    public var foundationRequest: URLRequest? { nil }
}

extension URLRequest: TaskRequest {
    /// Converts the request; a `timeoutInterval` other than Foundation's default is the time limit without a byte sent
    /// or received.
    public func transferRequest() throws(SessionError) -> TransferRequest { try TransferRequest(self) }

    /// The request itself.
    public var foundationRequest: URLRequest? { self }
}

/// A source of a request's body, which makes it again for each repetition: after a redirect, a challenge or a lost
/// connection.
///
/// `Data`, ``MultipartForm`` and ``BodySpecification`` are their own providers; they are not asked again, their bytes and
/// files are sent again.
///
/// ```swift
/// struct Report: BodyProvider {
///     func makeBody() throws(SessionError) -> BodySpecification { .bytes(Array("ready".utf8)) }
/// }
/// _ = try await manager.upload(for: request, from: Report())
/// ```
public protocol BodyProvider: Sendable {
    /// Returns a body from its beginning, which may be a stream and may differ from the one before.
    ///
    /// Called when the task is made, then once for each repetition of a request whose body was read, on the delegate
    /// queue. ``SessionHandlers/onNeedNewBody`` is asked first. The pieces of a resumable upload come from one body.
    func makeBody() throws(SessionError) -> BodySpecification
}

extension Data: BodyProvider {
    /// Returns the bytes.
    public func makeBody() throws(SessionError) -> BodySpecification { .bytes([UInt8](self)) }
}

extension BodySpecification: BodyProvider {
    /// Returns the body itself.
    public func makeBody() throws(SessionError) -> BodySpecification { self }
}
