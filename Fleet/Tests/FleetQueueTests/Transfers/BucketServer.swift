import Foundation
import FoundationNetworking
import Synchronization
import Testing

@testable import FleetQueue

/// A bucket of its own at moto, a server that speaks S3 and forgets everything at its end.
struct BucketServer {
    let name: String
    /// The URL of the bucket.
    let bucket: String
    private let port: UInt16

    /// The server of all tests, for which one start is enough.
    ///
    /// Tests read its port alone.
    private nonisolated(unsafe) static let shared = Result { try begin() }
    private static let count = Atomic<Int>(0)

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../..")

    /// Where `Fleet/script/test --all` and `script/real-parts` install it.
    private static let program = root.appending(path: ".build/real-parts/moto/bin/moto_server").standardized.path

    static var canStart: Bool { access(program, X_OK) == 0 }

    init() throws {
        port = try Self.shared.get().port
        name = "bucket\(Self.count.add(1, ordering: .relaxed).newValue)"
        bucket = "http://127.0.0.1:\(port)/\(name)"
        #expect(try Self.send("PUT", bucket) == 200)
    }

    private static func begin() throws -> (port: UInt16, process: ChildProcess) {
        let port = try freePort()
        let process = try ChildProcess(program, ["-H", "127.0.0.1", "-p", "\(port)"])
        Cleanup.note(process: process.id)
        eventually("moto answers") { (try? send("GET", "http://127.0.0.1:\(port)/")) == 200 }
        return (port, process)
    }

    /// The variables by which a worker finds it.
    var environment: [String: String] {
        [
            "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "sesame",
            "AWS_ENDPOINT_URL": "http://127.0.0.1:\(port)",
        ]
    }

    /// A port that is free now: the system gives it to no other program soon.
    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        try #require(result == 0)
        return UInt16(bigEndian: address.sin_port)
    }

    /// Sends a request and returns the status.
    @discardableResult
    static func send(_ method: String, _ url: String, _ body: Data = Data()) throws -> Int {
        try ask(method, url, body).0
    }

    private static func ask(_ method: String, _ url: String, _ body: Data = Data()) throws -> (Int, Data) {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.httpBody = body
        // It shows private objects to any request that names a key, and verifies no signature.
        let scope = "Credential=key/20260101/us-east-1/s3/aws4_request"
        request.setValue(
            "AWS4-HMAC-SHA256 \(scope), SignedHeaders=host, Signature=0", forHTTPHeaderField: "Authorization")
        final class Box: @unchecked Sendable {
            var answer: (Int, Data)?
            let done = DispatchSemaphore(value: 0)
        }
        let box = Box()
        URLSession.shared.dataTask(with: request) { data, response, _ in
            box.answer = (response as? HTTPURLResponse).map { ($0.statusCode, data ?? Data()) }
            box.done.signal()
        }.resume()
        box.done.wait()
        guard let answer = box.answer else { throw URLError(.cannotConnectToHost) }
        return answer
    }

    /// The bytes of an object; nil if there is none.
    func object(_ key: String) throws -> Data? {
        let (status, data) = try Self.ask("GET", "\(bucket)/\(key)")
        return status == 200 ? data : nil
    }

    func put(_ key: String, _ data: Data) throws { #expect(try Self.send("PUT", "\(bucket)/\(key)", data) == 200) }

    /// The ids of unfinished uploads.
    func uploads() throws -> [String] {
        let text = String(decoding: try Self.ask("GET", bucket + "?uploads").1, as: UTF8.self)
        return text.matches(of: #/<UploadId>(.*?)</#).map { String($0.output.1) }
    }

    /// The number of parts that an unfinished upload of a key has.
    func parts(of key: String) throws -> Int {
        try uploads().map { id in
            let text = try Self.ask("GET", "\(bucket)/\(key)?uploadId=\(id)").1
            return String(decoding: text, as: UTF8.self).matches(of: #/<PartNumber>/#).count
        }.max() ?? 0
    }
}

/// A reason to skip a suite where moto is not installed.
let needsBucket = ConditionTrait.enabled(
    if: BucketServer.canStart, "moto is not installed (Fleet/script/test --all installs it)")
