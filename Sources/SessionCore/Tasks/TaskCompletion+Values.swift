import Foundation

extension TaskCompletion {
    /// What a completion holds, while it is put together: how the transfer ended, and what was made of that.
    struct Values: Sendable {
        /// Shared with the task and copied only for whoever changes a part of it, which hardly anybody does.
        private var outcome: SharedValue<TransferOutcome>
        var error: (any Error)?
        var filePath: String?
        var serializer: any ResponseSerializer
        private var serializedObject: (any Sendable)?
        /// Whether the object is the file's URL: a URL is made when it is asked for, because most of a long list's never are.
        private var objectIsFile = false

        init(outcome: SharedValue<TransferOutcome>, serializer: any ResponseSerializer) {
            self.outcome = outcome
            error = outcome.value.error
            self.serializer = serializer
        }

        var head: ResponseHead? {
            get { outcome.value.head }
            set { change { $0.head = newValue } }
        }

        /// That of the head, without a copy of the head.
        var statusCode: Int? { outcome.value.head?.statusCode }

        var body: [UInt8] {
            get { outcome.value.body }
            set { change { $0.body = newValue } }
        }

        var metrics: TransferMetrics {
            get { outcome.value.metrics }
            set { change { $0.metrics = newValue } }
        }

        var status: TaskStatus {
            get { outcome.value.status }
            set { change { $0.status = newValue } }
        }

        var resumeData: ResumeData? {
            get { outcome.value.resumeData }
            set { change { $0.resumeData = newValue } }
        }

        var verifiedDigest: String? {
            get { outcome.value.verifiedDigest }
            set { change { $0.verifiedDigest = newValue } }
        }

        var wasSkipped: Bool {
            get { outcome.value.wasSkipped }
            set { change { $0.wasSkipped = newValue } }
        }

        var isFromCache: Bool {
            get { outcome.value.isFromCache }
            set { change { $0.isFromCache = newValue } }
        }

        var lengthWasVerified: Bool {
            get { outcome.value.lengthWasVerified }
            set { change { $0.lengthWasVerified = newValue } }
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

        private mutating func change(_ body: (inout TransferOutcome) -> Void) {
            outcome = outcome.changed(body)
        }
    }
}
