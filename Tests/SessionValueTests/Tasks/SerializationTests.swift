import Foundation
import FoundationNetworking
import Testing

@testable import SessionCore

@Suite struct SerializationTests {
    private let json = JSONResponseSerializer()

    private func head(_ status: Int = 200, _ type: String? = "application/json; charset=utf-8") -> ResponseHead {
        var head = ResponseHead(statusCode: status, url: "http://127.0.0.1/x")
        if let type { head.headers["Content-Type"] = type }
        return head
    }

    private func reason(_ error: (any Error)?) -> ResponseSerializationError.Reason? {
        (error as? ResponseSerializationError)?.reason
    }

    @Test("K02: the HTTP serializer returns the data also when validation fails")
    func theHTTPSerializerReturnsTheData() {
        let result = HTTPResponseSerializer().serialize(head: head(500), data: Data([1]))
        #expect(result.object as? Data == Data([1]))
        #expect(reason(result.error) == .unacceptableStatusCode(500))
    }

    @Test("K03: 200 to 299 are accepted, and nil accepts every status")
    func twoHundredsAreAccepted() {
        var serializer = HTTPResponseSerializer()
        for status in [200, 204, 299] {
            #expect(serializer.serialize(head: head(status), data: Data()).error == nil)
        }
        for status in [199, 300, 404] {
            #expect(
                reason(serializer.serialize(head: head(status), data: Data()).error) == .unacceptableStatusCode(status))
        }
        serializer.validation.statusCodes = nil
        #expect(serializer.serialize(head: head(404), data: Data()).error == nil)
    }

    @Test("K04: content types are compared without parameters and case")
    func contentTypesAreComparedWithoutParameters() {
        let result = json.serialize(head: head(200, "Application/JSON;charset=x"), data: Data("[1]".utf8))
        #expect(result.error == nil)
        #expect((result.object as? [any Sendable])?.count == 1)
    }

    @Test("K05 K20: a wrong type of an empty body fails without an error")
    func aWrongTypeOfAnEmptyBodyFailsWithoutAnError() {
        let empty = json.serialize(head: head(200, "text/html"), data: Data())
        #expect(empty.error == nil && empty.object == nil)
        let full = json.serialize(head: head(200, "text/html"), data: Data("{}".utf8))
        #expect(full.object == nil)
        #expect(reason(full.error) == .unacceptableContentType("text/html"))
        #expect(json.serialize(head: head(200, nil), data: Data()).error == nil)
        #expect(
            reason(json.serialize(head: head(200, nil), data: Data("{}".utf8)).error) == .unacceptableContentType(nil))
    }

    @Test("K07: as an NSError it has the original's domain, codes and keys")
    func asAnNSErrorItHasTheOriginalsCodes() throws {
        let status = json.serialize(head: head(404), data: Data("{}".utf8)).error
        let error = try #require(status) as NSError
        #expect(error.domain == "com.alamofire.error.serialization.response")
        #expect(error.code == -1011)
        #expect(error.userInfo[ResponseSerializationError.dataKey] as? Data == Data("{}".utf8))
        let response = error.userInfo[ResponseSerializationError.responseKey] as? HTTPURLResponse
        #expect(response?.statusCode == 404)
        #expect((error.userInfo[NSURLErrorFailingURLErrorKey] as? URL)?.absoluteString == "http://127.0.0.1/x")
        #expect(error.localizedDescription == "Request failed: Not Found (404)")
        let type = json.serialize(head: head(200, "text/html"), data: Data("{}".utf8)).error
        #expect((try #require(type) as NSError).code == -1016)
    }

    @Test("K08: the status error is outer, the content type's error lies under it")
    func theStatusErrorIsOuter() throws {
        let result = json.serialize(head: head(500, "text/html"), data: Data("<html>".utf8))
        let error = try #require(result.error as? ResponseSerializationError)
        #expect(error.reason == .unacceptableStatusCode(500))
        #expect(reason(error.underlying) == .unacceptableContentType("text/html"))
        #expect(result.object == nil)
    }

    @Test("K11 D11: a 404 with JSON has an object and an error")
    func aNotFoundWithJSONHasBoth() {
        let result = json.serialize(head: head(404), data: Data(#"{"a":1}"#.utf8))
        #expect((result.object as? [String: any Sendable])?["a"] as? NSNumber == 1)
        #expect((result.object as? [String: Any])?.keys.first == "a")
        #expect(reason(result.error) == .unacceptableStatusCode(404))
    }

    @Test("K12 KB48: an empty body and a single space are no object and no error")
    func aBlankBodyIsNoObject() {
        for body in ["", " "] {
            let result = json.serialize(head: head(), data: Data(body.utf8))
            #expect(result.object == nil && result.error == nil)
        }
    }

    @Test("K13 KB24: a body that does not parse lies under the status error, and is primary without one")
    func aMalformedBodyLiesUnderTheStatus() throws {
        let bad = Data("{".utf8)
        let plain = try #require(json.serialize(head: head(), data: bad).error as? ResponseSerializationError)
        guard case .malformedBody = plain.reason else {
            Issue.record("\(plain)")
            return
        }
        let failed = try #require(json.serialize(head: head(404), data: bad).error as? ResponseSerializationError)
        #expect(failed.reason == .unacceptableStatusCode(404))
        guard case .malformedBody? = reason(failed.underlying) else {
            Issue.record("\(failed)")
            return
        }
    }

    @Test("K14: nulls leave objects and arrays at every depth")
    func nullsAreRemoved() throws {
        var serializer = json
        let body = Data(#"{"a":null,"b":[1,null,{"c":null,"d":"e"}]}"#.utf8)
        let kept = try #require(serializer.serialize(head: head(), data: body).object as? [String: any Sendable])
        #expect(kept["a"] is NSNull)
        serializer.removesNullValues = true
        let object = try #require(serializer.serialize(head: head(), data: body).object as? [String: any Sendable])
        #expect(Set(object.keys) == ["b"])
        let array = try #require(object["b"] as? [any Sendable])
        #expect(array.count == 2)
        #expect((array.last as? [String: any Sendable])?.keys.sorted() == ["d"])
    }

    @Test("K10: three types are JSON, nulls stay, and nothing of Foundation's parser is changed")
    func theDefaultsOfJSON() {
        #expect(JSONResponseSerializer.contentTypes == ["application/json", "text/json", "text/javascript"])
        #expect(!json.removesNullValues && json.readingOptions == [])
    }

    @Test("K18: bytes of any type are handed over as they are")
    func theDataSerializerAcceptsEverything() {
        let result = DataResponseSerializer().serialize(head: head(500, "text/html"), data: Data([1]))
        #expect(result.error == nil)
        #expect(result.object as? Data == Data([1]))
    }

    @Test("KB25: a head without a URL that Foundation accepts is validated all the same")
    func aHeadWithoutAFoundationURLIsValidatedAllTheSame() {
        var head = head(404)
        head.url = ""
        #expect(reason(json.serialize(head: head, data: Data()).error) == .unacceptableStatusCode(404))
    }
}
