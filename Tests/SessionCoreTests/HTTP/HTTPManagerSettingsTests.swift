import Foundation
import SessionSupport
import Testing

@testable import SessionCore
@testable import SessionHTTP
@testable import SessionXML

/// An HTTP manager that is written down and read again.
@Suite("Settings of an HTTP manager", .timeLimit(.minutes(1)))
struct HTTPManagerSettingsTests {
    private struct OwnSerializer: ResponseSerializer {
        func serialize(head: ResponseHead?, data: Data) -> SerializedResponse { SerializedResponse() }
    }

    struct CodableSerializer: ResponseSerializer, Codable {
        var mark: Int
        func serialize(head: ResponseHead?, data: Data) -> SerializedResponse { SerializedResponse() }
    }

    struct OwnRequests: RequestSerializer, Codable {
        var mark: String
        var settings = RequestSettings()
        func body(
            of parameters: ParameterValue?, for request: TransferRequest
        ) throws(RequestSerializationError) -> EncodedBody? { nil }

        init(mark: String) { self.mark = mark }
    }

    private func copy(_ settings: HTTPManagerSettings) throws -> HTTPManagerSettings {
        try JSONDecoder().decode(HTTPManagerSettings.self, from: JSONEncoder().encode(settings))
    }

    @Test("M12: base URL, configuration, serializers and policies come back")
    func coded() throws {
        var configuration = SessionConfiguration()
        configuration.maximumRetries = 7
        let http = try HTTPManager(
            baseURL: "https://example.org/v1", manager: SessionManager(configuration: configuration))
        var serializer = JSONRequestSerializer()
        serializer.settings.headers = ["X-Client": "one", "Authorization": "Bearer secret"]
        http.requestSerializer = serializer
        http.responseSerializer = JSONResponseSerializer(readingOptions: [.fragmentsAllowed], removesNullValues: true)
        var policy = SecurityPolicy()
        policy.validatesDomainName = false
        try http.setSecurityPolicy(policy)
        http.hostSecurityPolicies = ["*.example.org": policy]
        let text = String(decoding: try JSONEncoder().encode(http.settings), as: UTF8.self)
        #expect(!text.contains("secret"))
        let read = try HTTPManager(settings: copy(http.settings))
        #expect(read.baseURL == "https://example.org/v1/" && read.manager.configuration.maximumRetries == 7)
        #expect(read.securityPolicy == policy && read.hostSecurityPolicies == ["*.example.org": policy])
        let headers = try #require(read.requestSerializer as? JSONRequestSerializer).settings.headers
        #expect(headers["X-Client"] == "one" && headers["Authorization"] == nil)
        let reading = try #require(read.responseSerializer as? JSONResponseSerializer)
        #expect(reading.removesNullValues && reading.readingOptions == [.fragmentsAllowed])
        #expect(reading.validation == ResponseValidation(contentTypes: JSONResponseSerializer.contentTypes))
    }

    @Test("M12: no secret of the session's fields, of the manager's fields or of the base URL is written")
    func secrets() throws {
        var configuration = SessionConfiguration()
        configuration.additionalHeaders = [
            "User-Agent": "own/1", "Authorization": "Bearer hidden1", "Cookie": "hidden2", "X-Api-Key": "hidden3",
        ]
        let http = try HTTPManager(
            baseURL: "https://me:hidden4@example.org/v1?token=hidden5",
            manager: SessionManager(configuration: configuration))
        http.requestHeaders.setValue("nb", forHTTPHeaderField: "X-Language")
        http.requestHeaders.setValue("Bearer hidden6", forHTTPHeaderField: "Authorization")
        let text = String(decoding: try JSONEncoder().encode(http.settings), as: UTF8.self)
        #expect(!text.contains("hidden"))
        let read = try HTTPManager(settings: copy(http.settings))
        #expect(read.manager.configuration.additionalHeaders == ["User-Agent": "own/1"])
        #expect(read.baseURL?.hasPrefix("https://example.org/v1/") == true)
        #expect(read.requestHeaders.snapshot == ["X-Language": "nb"])
        // As a value in memory they keep everything.
        let same = try HTTPManager(settings: http.settings)
        #expect(same.baseURL == http.baseURL && same.manager.configuration == configuration)
        #expect(same.requestHeaders.snapshot == http.requestHeaders.snapshot)
    }

    @Test("M12: settings that were written before they had the manager's fields are read without them")
    func olderSettings() throws {
        let written = try JSONEncoder().encode(HTTPManagerSettings(baseURL: "https://example.org"))
        var members = try #require(try JSONSerialization.jsonObject(with: written) as? [String: Any])
        members["requestHeaders"] = nil
        let older = try JSONSerialization.data(withJSONObject: members)
        let read = try HTTPManager(settings: JSONDecoder().decode(HTTPManagerSettings.self, from: older))
        #expect(read.baseURL == "https://example.org" && read.requestHeaders.snapshot.isEmpty)
    }

    @Test("M12: what was not set stays unset")
    func defaults() throws {
        let settings = try copy(HTTPManager().settings)
        #expect(settings.baseURL == nil && settings.responseSerializer == nil)
        #expect(settings.requestSerializer is HTTPRequestSerializer)
        #expect(try HTTPManager(settings: settings).manager.state.withLock { $0.serializer == nil })
    }

    @Test("M12: every serializer of the library comes back as the one it is")
    func kinds() throws {
        let requests: [any RequestSerializer] = [
            HTTPRequestSerializer(), JSONRequestSerializer(), PropertyListRequestSerializer(),
        ]
        let responses: [any ResponseSerializer] = [
            HTTPResponseSerializer(), DataResponseSerializer(), JSONResponseSerializer(),
            PropertyListResponseSerializer(), StringResponseSerializer(encoding: .isoLatin1),
        ]
        var settings = HTTPManagerSettings()
        for serializer in requests {
            settings.requestSerializer = serializer
            #expect(try type(of: copy(settings).requestSerializer) == type(of: serializer))
        }
        for serializer in responses {
            settings.responseSerializer = serializer
            #expect(try copy(settings).responseSerializer.map { type(of: $0) == type(of: serializer) } == true)
        }
        #expect(try (copy(settings).responseSerializer as? StringResponseSerializer)?.encoding == .isoLatin1)
    }

    @Test("M12: serializers of other modules, of the program's own that are Codable, and compounds of them come back")
    func otherModules() throws {
        var xml = XMLResponseSerializer()
        xml.validation.contentTypes = ["application/atom+xml"]
        let own = CodableSerializer(mark: 7)
        let compound = CompoundResponseSerializer(
            [JSONResponseSerializer(removesNullValues: true), xml, CompoundResponseSerializer([own])],
            validation: ResponseValidation(statusCodes: [200, 404]))
        var settings = HTTPManagerSettings()
        settings.responseSerializer = compound
        let read = try #require(copy(settings).responseSerializer as? CompoundResponseSerializer)
        #expect(read.validation == compound.validation && read.serializers.count == 3)
        #expect((read.serializers[0] as? JSONResponseSerializer)?.removesNullValues == true)
        #expect((read.serializers[1] as? XMLResponseSerializer)?.validation == xml.validation)
        let inner = try #require(read.serializers[2] as? CompoundResponseSerializer)
        #expect((inner.serializers.first as? CodableSerializer)?.mark == 7)
        settings.responseSerializer = xml
        #expect(try (copy(settings).responseSerializer as? XMLResponseSerializer)?.validation == xml.validation)
        settings.responseSerializer = own
        #expect(try (copy(settings).responseSerializer as? CodableSerializer)?.mark == 7)
        settings.requestSerializer = OwnRequests(mark: "x")
        #expect(try (copy(settings).requestSerializer as? OwnRequests)?.mark == "x")
        settings.responseSerializer = CompoundResponseSerializer([OwnSerializer()])
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(settings) }
    }

    @Test("M12: a type that is no serializer is not made one by its name")
    func strangeTypes() throws {
        var settings = HTTPManagerSettings()
        settings.responseSerializer = CodableSerializer(mark: 1)
        let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        let name = try #require(_mangledTypeName(CodableSerializer.self))
        #expect(text.contains(name))
        for other in [_mangledTypeName(Int.self) ?? "", _mangledTypeName(OwnSerializer.self) ?? "", "nothing", ""] {
            let strange = Data(text.replacing(name, with: other).utf8)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(HTTPManagerSettings.self, from: strange) }
        }
    }

    @Test("M12: a serializer of the program's own, an unknown one, and pins without https are refused in words")
    func refusals() throws {
        var settings = HTTPManagerSettings(baseURL: "http://example.org")
        settings.responseSerializer = OwnSerializer()
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(settings) }
        settings.responseSerializer = DataResponseSerializer()
        let text = String(decoding: try JSONEncoder().encode(settings), as: UTF8.self)
        let strange = Data(text.replacing("\"data\"", with: "\"xyz\"").utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(HTTPManagerSettings.self, from: strange) }
        settings.securityPolicy.pinningMode = .publicKey
        #expect(throws: SessionError.self) { try HTTPManager(settings: settings) }
        settings.baseURL = "nowhere"
        #expect(throws: RequestSerializationError.self) { try HTTPManager(settings: settings) }
    }
}
