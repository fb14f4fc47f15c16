import Foundation

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
        /// Whether the object is the file's URL: a URL is made when it is asked for, because most of a long list's never are.
        private var objectIsFile = false

        /// Takes the body out of an outcome, so that it is held once.
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

        /// That of the head, without a copy of the head.
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
