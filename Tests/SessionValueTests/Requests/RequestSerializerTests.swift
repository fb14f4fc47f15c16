import Foundation
import Testing

@testable import SessionCore
@testable import SessionHTTP

@Suite("Request serializers", .timeLimit(.minutes(1)))
struct RequestSerializerTests {
    private let http = HTTPRequestSerializer()
    private let json = JSONRequestSerializer()
    private let url = "http://example.org/path"

    private func text(_ request: TransferRequest) -> String? {
        guard case .bytes(let bytes) = request.body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "L01 L12: a serializer makes a request of method, URL and parameters, or throws",
        arguments: [
            "", "/relative", "example.org", "ftp://example.org/", "http://", "http:///path",
        ])
    func badURLs(_ text: String) throws {
        let error = #expect(throws: RequestSerializationError.self) { try http.request("GET", text) }
        #expect(error?.reason == .invalidURL(text))
        #expect((error.map { $0 as NSError })?.code == -1000)
        #expect(try http.request("PATCH", url).method == "PATCH")
    }

    @Test("L06: settings reach a request only where they were set")
    func settings() throws {
        let plain = try http.request("GET", url)
        #expect(plain.idleTimeout == nil && plain.allowsHTTP2 == nil && plain.cachePolicy == .useProtocolCachePolicy)
        var serializer = http
        serializer.settings.idleTimeout = 5
        serializer.settings.cachePolicy = .returnCacheDataElseLoad
        serializer.settings.allowsHTTP2 = false
        let request = try serializer.request("GET", url)
        #expect(request.idleTimeout == 5 && request.allowsHTTP2 == false)
        #expect(request.cachePolicy == .returnCacheDataElseLoad)
    }

    @Test("L06: a default field with several lines is sent with all of them, unless the request has its own")
    func severalLines() throws {
        var serializer = http
        serializer.settings.headers = ["Accept": "a/1"]
        serializer.settings.headers.append(name: "accept", value: "b/1")
        #expect(try serializer.request("GET", url).headers.values(named: "Accept") == ["a/1", "b/1"])
        let own = try serializer.request("GET", url, headers: ["ACCEPT": "c/1"])
        #expect(own.headers.values(named: "Accept") == ["c/1"])
    }

    @Test(
        "L07: the languages of the user, at most six, each less wanted than the one before",
        arguments: [
            (["LANG": "de_AT.UTF-8"], "de-AT;q=1"),
            (["LANG": "C.UTF-8"], "en;q=1"), ([:], "en;q=1"), (["LANG": "POSIX"], "en;q=1"),
            (["LANG": "de_DE", "LANGUAGE": "de:en_GB:fr"], "de;q=1, en-GB;q=0.9, fr;q=0.8, de-DE;q=0.7"),
            (["LC_ALL": "", "LC_MESSAGES": "sv_SE@x", "LANG": "fr"], "sv-SE;q=1"),
            (["LANG": "C", "LANGUAGE": "de"], "en;q=1"), (["LANG": "de\r\nX: y"], "en;q=1"),
            (["LANG": "a", "LANGUAGE": "b:c:d:e:f:g"], "b;q=1, c;q=0.9, d;q=0.8, e;q=0.7, f;q=0.6, g;q=0.5"),
        ])
    func languages(_ environment: [String: String], _ field: String) {
        #expect(HostProgram.acceptLanguage(of: environment) == field)
    }

    @Test("L07: the program names itself, in ASCII, and not this library")
    func userAgent() throws {
        #expect(HostProgram.userAgent(name: "Größe (x)/\r\n", version: "1.0 beta").hasPrefix("Groex/1.0beta (Linux; "))
        #expect(HostProgram.userAgent(name: "中文", version: nil).hasPrefix("program (Linux; "))
        let fields = try http.request("GET", url).headers
        let name = ProcessInfo.processInfo.processName
        #expect(fields["User-Agent"]?.contains("SessionCore/") == false)
        #expect(fields["User-Agent"] == HostProgram.userAgent(name: name))
        #expect(fields["Accept-Language"] == HostProgram.acceptLanguage())
    }

    @Test("L08 L09 G01: fields and credentials are set, read and cleared, whatever the case of their names")
    func headers() throws {
        var serializer = http
        serializer.settings.headers["X-Own"] = "1"
        #expect(serializer.settings.headers["x-own"] == "1")
        serializer.settings.setAuthorization(user: "Aladdin", password: "open sesame")
        let fields = try serializer.request("GET", url).headers
        #expect(fields["Authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==" && fields["X-Own"] == "1")
        serializer.settings.setAuthorization(user: "ü", password: "")
        #expect(serializer.settings.headers["Authorization"] == "Basic w7w6")
        serializer.settings.setAuthorization(bearer: "t")
        #expect(serializer.settings.headers["Authorization"] == "Bearer t")
        serializer.settings.clearAuthorization()
        serializer.settings.headers["X-Own"] = nil
        let rest = try serializer.request("GET", url).headers
        #expect(rest["Authorization"] == nil && rest["X-Own"] == nil)
    }

    @Test(
        "L10 L14: three methods have their parameters in the URL, and never a question mark alone",
        arguments: [
            ("http://example.org/path", "http://example.org/path?a=1"),
            ("http://example.org/path?b=2", "http://example.org/path?b=2&a=1"),
            ("http://example.org/path?", "http://example.org/path?a=1"),
            ("http://example.org/path?b&", "http://example.org/path?b&a=1"),
            ("http://example.org/path#end", "http://example.org/path?a=1#end"),
            ("http://example.org/path?b=2#e?nd", "http://example.org/path?b=2&a=1#e?nd"),
            ("http://example.org", "http://example.org?a=1"),
        ])
    func queryInTheURL(_ url: String, _ expected: String) throws {
        for method in ["GET", "HEAD", "DELETE", "get"] {
            let request = try http.request(method, url, parameters: ["a": 1])
            #expect(request.url == expected && request.body == .none && request.headers["Content-Type"] == nil)
            #expect(try json.request(method, url, parameters: ["a": 1]).url == expected)
            #expect(try http.request(method, url, parameters: [:]).url == url)
            #expect(try http.request(method, url).url == url)
        }
    }

    @Test("L10 KB49: a DELETE has a body where its method is taken out of the set")
    func deleteWithABody() throws {
        var serializer = json
        serializer.settings.methodsWithParametersInURL.remove("DELETE")
        let request = try serializer.request("DELETE", url, parameters: ["a": 1])
        #expect(request.url == url && text(request) == #"{"a":1}"#)
        serializer.settings.methodsWithParametersInURL = ["purge"]
        #expect(try serializer.request("Purge", url, parameters: ["a": 1]).url == url + "?a=1")
    }

    @Test("L11: a closure writes the query in its own way, also as a body; its error fails the request")
    func customQuery() throws {
        struct Refused: Error {}
        var serializer = http
        serializer.settings.customQuery = { request, parameters in
            guard case .object(let members) = parameters else { throw Refused() }
            return request.method + "|" + members.keys.sorted().joined(separator: "|")
        }
        #expect(try serializer.request("GET", url, parameters: ["b": 1, "a": 2]).url == url + "?GET|a|b")
        #expect(text(try serializer.request("POST", url, parameters: ["c": 1])) == "POST|c")
        let error = #expect(throws: RequestSerializationError.self) {
            try serializer.request("POST", url, parameters: "x")
        }
        #expect(error?.underlying?.error is Refused && error?.url == url)
        serializer.settings.queryEncoding = QueryEncoding()
        #expect(serializer.settings.customQuery == nil)
        #expect(text(try serializer.request("POST", url, parameters: ["c": 1])) == "c=1")
    }

    @Test("L13 L15: a body is a form, an empty one without parameters; a request's own fields stay")
    func forms() throws {
        let filled = try http.request("POST", url, parameters: ["key": ["a b"]])
        #expect(text(filled) == "key%5B%5D=a%20b")
        #expect(filled.headers["Content-Type"] == "application/x-www-form-urlencoded")
        let empty = try http.request("PUT", url)
        #expect(empty.body == .bytes([]) && empty.headers["Content-Type"] == "application/x-www-form-urlencoded")
        let own = TransferRequest(
            url: url, method: "POST", headers: ["content-type": "text/own", "user-agent": "own"])
        let request = try http.serialize(own, parameters: ["a": 1])
        #expect(request.headers.values(named: "Content-Type") == ["text/own"])
        #expect(request.headers.values(named: "User-Agent") == ["own"])
        #expect(request.headers["Accept-Language"] != nil)
    }

    @Test("L16: JSON bodies, and neither body nor type without parameters")
    func jsonBodies() throws {
        let request = try json.request(
            "POST", url, parameters: ["b": [true, nil, 1, 0.5], "a": "ü\"/", "c": .set([2, 1])])
        #expect(text(request) == #"{"a":"ü\"\/","b":[true,null,1,0.5],"c":[1,2]}"#)
        #expect(request.headers["Content-Type"] == "application/json")
        let none = try json.request("POST", url)
        #expect(none.body == .none && none.headers["Content-Type"] == nil)
        #expect(text(try json.request("POST", url, parameters: [1, 2])) == "[1,2]")
        struct Item: Encodable {
            var name: String
            var when: Date
        }
        var serializer = json
        serializer.makeEncoder = {
            let encoder = JSONRequestSerializer.standardEncoder()
            encoder.dateEncodingStrategy = .secondsSince1970
            return encoder
        }
        let item = Item(name: "x", when: Date(timeIntervalSince1970: 5))
        #expect(text(try serializer.request("POST", url, encoding: item)) == #"{"name":"x","when":5}"#)
        #expect(try json.request("GET", url, encoding: ["a": [1]]).url == url + "?a%5B%5D=1")
        #expect(text(try json.request("POST", url, encoding: ParameterValue.object(["a": 1]))) == #"{"a":1}"#)
    }

    @Test(
        "L16 L28: what is no JSON is the original's error",
        arguments: [
            ["a": .number(.nan)], ["a": [.number(.infinity)]], "text", 5,
        ] as [ParameterValue])
    func invalidJSON(_ parameters: ParameterValue) throws {
        let error = try #require(
            #expect(throws: RequestSerializationError.self) { try json.request("POST", url, parameters: parameters) })
        let foundation = error as NSError
        #expect(foundation.domain == "com.alamofire.error.serialization.request" && foundation.code == -1016)
        #expect(foundation.localizedDescription.hasPrefix("The `parameters` argument is not valid JSON."))
        #expect(foundation.userInfo["com.alamofire.serialization.request.error.response"] as? String == url)
    }

    @Test("L28: an error shows no password of its URL")
    func errorsHideSecrets() throws {
        let error = try #require(
            #expect(throws: RequestSerializationError.self) {
                try json.request("POST", "http://me:hunter2@example.org/?token=hunter2", parameters: "x")
            })
        #expect(!"\(error) \((error as NSError).userInfo) \(error.localizedDescription)".contains("hunter2"))
        let bad = #expect(throws: RequestSerializationError.self) { try json.request("GET", "ftp://me:hunter2@x/") }
        #expect(bad?.description.contains("hunter2") == false)
    }

    @Test("L17: property lists, whose values are those that lists have")
    func propertyLists() throws {
        let serializer = PropertyListRequestSerializer()
        let parameters: ParameterValue = ["a": [1, true, "x"], "b": .data(Data([1])), "c": .set([1])]
        let request = try serializer.request("POST", url, parameters: parameters)
        #expect(request.headers["Content-Type"] == "application/x-plist")
        #expect(text(request)?.hasPrefix("<?xml") == true)
        let bytes = Data(try #require(text(request)).utf8)
        let read = try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any]
        #expect((read?["a"] as? [Any])?.count == 3 && read?["b"] as? Data == Data([1]))
        let error = #expect(throws: RequestSerializationError.self) {
            try serializer.request("POST", url, parameters: ["a": nil])
        }
        guard case .invalidPropertyList? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        let none = try serializer.request("POST", url)
        #expect(none.body == .none && none.headers["Content-Type"] == nil)
        let binary = try PropertyListRequestSerializer(format: .binary).request("PUT", url, encoding: ["a": 1])
        #expect(text(binary)?.hasPrefix("bplist00") == true)
    }

    @Test("L05: texts are UTF-8, whatever they hold")
    func encoding() throws {
        let request = try http.request("POST", url, parameters: ["é": "e\u{301}"])
        #expect(text(request) == "%C3%A9=e%CC%81")
    }

    @Test("L29 KB30: a copy has everything, and coding keeps everything but closures and secrets")
    func copying() throws {
        var serializer = json
        serializer.settings.idleTimeout = 7
        serializer.settings.methodsWithParametersInURL = ["GET"]
        serializer.settings.queryEncoding = QueryEncoding(lists: .indices)
        serializer.settings.headers["X-Own"] = "1"
        serializer.settings.setAuthorization(user: "me", password: "hunter2")
        let copy = serializer
        serializer.settings.idleTimeout = nil
        #expect(copy.settings.idleTimeout == 7 && copy.settings.headers["Authorization"] != nil)
        let data = try JSONEncoder().encode(copy)
        #expect(!String(decoding: data, as: UTF8.self).contains("Basic"))
        let read = try JSONDecoder().decode(JSONRequestSerializer.self, from: data)
        #expect(read.settings.idleTimeout == 7 && read.settings.methodsWithParametersInURL == ["GET"])
        #expect(read.settings.queryEncoding == QueryEncoding(lists: .indices))
        #expect(read.settings.headers["X-Own"] == "1" && read.settings.headers["Authorization"] == nil)
        #expect(read.writingOptions == [.sortedKeys])
        let list = try JSONDecoder().decode(
            PropertyListRequestSerializer.self,
            from: JSONEncoder().encode(PropertyListRequestSerializer(format: .binary)))
        #expect(list.format == .binary)
    }
}
