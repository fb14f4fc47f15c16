public import Foundation
public import FoundationNetworking

/// The end of a task and everything it left behind.
///
/// An object and an error may both be there: a 404 with a JSON body has both. It is a class of constants, because task,
/// closures, completion handler, cache and notification all get it.
///
/// ```swift
/// let completion = await task.completion()
/// print(completion.error ?? "ended well", completion.fileURL ?? file)
/// ```
public final class TaskCompletion: Sendable {
    /// Why it failed: a ``SessionError`` or a ``ResponseSerializationError``; nil when it ended well.
    public let error: (any Error)?
    /// The body as it arrived: empty for a download that ended well and for a streamed body.
    ///
    /// It is not copied when it is read, and an object that is the body shares its bytes.
    public let data: Data
    /// Where a download's file is, or was to be when moving it failed.
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

    /// The same end without what the server sent.
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

    /// What the serializer made of the body; a file's URL for a download.
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
    /// The head of the final response, when one arrived.
    public var head: ResponseHead? { outcome.head }
    /// The response as Foundation's class; built at every read.
    public var response: HTTPURLResponse? { head?.httpURLResponse }
    /// When things happened in the last attempt.
    public var metrics: TransferMetrics { outcome.metrics }
    /// The last status.
    public var status: TaskStatus { outcome.status }
    /// What is needed to go on later, where that is possible.
    public var resumeData: ResumeData? { outcome.result.resumeData }
    /// The digest that was verified, in lower-case hexadecimal, where one was asked for, or announced by the server.
    public var verifiedDigest: String? { outcome.result.verifiedDigest }
    /// Which digest was verified.
    package var verifiedAlgorithm: Checksum.Algorithm? { outcome.result.verifiedAlgorithm }
    /// Whether nothing was transferred because the file was there already.
    public var wasSkipped: Bool { outcome.result.wasSkipped }
    /// Whether the server has said that the file that was there already is still the newest.
    package var isUnchanged: Bool { outcome.result.isUnchanged }
    /// What is to be said about the file's name or place, as a sentence; nil for nothing.
    package var fileNote: String? { outcome.result.note }
    /// Whether the answer came from the manager's response cache.
    public var isFromCache: Bool { outcome.isFromCache }
    /// Whether the body's length was proven: false for a body that ended with its connection.
    public var lengthWasVerified: Bool { outcome.result.lengthWasVerified }
}

extension TaskCompletion {
    /// A completion while it is put together: how the transfer ended, and what was made of that.
    struct Draft: Sendable {
        /// The object that a completion handler gets.
        enum Object: Sendable {
            case made((any Sendable)?)
            /// The file's URL, made when it is asked for, because most of a long list's never are.
            case file
        }

        let outcome: TransferOutcome
        var data: Data
        var error: (any Error)?
        var filePath: String?
        var serializer: any ResponseSerializer
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
    /// Below this a copy costs less than sharing.
    private static let sharedFrom = 4 << 10

    /// The bytes of a collected body: a large one is not copied, but shared, and goes when the last of its users does.
    init(_ body: CollectedBody) {
        self = body.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, bytes.count >= Self.sharedFrom else { return Data(bytes) }
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
                deallocator: .custom { _, _ in withExtendedLifetime(body) {} })
        }
    }
}
