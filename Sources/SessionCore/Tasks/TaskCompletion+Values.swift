import Foundation

extension TaskCompletion {
    /// What a completion holds, while it is put together: how the transfer ended, and what was made of that.
    @dynamicMemberLookup
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

        /// What the transfer's end says, by its names.
        subscript<Member>(dynamicMember member: WritableKeyPath<TransferOutcome, Member>) -> Member {
            get { outcome.value[keyPath: member] }
            set { outcome = outcome.changed { $0[keyPath: member] = newValue } }
        }

        /// That of the head, without a copy of the head.
        var statusCode: Int? { outcome.value.head?.statusCode }

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
