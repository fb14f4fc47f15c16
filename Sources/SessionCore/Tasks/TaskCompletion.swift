public import Foundation
public import FoundationNetworking

/// How a task ended and everything it left behind.
///
/// An object and an error may both be there: a 404 with a JSON body has both. Everything lies behind one reference,
/// because whoever hears of an end gets a copy.
public struct TaskCompletion: Sendable {
    private var shared: SharedValue<Values>

    init(_ values: consuming Values) {
        shared = SharedValue(values)
    }

    private mutating func change(_ body: (inout Values) -> Void) {
        shared = shared.changed(body)
    }

    /// The head of the final response, when one arrived.
    public var head: ResponseHead? {
        get { shared.value.head }
        set { change { $0.head = newValue } }
    }
    /// What the serializer made of the body; a file's URL for a download.
    public var object: (any Sendable)? {
        get { shared.value.object }
        set { change { $0.object = newValue } }
    }
    /// Why it failed: a ``SessionError`` or a ``ResponseSerializationError``; nil when it ended well.
    public var error: (any Error)? {
        get { shared.value.error }
        set { change { $0.error = newValue } }
    }
    /// The body as it arrived: empty for a download that ended well and for a streamed body.
    ///
    /// It is not copied when it is read, and an object that is the body shares its bytes.
    public var data: Data {
        get { shared.value.data }
        set { change { $0.data = newValue } }
    }
    /// ``data`` as an array, which is made at every read.
    public var body: [UInt8] {
        get { shared.value.body }
        set { change { $0.body = newValue } }
    }
    /// Where a download's file is, or was to be when moving it failed.
    public var fileURL: URL? {
        get { shared.value.fileURL }
        set { change { $0.fileURL = newValue } }
    }
    /// ``fileURL`` as a path.
    public var filePath: String? {
        get { shared.value.filePath }
        set { change { $0.filePath = newValue } }
    }
    /// When things happened in the last attempt.
    public var metrics: TransferMetrics {
        get { shared.value.metrics }
        set { change { $0.metrics = newValue } }
    }
    /// The last status.
    public var status: TaskStatus {
        get { shared.value.status }
        set { change { $0.status = newValue } }
    }
    /// What is needed to go on later, where that is possible.
    public var resumeData: ResumeData? {
        get { shared.value.resumeData }
        set { change { $0.resumeData = newValue } }
    }
    /// The digest that was verified, in lower-case hexadecimal, where one was asked for.
    public var verifiedDigest: String? {
        get { shared.value.verifiedDigest }
        set { change { $0.verifiedDigest = newValue } }
    }
    /// Whether nothing was transferred because the file was there already.
    public var wasSkipped: Bool {
        get { shared.value.wasSkipped }
        set { change { $0.wasSkipped = newValue } }
    }
    /// Whether the answer came from the manager's response cache.
    public var isFromCache: Bool {
        get { shared.value.isFromCache }
        set { change { $0.isFromCache = newValue } }
    }
    /// Whether the body's length was proven: false for a body that ended with its connection.
    public var lengthWasVerified: Bool {
        get { shared.value.lengthWasVerified }
        set { change { $0.lengthWasVerified = newValue } }
    }
    /// The serializer that was used.
    public var serializer: any ResponseSerializer {
        get { shared.value.serializer }
        set { change { $0.serializer = newValue } }
    }

    /// The response as Foundation's class; built at every read.
    public var response: HTTPURLResponse? { head?.httpURLResponse }
}

extension TaskCompletion {
    /// What a completion holds, while it is put together: how the transfer ended, and what was made of that.
    @dynamicMemberLookup
    struct Values: Sendable {
        /// Shared with the task and copied only for whoever changes a part of it, which hardly anybody does.
        ///
        /// Its body is ``data``.
        private(set) var transfer: SharedValue<TransferOutcome>
        /// The body, which serializer, object, cache and notification share.
        var data: Data
        var error: (any Error)?
        var filePath: String?
        var serializer: any ResponseSerializer
        private var serializedObject: (any Sendable)?
        /// Whether the object is the file's URL: a URL is made when it is asked for, because most of a long list's
        /// never are.
        private var objectIsFile = false

        /// Moves the body out of an outcome, so that it is held once.
        init(taking outcome: SharedValue<TransferOutcome>, serializer: any ResponseSerializer) {
            data = Data(outcome.value.body)
            transfer = data.isEmpty ? outcome : outcome.changed { $0.body = [] }
            error = outcome.value.error
            self.serializer = serializer
        }

        /// A copy of ``data``.
        var body: [UInt8] {
            get { [UInt8](data) }
            set { data = Data(newValue) }
        }

        /// What the transfer's end says, by its names.
        subscript<Member>(dynamicMember member: WritableKeyPath<TransferOutcome, Member>) -> Member {
            get { transfer.value[keyPath: member] }
            set { transfer = transfer.changed { $0[keyPath: member] = newValue } }
        }

        /// The head's status code, read without copying the head.
        var statusCode: Int? { transfer.value.head?.statusCode }

        var object: (any Sendable)? {
            get { objectIsFile ? fileURL : serializedObject }
            set { (serializedObject, objectIsFile) = (newValue, false) }
        }

        var fileURL: URL? {
            get { filePath.map { URL(fileURLWithPath: $0, isDirectory: false) } }
            set { filePath = newValue.flatMap { $0.isFileURL ? $0.path : nil } }
        }

        /// Makes the file the object.
        mutating func useFileAsObject() {
            serializedObject = nil
            objectIsFile = true
        }
    }
}
