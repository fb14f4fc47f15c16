public import Foundation
public import FoundationNetworking

/// How a task ended and everything it left behind.
///
/// An object and an error may both be there: a 404 with a JSON body has both.
public struct TaskCompletion: Sendable {
    /// The head of the final response, when one arrived.
    public var head: ResponseHead?
    /// What the serializer made of the body; a file's URL for a download.
    public var object: (any Sendable)? {
        get { objectIsFile ? fileURL : serializedObject }
        set { (serializedObject, objectIsFile) = (newValue, false) }
    }
    /// Why it failed: a ``SessionError`` or a ``ResponseSerializationError``; nil when it ended well.
    public var error: (any Error)?
    /// The body as it arrived: empty for a download that ended well and for a streamed body.
    public var body: [UInt8] = []
    /// Where a download's file is, or was to be when moving it failed.
    public var fileURL: URL? {
        get { filePath.map { URL(fileURLWithPath: $0, isDirectory: false) } }
        set { filePath = newValue.flatMap { $0.isFileURL ? $0.path : nil } }
    }
    /// ``fileURL`` as a path.
    public var filePath: String?
    /// When things happened in the last attempt.
    public var metrics = TransferMetrics()
    /// The last status.
    public var status = TaskStatus()
    /// What is needed to go on later, where that is possible.
    public var resumeData: ResumeData?
    /// The digest that was verified, in lower-case hexadecimal, where one was asked for.
    public var verifiedDigest: String?
    /// Whether nothing was transferred because the file was there already.
    public var wasSkipped = false
    /// Whether the answer came from the manager's response cache.
    public var isFromCache = false
    /// Whether the body's length was proven: false for a body that ended with its connection.
    public var lengthWasVerified = true
    /// The serializer that was used.
    public var serializer: any ResponseSerializer
    private var serializedObject: (any Sendable)?
    /// Whether ``object`` is ``fileURL``: a URL is made when it is asked for, because most of a long list's never are.
    private var objectIsFile = false

    /// The response as Foundation's class; built at every read.
    public var response: HTTPURLResponse? { head?.httpURLResponse }

    init(outcome: TransferOutcome, serializer: any ResponseSerializer) {
        head = outcome.head
        error = outcome.error
        body = outcome.body
        metrics = outcome.metrics
        status = outcome.status
        resumeData = outcome.resumeData
        verifiedDigest = outcome.verifiedDigest
        wasSkipped = outcome.wasSkipped
        isFromCache = outcome.isFromCache
        lengthWasVerified = outcome.lengthWasVerified
        self.serializer = serializer
    }

    /// Makes the file the object.
    mutating func useFileAsObject() {
        serializedObject = nil
        objectIsFile = true
    }
}
