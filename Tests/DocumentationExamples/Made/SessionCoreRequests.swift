// swift-format-ignore-file
// Made of Sources/SessionCore/Requests; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfRequestSerializationError() async throws {
        do {
            var form = MultipartForm()
            try form.append(file: file, name: "photo")
        } catch {
            print(error.reason, error.description)
        }
    }
    mutating func exampleOfRequestSerializationErrorReason() async throws {
        func isOfForm(_ error: RequestSerializationError) -> Bool {
            if case .unreadablePart = error.reason { true } else { false }
        }
        print(isOfForm(RequestSerializationError(.notAnObject)))
    }
}
