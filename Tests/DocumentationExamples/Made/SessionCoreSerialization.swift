// swift-format-ignore-file
// Made of Sources/SessionCore/Serialization; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfResponseDecoder() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let names = try await manager.decode([String].self, for: request, decoder: decoder)
        print(names)
        _ = decoder
        _ = names
    }
    mutating func exampleOfJSONResponseSerializer() async throws {
        manager.responseSerializer = JSONResponseSerializer(removesNullValues: true)
    }
    mutating func exampleOfPropertyListResponseSerializer() async throws {
        manager.responseSerializer = PropertyListResponseSerializer()
    }
    mutating func exampleOfCompoundResponseSerializer() async throws {
        manager.responseSerializer = CompoundResponseSerializer([JSONResponseSerializer(), HTTPResponseSerializer()])
    }
    mutating func exampleOfResponseFormat() async throws {
        let text = try await manager.data(for: request, as: .string)
        print(text)
        _ = text
    }
    mutating func exampleOfResponseSerializer() async throws {
        struct Lines: ResponseSerializer {
            func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
                SerializedResponse(object: String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init))
            }
        }
        let lines = try await manager.data(for: request, as: ResponseFormat<[String]>(Lines()))
        print(lines.count)
        _ = lines
    }
    mutating func exampleOfSerializedResponse() async throws {
        let response = JSONResponseSerializer().serialize(head: nil, data: Data("[1]".utf8))
        print(response.object ?? "nothing", response.error ?? "no error")
        _ = response
    }
    mutating func exampleOfDataResponseSerializer() async throws {
        let completion = try await manager.data(
            for: request, options: TaskOptions(responseSerializer: DataResponseSerializer()))
        print(completion.data.count)
        _ = completion
    }
    mutating func exampleOfHTTPResponseSerializer() async throws {
        manager.responseSerializer = HTTPResponseSerializer(validation: ResponseValidation(contentTypes: ["image/png"]))
    }
    mutating func exampleOfResponseValidation() async throws {
        let validation = ResponseValidation(statusCodes: [200, 404], contentTypes: ["text/plain"])
        manager.responseSerializer = HTTPResponseSerializer(validation: validation)
        _ = validation
    }
    mutating func exampleOfResponseValidationVerdict() async throws {
        struct Checked: ResponseSerializer {
            func serialize(head: ResponseHead?, data: Data) -> SerializedResponse {
                SerializedResponse(object: data, error: ResponseValidation().validate(head, data).error)
            }
        }
        manager.responseSerializer = Checked()
    }
    mutating func exampleOfResponseSerializationError() async throws {
        do {
            print(try await manager.data(for: request, as: .string))
        } catch let error as ResponseSerializationError {
            print(error.statusCode ?? 0, error.object ?? "no object")
        }
    }
    mutating func exampleOfResponseSerializationErrorReason() async throws {
        func isMissing(_ error: ResponseSerializationError) -> Bool { error.reason == .unacceptableStatusCode(404) }
        print(isMissing(ResponseSerializationError(.unacceptableStatusCode(404), head: nil, data: Data())))
    }
}
