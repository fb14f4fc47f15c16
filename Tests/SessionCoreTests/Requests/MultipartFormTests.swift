import Foundation
import Testing

@testable import SessionCore
@testable import SessionHTTP

@Suite("Multipart forms", .timeLimit(.minutes(1)))
struct MultipartFormTests {
    private let folder: TemporaryFolder
    private let url = "http://example.org/form"

    init() throws { folder = try TemporaryFolder() }

    private func form(_ build: (inout MultipartForm) throws -> Void) rethrows -> MultipartForm {
        var form = MultipartForm()
        form.boundary = "b"
        try build(&form)
        return form
    }

    /// What the form is when it is sent.
    private func bytes(_ form: MultipartForm) async throws -> Data {
        let file = folder.file("written")
        _ = try await MultipartRequest(TransferRequest(url: url, method: "POST"), form: form).write(to: file)
        return try Data(contentsOf: file)
    }

    private func text(_ form: MultipartForm) async throws -> String {
        String(decoding: try await bytes(form), as: UTF8.self)
    }

    @Test(
        "A type that the request has beside a form keeps its words and names the form's boundary",
        arguments: [
            (nil, "multipart/form-data; boundary=b", "b"), ("multipart/mixed", "multipart/mixed; boundary=b", "b"),
            ("Multipart/Related; start=x", "Multipart/Related; start=x; boundary=b", "b"),
            ("multipart/form-data; boundary=own; x=y", "multipart/form-data; boundary=own; x=y", "own"),
            ("multipart/form-data; Boundary=\"o w\"", "multipart/form-data; Boundary=\"o w\"", "o w"),
            ("text/plain", "text/plain", "b"),
        ] as [(String?, String, String)])
    func keepsType(own: String?, type: String, boundary: String) {
        var form = MultipartForm()
        form.boundary = "b"
        #expect(form.contentType(keeping: own) == type && form.boundary == boundary)
    }

    @Test("L20: the boundary is the original's, with digits that nobody can guess")
    func boundary() throws {
        let forms = (0..<50).map { _ in MultipartForm() }
        for form in forms {
            #expect(form.boundary.wholeMatch(of: /Boundary\+[0-9A-F]{16}/) != nil)
            #expect(form.contentType == "multipart/form-data; boundary=\(form.boundary)")
        }
        #expect(Set(forms.map(\.boundary)).count == 50)
    }

    @Test("L21: lines between parts, in front of the first and behind the last")
    func framing() async throws {
        let form = form { form in
            form.append("1", name: "a")
            form.append("", name: "b")
        }
        let part = "Content-Disposition: form-data; name="
        #expect(try await text(form) == "--b\r\n\(part)\"a\"\r\n\r\n1\r\n--b\r\n\(part)\"b\"\r\n\r\n\r\n--b--\r\n")
        #expect(try form.contentLength() == Int64(try await bytes(form).count))
        #expect(try MultipartForm().contentLength() == 0)
    }

    @Test("L22: a file has its own name, and the type of its end")
    func files() async throws {
        let file = try folder.write("content", to: "pîcture.PNG")
        let form = try form { form in try form.append(file: file, name: "f") }
        #expect(
            try await text(form) == "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"pîcture.PNG\"\r\n"
                + "Content-Type: image/png\r\n\r\ncontent\r\n--b--\r\n")
        #expect(MediaType.ofFile(named: "archive.tar.gz") == "application/gzip")
        #expect(
            ["none", ".", "x.unheard", ""].allSatisfy { MediaType.ofFile(named: $0) == "application/octet-stream" })
        #expect(try form.contentLength() == Int64(try await bytes(form).count))
    }

    @Test("L22: what is no file is refused with the original's words")
    func missingFiles() throws {
        var form = MultipartForm()
        let remote = try #require(URL(string: "https://me:hunter2@example.org/x"))
        let notFile = #expect(throws: RequestSerializationError.self) { try form.append(file: remote, name: "f") }
        #expect(notFile?.description.hasPrefix("Expected URL to be a file URL") == true)
        #expect(notFile?.description.contains("hunter2") == false && notFile?.errorCode == -1000)
        for (location, words) in [(folder.file("nothing"), "File URL not reachable"), (folder.url, folder.path)] {
            let gone = #expect(throws: RequestSerializationError.self) { try form.append(file: location, name: "f") }
            #expect(gone?.description.hasPrefix(words) == true)
        }
        #expect(form.parts.isEmpty)
    }

    @Test("L23: data, streams, and parts with fields of their own")
    func parts() async throws {
        let form = form { form in
            form.append(Data([0, 255]), name: "d", fileName: "x.bin", contentType: "a/b")
            form.append(InputStream(data: Data("stream".utf8)), length: 6, name: "s", fileName: "s.txt")
            form.append(headers: ["X-Own": "1", "Content-Type": "c/d"], body: Data("raw".utf8))
        }
        let length = try form.contentLength()
        var expected = Data("--b\r\nContent-Disposition: form-data; name=\"d\"; filename=\"x.bin\"\r\n".utf8)
        expected += Data("Content-Type: a/b\r\n\r\n".utf8) + Data([0, 255])
        expected += Data("\r\n--b\r\nContent-Disposition: form-data; name=\"s\"; filename=\"s.txt\"\r\n".utf8)
        expected += Data(
            "Content-Type: text/plain\r\n\r\nstream\r\n--b\r\nX-Own: 1\r\nContent-Type: c/d\r\n\r\nraw\r\n".utf8)
        expected += Data("--b--\r\n".utf8)
        #expect(try await bytes(form) == expected)
        #expect(length == Int64(expected.count))
    }

    @Test("L23 KB29: no name, type or field can end its line or its quotation marks")
    func injection() async throws {
        var form = form { form in form.append(Data(), name: "a\"\r\nX: y", fileName: "\n\"", contentType: "t\r\nX: y") }
        form.parts[0].headers["X-Own"] = "1\r\n\r\nbody"
        let sent = try await text(form)
        #expect(
            sent == "--b\r\nContent-Disposition: form-data; name=\"a%22%0D%0AX: y\"; filename=\"%0A%22\"\r\n"
                + "Content-Type: t%0D%0AX: y\r\nX-Own: 1%0D%0A%0D%0Abody\r\n\r\n\r\n--b--\r\n")
    }

    @Test("L18: parameters become parts as a query names them: bytes as they are, nothing as an empty part")
    func parameters() throws {
        let multipart = try HTTPRequestSerializer().multipartRequest(
            "POST", url, parameters: ["b": [1, true], "a": .data(Data([255])), "c": ["d": nil]]
        ) { form in form.append("last", name: "z") }
        #expect(multipart.form.parts.map(\.name) == ["a", "b[]", "b[]", "c[d]", "z"])
        #expect(
            multipart.form.parts.map(\.content) == [
                .bytes([255]), .bytes([0x31]), .bytes([0x31]), .bytes([]), .bytes(Array("last".utf8)),
            ])
        for method in ["GET", "head"] {
            let error = #expect(throws: RequestSerializationError.self) {
                try JSONRequestSerializer().multipartRequest(method, url)
            }
            #expect(error?.reason == .methodWithoutBody(method))
        }
    }

    @Test("L19: a form without parts is an empty body of the usual type, one with parts says its boundary")
    func finalising() throws {
        let empty = try JSONRequestSerializer().multipartRequest("POST", url)
        #expect(empty.request.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(empty.request.body == .bytes([]) && empty.form.parts.isEmpty)
        let full = try JSONRequestSerializer().multipartRequest("PUT", url, parameters: ["a": 1])
        #expect(full.request.headers["Content-Type"] == full.form.contentType && full.request.method == "PUT")
        #expect(full.request.body == .none)
    }

    @Test(
        "A boundary that is none is refused",
        arguments: [
            "", "a\r\nb", "ü", "a;b", "ends ", String(repeating: "x", count: 71), "\"",
        ])
    func badBoundaries(_ text: String) {
        var form = form { form in form.append("1", name: "a") }
        form.boundary = text
        let error = #expect(throws: RequestSerializationError.self) { try form.check() }
        #expect(error?.reason == .invalidBoundary(text))
    }

    @Test("A boundary that needs them stands in quotation marks")
    func quotedBoundary() throws {
        var form = form { form in form.append("1", name: "a") }
        form.boundary = "a (b):c"
        #expect(form.contentType == "multipart/form-data; boundary=\"a (b):c\"")
        try form.check()
    }

    @Test("A boundary of the caller's that stands in a part is refused, in bytes and in files")
    func boundaryInTheBody() throws {
        let inBytes = form { form in form.append("x\r\n--b\r\n", name: "a") }
        #expect(throws: RequestSerializationError(.invalidBoundary("b"))) { try inBytes.check() }
        // Across the border of two blocks.
        let big = [UInt8](repeating: 0x61, count: (1 << 20) - 2) + Array("--b".utf8)
        let file = folder.file("big")
        try Data(big).write(to: file)
        let inFile = try form { form in try form.append(file: file, name: "a") }
        #expect(throws: RequestSerializationError(.invalidBoundary("b"))) { try inFile.check() }
        let error = #expect(throws: SessionError.self) { try inFile.makeBody() }
        #expect(error?.code == .invalidRequest)
        #expect((error?.underlying?.error as? RequestSerializationError)?.reason == .invalidBoundary("b"))
        try form { form in form.append("--c", name: "a") }.check()
    }

    @Test("L27: a form is written to a file in one step, and the request has that file as its body")
    func writing() async throws {
        let file = folder.file("out")
        try Data("before".utf8).write(to: file)
        let multipart = try HTTPRequestSerializer().multipartRequest("POST", url, parameters: ["a": 1])
        let request = try await multipart.write(to: file)
        #expect(request.body == .file(path: file.path))
        #expect(request.headers["Content-Type"] == multipart.form.contentType)
        #expect(try Data(contentsOf: file).count == Int(try multipart.form.contentLength()))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
    }

    @Test(
        "L27: the request of a written form names the boundary of the file",
        arguments: [
            (nil, "multipart/form-data; boundary=b"), ("multipart/mixed", "multipart/mixed; boundary=b"),
            ("text/plain", "text/plain"),
        ] as [(String?, String)])
    func writtenType(own: String?, type: String) async throws {
        let file = folder.file("out")
        var request = TransferRequest(url: url, method: "POST")
        request.headers["Content-Type"] = own
        let written = try await MultipartRequest(request, form: form { $0.append("1", name: "a") }).write(to: file)
        #expect(written.headers["Content-Type"] == type)
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("--b\r\n"))
    }

    @Test("L27: a form whose boundary was changed is written with the one that its request names, as it is sent")
    func changedBoundary() async throws {
        let file = folder.file("out")
        var multipart = try HTTPRequestSerializer().multipartRequest("POST", url, parameters: ["a": 1])
        let named = multipart.form.boundary
        multipart.form.boundary = "x"
        let written = try await multipart.write(to: file)
        #expect(written.headers["Content-Type"] == "multipart/form-data; boundary=\(named)")
        #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("--\(named)\r\n"))
    }

    @Test("L27: a stream that is longer than it says ends the writing at its length")
    func longerStream() async throws {
        let (file, reads) = (folder.file("out"), EventLog<Int>())
        let stream = BodyStream(length: 3) { buffer in
            reads.add(1)
            // An end that only a reader too many meets.
            return reads.entries.count > 50 ? 0 : min(buffer.count, 4)
        }
        let endless = form { $0.parts.append(MultipartForm.Part(name: "a", content: .stream(stream))) }
        let request = MultipartRequest(TransferRequest(url: url, method: "POST"), form: endless)
        await #expect(throws: RequestSerializationError.self) { try await request.write(to: file) }
        #expect(reads.entries.count == 1)
        #expect(folder.names == [])
    }

    @Test("L27: what cannot be written whole leaves what was there, and nothing half-done")
    func failedWriting() async throws {
        let file = folder.file("out")
        try Data("before".utf8).write(to: file)
        let short = form { form in form.append(InputStream(data: Data([1, 2])), length: 3, name: "s") }
        let request = MultipartRequest(TransferRequest(url: url, method: "POST"), form: short)
        await #expect(throws: RequestSerializationError.self) { try await request.write(to: file) }
        #expect(try Data(contentsOf: file) == Data("before".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out"])
        // The stream is spent now.
        await #expect(throws: RequestSerializationError.self) { try await request.write(to: file) }
        let nowhere = folder.url.appendingPathComponent("missing/out")
        let plain = MultipartRequest(request.request, form: form { form in form.append("1", name: "a") })
        await #expect(throws: (any Error).self) { try await plain.write(to: nowhere) }
    }

    @Test(
        "What is no file URL is not written to, and its password not shown",
        arguments: ["http://me:secret@127.0.0.1", "https://example.org", "data:", "ftp://host"])
    func noFile(_ location: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("form").path
        let url = try #require(URL(string: location + path))
        var form = MultipartForm()
        form.append("value", name: "a")
        let multipart = MultipartRequest(TransferRequest(url: "http://example.org/"), form: form)
        let error = await #expect(throws: RequestSerializationError.self) { try await multipart.write(to: url) }
        #expect(error.map { !"\($0)".contains("secret") } == true)
        if case .unreadablePart = error?.reason {} else { Issue.record("\(String(describing: error))") }
        #expect(folder.text(of: "form") == nil)
        let etc = try #require(URL(string: location + "/etc"))
        #expect(throws: SessionError.self) { try SecurityPolicy.certificates(in: etc) }
    }

    @Test(
        "Certificates and their archives have media types",
        arguments: [
            ("a.cer", "application/x-x509-ca-cert"), ("a.CRT", "application/x-x509-ca-cert"),
            ("a.der", "application/x-x509-ca-cert"), ("a.pem", "application/x-x509-ca-cert"),
            ("a.p12", "application/x-pkcs12"), ("a.pfx", "application/x-pkcs12"),
            ("a.p7b", "application/x-pkcs7-certificates"), ("a.crl", "application/pkix-crl"),
            ("a.csr", "application/pkcs10"), ("a.p10", "application/pkcs10"), ("a.key", MediaType.unknown),
        ])
    func certificateTypes(_ name: String, _ type: String) { #expect(MediaType.ofFile(named: name) == type) }

    @Test("Writing a form ends when the call is cancelled, and leaves nothing behind")
    func cancelledWriting() async throws {
        let folder = try TemporaryFolder()
        let (begun, go) = (EventLog<Int>(), DispatchSemaphore(value: 0))
        let stream = BodyStream(length: 1 << 40) { buffer in
            begun.add(1)
            go.wait()
            return buffer.count
        }
        let form = MultipartForm([MultipartForm.Part(name: "a", content: .stream(stream))])
        let multipart = MultipartRequest(TransferRequest(url: "http://example.org/"), form: form)
        let file = folder.file("form")
        let call = Task { try await multipart.write(to: file) }
        _ = await begun.wait(count: 1)
        call.cancel()
        go.signal()
        let error = await #expect(throws: SessionError.self) { try await call.value }
        #expect(error?.code == .cancelled)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
