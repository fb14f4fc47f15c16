// swift-format-ignore-file
// Made of Sources/TransferValues/Requests; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func exampleOfClientCertificate() async throws {
        var options = RequestOptions()
        options.clientCertificate = ClientCertificate(file: "me.pem", keyFile: "key.pem")
        _ = options
    }
    mutating func exampleOfClientCertificateFormat() async throws {
        print(ClientCertificate(file: "me.p12", password: "secret", format: .pkcs12))
    }
    mutating func exampleOfHeaderFields() async throws {
        var fields: HeaderFields = ["Accept": "text/plain"]
        fields.append(name: "Accept", value: "text/html")
        print(fields["accept"] ?? "none", fields.values(named: "Accept"))
        _ = fields
    }
    mutating func exampleOfHeaderFieldsField() async throws {
        for field in request.headers { print(field.name, field.value) }
    }
    mutating func exampleOfMultipartForm() async throws {
        var form = MultipartForm()
        form.append("Holiday", name: "album")
        try form.append(file: file, name: "photo")
        _ = try await manager.upload(for: request, from: form)
        _ = form
    }
    mutating func exampleOfMultipartFormPart() async throws {
        let form = MultipartForm([MultipartForm.Part(name: "album", content: .bytes(Array("Holiday".utf8)))])
        print(form.contentType)
        _ = form
    }
    mutating func exampleOfMultipartFormThrottle() async throws {
        var form = MultipartForm()
        form.throttle = MultipartForm.Throttle(packetSize: 4 << 10, delay: 0.1)
        _ = form
    }
    mutating func exampleOfBodyPiece() async throws {
        var request = request
        request.body = .pieces([.bytes(Array("head\n".utf8)), .file(path: file.path)])
        _ = try await manager.upload(for: request, from: request.body)
        _ = request
    }
    mutating func exampleOfBodyStream() async throws {
        let zeros = BodyStream(length: 4) { buffer in
            let count = min(buffer.count, 4)
            buffer[0..<count].initializeMemory(as: UInt8.self, repeating: 0)
            return count
        }
        print(MultipartForm([MultipartForm.Part(name: "zeros", content: .stream(zeros))]).contentType)
        _ = zeros
    }
    mutating func exampleOfProxySettings() async throws {
        var options = RequestOptions()
        options.proxies = ProxySettings(try Proxy("http://proxy.example.org:3128"), exceptions: "localhost")
        _ = options
    }
    mutating func exampleOfProxy() async throws {
        let proxy = try Proxy("socks5://127.0.0.1:1080")
        print(proxy)
        _ = proxy
    }
    mutating func exampleOfRequestOptions() async throws {
        var request = request
        request.options = RequestOptions()
        request.options?.timeLimit = 60
        _ = try await manager.data(for: request)
        _ = request
    }
    mutating func exampleOfAuthorityFiles() async throws {
        var options = RequestOptions()
        options.authorities = AuthorityFiles(file: "authority.pem")
        _ = options
    }
    mutating func exampleOfRequestCredentials() async throws {
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: "name", password: "password", scheme: .digest)
        _ = options
    }
    mutating func exampleOfRequestCredentialsScheme() async throws {
        print(RequestCredentials.Scheme.allCases.map(\.rawValue))
    }
    mutating func exampleOfCookieStore() async throws {
        final class OneCookie: CookieStore {
            func field(for url: String) -> String? { "theme=dark" }
            func store(_ fields: [String], from url: String) {}
        }
        var options = RequestOptions()
        options.cookies = OneCookie()
        _ = options
    }
    mutating func exampleOfSessionError() async throws {
        do {
            _ = try await manager.data(for: request)
        } catch let error as SessionError where error.code == .unknownHost {
            print(error)
        }
    }
    mutating func exampleOfSessionErrorCode() async throws {
        let passing: Set<SessionError.Code> = [.timedOut, .connectionLost, .networkUnreachable]
        print(passing.contains((task.error as? SessionError)?.code ?? .cancelled))
        _ = passing
    }
    mutating func exampleOfUnderlyingError() async throws {
        if let error = task.error as? SessionError, let cause = error.underlying?.error { print(cause) }
    }
    mutating func exampleOfTransferRequest() async throws {
        let request = TransferRequest(url: "https://example.org/notes", method: "PUT", body: .data(Data("note".utf8)))
        _ = try await manager.data(for: request)
        _ = request
    }
    mutating func exampleOfBodySpecification() async throws {
        var request = request
        request.body = .file(path: file.path)
        _ = try await manager.upload(for: request, from: request.body)
        _ = request
    }
    mutating func exampleOfCachePolicy() async throws {
        var request = request
        request.cachePolicy = .returnCacheDataElseLoad
        print(try await manager.data(for: request).isFromCache)
        _ = request
    }
    mutating func exampleOfUploadResumption() async throws {
        var request = request
        request.uploadResumption = .tus
        _ = try await manager.upload(for: request, fromFile: file)
        _ = request
    }
}
