public import Foundation
public import FoundationNetworking

/// The options of one task beyond what the original's factories take; without changes a task is what it is there.
///
/// ```swift
/// var options = TaskOptions(target: DownloadTarget(folder: folder))
/// options.downloadProgress = { progress in print(progress.fractionCompleted) }
/// let completion = try await manager.download(for: request, options: options)
/// print(completion.fileURL ?? file)
/// ```
public struct TaskOptions: Sendable {
    /// Where the body of a data task goes.
    public var delivery: BodyDelivery
    /// How many connections bring a body that is handed over in chunks; nil for one.
    ///
    /// The chunks come in order all the same. What further connections bring before its turn waits in memory, up to 32 MiB with
    /// what is unread; only a body is fetched so whose server proves its version with a strong validator and sends parts of it.
    public var segmentation: Segmentation?
    /// The place of a download, known before it starts: the part lies beside its destination from the first byte, and no
    /// destination closure is asked.
    public var target: DownloadTarget?
    /// What makes an object of the task's body; nil for the manager's serializer.
    public var responseSerializer: (any ResponseSerializer)?
    /// A check of the response behind the serializer's; nil for none.
    ///
    /// What it throws is the task's error; one that is no ``ResponseSerializationError`` lies under one, which has the head
    /// and the body.
    public var validate: ResponseCheck?
    /// Gets the task of a call that waits before it is resumed, for its progress and to pause it: once for each attempt.
    public var onTask: (@Sendable (SessionTask) -> Void)?
    /// Gets the progress of what is sent, where the factory is given no block of its own.
    public var uploadProgress: SessionManager.ProgressBlock?
    /// Gets the progress of what is received, where the factory is given no block of its own.
    public var downloadProgress: SessionManager.ProgressBlock?
    /// What the request needs beside its URL, method, fields and body, in the place of its own options; nil leaves those.
    ///
    /// So a request of Foundation's has a proxy, a time limit or a client certificate too.
    public var requestOptions: RequestOptions?
    /// Whether HTTP/2 may be used, in the place of what the request says; nil leaves that.
    public var allowsHTTP2: Bool?
    /// What a call that waits passes behind the manager's own (``SessionManager/interceptors``).
    public var interceptors: [any RequestInterceptor] = []
    /// The task's number, which must not be that of a task that has not ended; nil for a new one.
    ///
    /// A transfer that a persistent session stores under it is replaced: it was written down by ``SessionStore/put(_:)``,
    /// or its earlier task has ended.
    package var id: TransferID?
    /// Whether a persistent session writes the task down.
    ///
    /// False for one that nothing is to be known of later, and for one that ``SessionStore/put(_:)`` has written down.
    package var isKept: Bool
    /// The entry that has waited in the task's stead; see ``SessionManager/onEntriesAdmitted``.
    package var entry: TransferID?
    /// The task's place among the stored ones, lower ones first; nil for the one that goes with its number.
    package var position: Int64?

    /// The options that are named; every other is left as the original does it.
    public init(
        delivery: BodyDelivery = .memory, target: DownloadTarget? = nil,
        responseSerializer: (any ResponseSerializer)? = nil, validate: ResponseCheck? = nil
    ) {
        self.init(
            delivery: delivery, target: target, responseSerializer: responseSerializer, validate: validate, id: nil)
    }

    /// The options that are named, with a number of the program's own.
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
    /// Collected, serialized and handed to the completion handler; limited by ``SessionConfiguration/dataLimit``.
    case memory
    /// Handed over in chunks on the delegate queue, in order, and not collected. The transfer waits while chunks are
    /// unread, so a slow closure slows the server down instead of filling memory.
    case stream(@Sendable ([UInt8]) -> Void)

    /// Handed over as ``stream(_:)`` does, each chunk copied into data.
    public static func data(_ receive: @escaping @Sendable (Data) -> Void) -> BodyDelivery {
        .stream { receive(Data($0)) }
    }
}

/// A request that a task can be made of: the library's own or Foundation's.
///
/// ```swift
/// let requests: [any TaskRequest] = [request, URLRequest(url: url)]
/// for request in requests { print(try request.transferRequest().url) }
/// ```
public protocol TaskRequest: Sendable {
    /// The request as it is sent; throws for one that cannot be.
    func transferRequest() throws(SessionError) -> TransferRequest
    /// Foundation's request, where it was given as such, so that the task can say what it was made of.
    var foundationRequest: URLRequest? { get }
}

extension TransferRequest: TaskRequest {
    /// The request itself.
    public func transferRequest() throws(SessionError) -> TransferRequest { self }

    /// Nil, because the request was not given as Foundation's.
    public var foundationRequest: URLRequest? { nil }
}

extension URLRequest: TaskRequest {
    /// What the request says; a `timeoutInterval` other than Foundation's default is the limit without a moving byte.
    public func transferRequest() throws(SessionError) -> TransferRequest { try TransferRequest(self) }

    /// The request itself.
    public var foundationRequest: URLRequest? { self }
}

/// A source of a request's body, which makes it again when it has to be repeated after a redirect or a lost connection.
///
/// `Data`, ``MultipartForm`` and ``BodySpecification`` are bodies of their own.
///
/// ```swift
/// struct Report: BodyProvider {
///     func makeBody() throws(SessionError) -> BodySpecification { .bytes(Array("ready".utf8)) }
/// }
/// _ = try await manager.upload(for: request, from: Report())
/// ```
public protocol BodyProvider: Sendable {
    /// A body from its beginning. May be called several times.
    func makeBody() throws(SessionError) -> BodySpecification
}

extension Data: BodyProvider {
    /// The bytes.
    public func makeBody() throws(SessionError) -> BodySpecification { .bytes([UInt8](self)) }
}

extension BodySpecification: BodyProvider {
    /// The body itself.
    public func makeBody() throws(SessionError) -> BodySpecification { self }
}
