// swift-format-ignore-file
// Made of Sources/SessionHTTP; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfHTTPRequestSerializer() async throws {
        http.requestSerializer = HTTPRequestSerializer()
        _ = try await http.post("users", parameters: ["name": "Ada"])
    }
    mutating func exampleOfJSONRequestSerializer() async throws {
        http.requestSerializer = JSONRequestSerializer()
        _ = try await http.post("users", parameters: ["name": "Ada", "tags": [1, 2]])
    }
    mutating func exampleOfPropertyListRequestSerializer() async throws {
        http.requestSerializer = PropertyListRequestSerializer()
    }
    mutating func exampleOfHTTPManager() async throws {
        let http = try HTTPManager(baseURL: "https://api.example.org/v1")
        let names = try await http.get("names", parameters: ["page": 2], as: .decodable([String].self))
        print(names)
        _ = http
        _ = names
    }
    mutating func exampleOfHTTPManagerSettings() async throws {
        let data = try JSONEncoder().encode(http.settings)
        let again = try HTTPManager(settings: JSONDecoder().decode(HTTPManagerSettings.self, from: data))
        print(again.baseURL ?? "none")
        _ = data
        _ = again
    }
    mutating func exampleOfMultipartRequest() async throws {
        let multipart = try http.multipartRequest("POST", "photos") { form in try form.append(file: file, name: "photo") }
        _ = try await manager.upload(multipart)
        _ = multipart
    }
    mutating func exampleOfParameterValue() async throws {
        let parameters: ParameterValue = ["page": 2, "tags": ["a", "b"], "draft": false]
        _ = try await http.get("notes", parameters: parameters)
        _ = parameters
    }
    mutating func exampleOfQueryEncoding() async throws {
        print(try QueryEncoding().query(of: ["tags": ["a", "b"]]))
    }
    mutating func exampleOfQueryEncodingLists() async throws {
        print(try QueryEncoding(lists: .repeatedKey).query(of: ["tags": ["a", "b"]]))
    }
    mutating func exampleOfQueryEncodingBooleans() async throws {
        print(try QueryEncoding(booleans: .words).query(of: ["draft": true]))
    }
    mutating func exampleOfRequestSerializer() async throws {
        let request = try JSONRequestSerializer().request("POST", "https://example.org/users", parameters: ["name": "Ada"])
        print(request.headers["Content-Type"] ?? "none")
        _ = request
    }
    mutating func exampleOfEncodedBody() async throws {
        struct Comma: RequestSerializer {
            var settings = RequestSettings()
            func body(
                of parameters: ParameterValue?, for request: TransferRequest
            ) throws(RequestSerializationError) -> EncodedBody? {
                EncodedBody(bytes: Array("a,b".utf8), contentType: "text/csv")
            }
        }
        http.requestSerializer = Comma()
    }
    mutating func exampleOfRequestSettings() async throws {
        http.requestSerializer.settings.setAuthorization(bearer: "token")
        http.requestSerializer.settings.idleTimeout = 10
    }
}
