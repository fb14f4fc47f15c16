import Foundation
import Glibc
public import SessionCore
import SessionSupport

/// The settings of a serializer's requests, whatever the format of its bodies.
///
/// A value: a copy has everything its original has. A nil setting is left to the session's configuration.
///
/// ```swift
/// http.requestSerializer.settings.setAuthorization(bearer: "token")
/// http.requestSerializer.settings.idleTimeout = 10
/// ```
public struct RequestSettings: Sendable {
    /// Writes the query or the form of parameters in the caller's format; its error fails the request.
    public typealias CustomQuery = @Sendable (TransferRequest, ParameterValue) throws -> String

    /// Fields for requests that lack them: by default the user's `Accept-Language` and the program's `User-Agent`.
    public var headers: HeaderFields
    /// The methods with parameters in the URL, in upper case; all others have them in the body.
    ///
    /// GET, HEAD and DELETE by default. If `DELETE` is removed, a DELETE has a body.
    public var methodsWithParametersInURL: Set<String> {
        didSet { methodsWithParametersInURL = Set(methodsWithParametersInURL.map { $0.uppercased() }) }
    }
    /// The format of a query; setting it clears ``customQuery``.
    public var queryEncoding: QueryEncoding {
        didSet { customQuery = nil }
    }
    /// Writes queries and forms instead of ``queryEncoding``; nil by default.
    public var customQuery: CustomQuery?
    /// Seconds without a byte sent or received after which an attempt counts as stalled.
    public var idleTimeout: Double?
    /// Whether the manager's response cache may answer.
    public var cachePolicy: CachePolicy?
    /// Whether HTTP/2 may be used.
    public var allowsHTTP2: Bool?

    private static let standardHeaders: HeaderFields = [
        "Accept-Language": HostProgram.acceptLanguage(), "User-Agent": HostProgram.userAgent(),
    ]

    /// AFNetworking's settings: two fields about user and program, and three methods with parameters in the URL.
    public init() {
        headers = Self.standardHeaders
        methodsWithParametersInURL = ["GET", "HEAD", "DELETE"]
        queryEncoding = QueryEncoding()
    }

    /// Sets the `Authorization` field of every request to a user name and a password, in UTF-8 and readable on an
    /// unencrypted connection (RFC 7617).
    ///
    /// A redirect to another origin does not get it.
    public mutating func setAuthorization(user: String, password: String) {
        headers["Authorization"] = "Basic " + Base64.encode(Array("\(user):\(password)".utf8))
    }

    /// Sets the `Authorization` field of every request to a token (RFC 6750).
    public mutating func setAuthorization(bearer token: String) { headers["Authorization"] = "Bearer " + token }

    /// Removes the `Authorization` field.
    public mutating func clearAuthorization() { headers["Authorization"] = nil }

    /// Methods are compared in upper case.
    func putsParametersInURL(_ method: String) -> Bool { methodsWithParametersInURL.contains(method.uppercased()) }

    func complete(_ request: inout TransferRequest) {
        // The request's own fields count, not the lines added here: a field may have several.
        let own = request.headers
        for field in headers where own[field.name] == nil {
            request.headers.append(name: field.name, value: field.value)
        }
    }

    /// The query or form of parameters, which may be empty.
    func query(
        of parameters: ParameterValue, for request: TransferRequest
    ) throws(RequestSerializationError) -> String {
        guard let customQuery else { return try queryEncoding.query(of: parameters) }
        do {
            return try customQuery(request, parameters)
        } catch {
            throw RequestSerializationError(.queryFailed(error.sentence), url: request.url, underlying: error)
        }
    }
}

extension RequestSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case headers, methodsWithParametersInURL, queryEncoding, idleTimeout, cachePolicy, allowsHTTP2
    }

    /// Reads settings; they contain no closure and no field with a secret.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        headers = try values.decode(HeaderFields.self, forKey: .headers)
        methodsWithParametersInURL = try values.decode(Set<String>.self, forKey: .methodsWithParametersInURL)
        queryEncoding = try values.decode(QueryEncoding.self, forKey: .queryEncoding)
        idleTimeout = try values.decodeIfPresent(Double.self, forKey: .idleTimeout)
        cachePolicy = try values.decodeIfPresent(CachePolicy.self, forKey: .cachePolicy)
        allowsHTTP2 = try values.decodeIfPresent(Bool.self, forKey: .allowsHTTP2)
    }

    /// Writes everything but ``customQuery`` and the fields whose name indicates a secret.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(headers.withoutSecrets, forKey: .headers)
        try values.encode(methodsWithParametersInURL, forKey: .methodsWithParametersInURL)
        try values.encode(queryEncoding, forKey: .queryEncoding)
        try values.encodeIfPresent(idleTimeout, forKey: .idleTimeout)
        try values.encodeIfPresent(cachePolicy, forKey: .cachePolicy)
        try values.encodeIfPresent(allowsHTTP2, forKey: .allowsHTTP2)
    }
}

extension HeaderFields {
    /// The fields whose names do not mark a secret, which are all that is written.
    var withoutSecrets: HeaderFields {
        var plain = HeaderFields()
        for field in self where !Redaction.hidesField(field.name) { plain.append(field) }
        return plain
    }
}

/// The fields that describe the program that sends the requests, which is the library's user and not the library.
enum HostProgram {
    /// The user's languages as `Accept-Language` lists them: at most six, each weighted a tenth less than the one
    /// before (RFC 9110, 12.5.4).
    static func acceptLanguage(of environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        languages(of: environment).prefix(6).enumerated().map { index, language in
            language + ";q=" + (index == 0 ? "1" : "0.\(10 - index)")
        }.joined(separator: ", ")
    }

    /// The languages in order, from the locale variables; English if they name none.
    private static func languages(of environment: [String: String]) -> [String] {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        let locale = names.first { !$0.isEmpty } ?? ""
        // As in gettext, `LANGUAGE` counts only if a locale is set.
        let list = isNeutral(locale) ? "" : environment["LANGUAGE"] ?? ""
        var tags: [String] = []
        for name in list.split(separator: ":").map(String.init) + [locale] {
            guard let tag = tag(of: name), !tags.contains(tag) else { continue }
            tags.append(tag)
        }
        return tags.isEmpty ? ["en"] : tags
    }

    private static func isNeutral(_ locale: String) -> Bool {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        return ["", "C", "POSIX"].contains(name)
    }

    /// `de_AT.UTF-8@euro` as `de-AT`; nil if it is no language.
    private static func tag(of locale: String) -> String? {
        guard !isNeutral(locale) else { return nil }
        let tag = String(locale.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
        let isTag = tag.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || ByteText.isLetter(byte) || ByteText.isDigit(byte)
        }
        return isTag && tag.first?.isLetter == true ? tag : nil
    }

    /// `name/version (Linux; x86_64)`, without a version if the program has none.
    static func userAgent(
        name: String = ProcessInfo.processInfo.processName, version: String? = nil
    ) -> String {
        let version = version.map { "/" + token($0) } ?? ""
        return token(name) + version + " (Linux; \(machine))"
    }

    /// A name as one token of a header field, without accents and other characters a token may not have (RFC 9110,
    /// 5.6.2).
    private static func token(_ name: String) -> String {
        let plain = name.decomposedStringWithCanonicalMapping.utf8.filter(ByteText.isToken)
        return plain.isEmpty ? "program" : String(decoding: plain, as: UTF8.self)
    }

    private static var machine: String {
        var names = utsname()
        guard uname(&names) == 0 else { return "unknown" }
        return withUnsafeBytes(of: names.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
