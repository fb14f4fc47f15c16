// swift-format-ignore-file
// Made of docs/FROM_ALAMOFIRE.md; NETDASH_UPDATE_DOCUMENTS=1 makes it anew.
import SessionCore
import SessionHTTP
import SessionStubs
import SessionXML

extension Surroundings {
    mutating func row1FromAlamofire() async throws {
        let http = HTTPManager()
        _ = http
    }
    mutating func row2FromAlamofire() async throws {
        use(try await manager.decode(Int.self, for: request))
    }
    mutating func row3FromAlamofire() async throws {
        use(try await manager.data(for: request, as: .data))
    }
    mutating func row4FromAlamofire() async throws {
        use(try await manager.data(for: request, as: .string))
    }
    mutating func row5FromAlamofire() async throws {
        use(try await manager.response(for: request, as: .json).completion.metrics)
    }
    mutating func row6FromAlamofire() async throws {
        let request: any TaskRequest = request
        _ = request
    }
    mutating func row7FromAlamofire() async throws {
        use(try await http.get("a", parameters: ["b": 1], as: .json))
    }
    mutating func row8FromAlamofire() async throws {
        use(try await http.post("a", body: ["b": 1], as: .json))
    }
    mutating func row9FromAlamofire() async throws {
        use(HTTPRequestSerializer())
    }
    mutating func row10FromAlamofire() async throws {
        use(JSONRequestSerializer())
    }
    mutating func row11FromAlamofire() async throws {
        use((any RequestSerializer).self)
    }
    mutating func row12FromAlamofire() async throws {
        use(try await manager.bytes(for: request))
    }
    mutating func row13FromAlamofire() async throws {
        taskOptions.delivery = .data { chunk in print(chunk.count) }
    }
    mutating func row14FromAlamofire() async throws {
        use(try await manager.upload(for: request, from: Data()))
    }
    mutating func row15FromAlamofire() async throws {
        use(try await manager.upload(for: request, fromFile: file))
    }
    mutating func row16FromAlamofire() async throws {
        use(try await manager.upload(MultipartRequest(request, form: MultipartForm())))
    }
    mutating func row17FromAlamofire() async throws {
        use(try await manager.download(for: request).fileURL)
    }
    mutating func row18FromAlamofire() async throws {
        use(try await manager.download(for: request, destination: { file, head in file }))
    }
    mutating func row19FromAlamofire() async throws {
        use(try manager.downloadTask(withResumeData: resumeData, completionHandler: nil))
    }
    mutating func row20FromAlamofire() async throws {
        use(["Accept": "text/plain"] as HeaderFields)
    }
    mutating func row21FromAlamofire() async throws {
        options.credentials = RequestCredentials(user: "a", password: "b")
    }
    mutating func row22FromAlamofire() async throws {
        use(task.suspend())
    }
    mutating func row23FromAlamofire() async throws {
        taskOptions.downloadProgress = { progress in print(progress) }
    }
    mutating func row24FromAlamofire() async throws {
        use(request.cURLDescription)
    }
    mutating func row25FromAlamofire() async throws {
        use((any RequestInterceptor).self)
    }
    mutating func row26FromAlamofire() async throws {
        use(ClosureInterceptor(adapt: { request, _ in request }, decide: { _ in .retry() }))
    }
    mutating func row27FromAlamofire() async throws {
        use(TokenInterceptor { _ in "new" })
    }
    mutating func row28FromAlamofire() async throws {
        use(RequestRetrier(maximumRetries: 2))
    }
    mutating func row29FromAlamofire() async throws {
        taskOptions.validate = { head, _ in print(head.statusCode) }
    }
    mutating func row30FromAlamofire() async throws {
        use((any ResponseSerializer).self)
    }
    mutating func row31FromAlamofire() async throws {
        use(manager.add(SessionLog { line in print(line) }))
    }
    mutating func row32FromAlamofire() async throws {
        manager.hostSecurityPolicies = ["*.example.org": .default]
    }
    mutating func row33FromAlamofire() async throws {
        use(try SecurityPolicy(pinningMode: .publicKey))
    }
    mutating func row34FromAlamofire() async throws {
        options.acceptsAnyCertificate = true
    }
    mutating func row35FromAlamofire() async throws {
        manager.onRedirect = { task, head, request in nil }
    }
    mutating func row36FromAlamofire() async throws {
        manager.onWillCacheResponse = { task, response in nil }
    }
    mutating func row37FromAlamofire() async throws {
        use(try ReachabilityManager(domain: "example.org").statuses)
    }
    mutating func row38FromAlamofire() async throws {
        use((SessionError.self, ResponseSerializationError.self, RequestSerializationError.self))
    }
}
