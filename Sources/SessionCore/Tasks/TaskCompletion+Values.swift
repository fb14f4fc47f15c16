import Foundation

extension TaskCompletion {
    /// What a completion holds, while it is put together.
    struct Values: Sendable {
        var head: ResponseHead?
        var error: (any Error)?
        var body: [UInt8]
        var filePath: String?
        var metrics: TransferMetrics
        var status: TaskStatus
        var resumeData: ResumeData?
        var verifiedDigest: String?
        var wasSkipped: Bool
        var isFromCache: Bool
        var lengthWasVerified: Bool
        var serializer: any ResponseSerializer
        private var serializedObject: (any Sendable)?
        /// Whether the object is the file's URL: a URL is made when it is asked for, because most of a long list's never are.
        private var objectIsFile = false

        init(outcome: SharedValue<TransferOutcome>, serializer: any ResponseSerializer) {
            head = outcome.value.head
            error = outcome.value.error
            body = outcome.value.body
            metrics = outcome.value.metrics
            status = outcome.value.status
            resumeData = outcome.value.resumeData
            verifiedDigest = outcome.value.verifiedDigest
            wasSkipped = outcome.value.wasSkipped
            isFromCache = outcome.value.isFromCache
            lengthWasVerified = outcome.value.lengthWasVerified
            self.serializer = serializer
        }

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
