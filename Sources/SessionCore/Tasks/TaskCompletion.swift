public import Foundation
public import FoundationNetworking

/// The end of a task and its results.
///
/// Both an object and an error may be present: a 404 with a JSON body has both. It is a class of constants, because
/// task, closures, completion handler, cache and notification share it.
///
/// ```swift
/// let completion = await task.completion()
/// print(completion.error ?? "ended well", completion.fileURL ?? file)
/// ```
public final class TaskCompletion: Sendable {
    /// The failure: a ``SessionError`` or a ``ResponseSerializationError``; nil on success.
    public let error: (any Error)?
    /// The body as it arrived: empty for a successful download and for a streamed body.
    ///
    /// It is not copied when it is read, and an object that is the body shares its bytes.
    public let data: Data
    /// The path of a download's file, or its intended path if moving it failed.
    public let filePath: String?
    /// The serializer that was used.
    public let serializer: any ResponseSerializer
    private let outcome: TransferOutcome
    private let objectSource: Draft.Object

    init(_ draft: consuming Draft) {
        error = draft.error
        data = draft.data
        filePath = draft.filePath
        serializer = draft.serializer
        outcome = draft.outcome
        objectSource = draft.object
    }

    /// Whether it may keep a response's body: not for a complete file.
    var mayKeepBody: Bool {
        if case .file = objectSource { error != nil || !data.isEmpty } else { true }
    }

    /// A copy without the server's response.
    init(withoutBodyOf other: TaskCompletion) {
        var error = other.error
        if var failure = error as? SessionError, failure.responseBody != nil {
            failure.responseBody = nil
            error = failure
        }
        self.error = error
        data = Data()
        filePath = other.filePath
        serializer = other.serializer
        outcome = other.outcome
        objectSource = if case .file = other.objectSource { .file } else { .made(nil) }
    }

    /// The serializer's object; a file's URL for a download.
    public var object: (any Sendable)? {
        switch objectSource {
        case .made(let object): object
        case .file: fileURL
        }
    }
    /// ``filePath`` as a URL, made at every read.
    public var fileURL: URL? { filePath.map { URL(fileURLWithPath: $0, isDirectory: false) } }
    /// ``data`` as an array, made at every read.
    package var body: [UInt8] { [UInt8](data) }
    /// The head of the final response, if one arrived.
    public var head: ResponseHead? { outcome.head }
    /// The response as Foundation's class; built at every read.
    public var response: HTTPURLResponse? { head?.httpURLResponse }
    /// The times of the last attempt.
    public var metrics: TransferMetrics { outcome.metrics }
    /// The last status.
    public var status: TaskStatus { outcome.status }
    /// The data to resume with later, if that is possible.
    public var resumeData: ResumeData? { outcome.result.resumeData }
    /// The verified digest in lower-case hexadecimal, if one was requested or announced by the server.
    public var verifiedDigest: String? { outcome.result.verifiedDigest }
    package var verifiedAlgorithm: Checksum.Algorithm? { outcome.result.verifiedAlgorithm }
    /// Whether nothing was transferred because the file already existed.
    public var wasSkipped: Bool { outcome.result.wasSkipped }
    /// Whether the server confirmed that the existing file is still current.
    package var isUnchanged: Bool { outcome.result.isUnchanged }
    /// A sentence about the file's name or folder; nil for nothing.
    package var fileNote: String? { outcome.result.note }
    /// Whether the response came from the manager's response cache.
    public var isFromCache: Bool { outcome.isFromCache }
    /// Whether the body's length was verified: false for a body that ended with its connection.
    public var lengthWasVerified: Bool { outcome.result.lengthWasVerified }
}

extension TaskCompletion {
    /// A completion under construction: the transfer's outcome and the results made from it.
    struct Draft: Sendable {
        /// The object that a completion handler gets.
        enum Object: Sendable {
            case made((any Sendable)?)
            /// The file's URL, made on demand, because in a long list most are never read.
            case file
        }

        let outcome: TransferOutcome
        var data: Data
        var error: (any Error)?
        var filePath: String?
        var serializer: any ResponseSerializer
        /// The caller's check, which ends with the task.
        var check: ResponseCheck?
        var object = Object.made(nil)

        init(_ outcome: TransferOutcome, body: Data, serializer: any ResponseSerializer) {
            self.outcome = outcome
            data = body
            error = outcome.error
            self.serializer = serializer
        }
    }
}

extension Data {
    /// Below 4 KiB a copy costs less than sharing.
    private static let sharedFrom = 4 << 10

    /// Takes the bytes of a collected body: a large one is shared, not copied, and freed by its last user.
    init(_ body: CollectedBody) {
        self = body.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes.count >= Self.sharedFrom else { return Data(bytes) }
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
                deallocator: .custom { _, _ in withExtendedLifetime(body) {} })
        }
    }
}
