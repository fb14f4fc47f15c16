package import FleetQueue
internal import Foundation
internal import SessionCore

/// A folder of an S3 bucket, and how its server is asked: by the variables that Amazon's own programs read.
package struct ObjectStore: Sendable {
    /// The URL of the bucket, without a slash at its end.
    let base: String
    let bucket: String
    /// The folder in the bucket, with a slash at its end; empty for the bucket itself.
    let prefix: String
    let region: String
    private let user: String
    private let password: String
    private let token: String?

    /// Reads `s3://BUCKET` or `s3://BUCKET/PREFIX`; keys, region and endpoint come from the environment.
    package init(_ address: String, environment: [String: String]) throws(FleetError) {
        let parts = address.dropFirst(Self.scheme.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard address.hasPrefix(Self.scheme), let bucket = parts.first, Self.isName(bucket) else {
            throw FleetError(.usage, TransferFaults.badBucket)
        }
        self.bucket = String(bucket)
        let folder = parts.count == 2 ? parts[1].drop { $0 == "/" } : ""
        prefix = folder.isEmpty || folder.hasSuffix("/") ? String(folder) : folder + "/"
        func value(_ names: String...) -> String? {
            names.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        guard let user = value("AWS_ACCESS_KEY_ID"), let password = value("AWS_SECRET_ACCESS_KEY") else {
            throw FleetError(.usage, TransferFaults.noKeys)
        }
        (self.user, self.password, token) = (user, password, value("AWS_SESSION_TOKEN"))
        region = value("AWS_REGION", "AWS_DEFAULT_REGION") ?? "us-east-1"
        if let endpoint = value("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL") {
            guard endpoint.hasPrefix("https://") || endpoint.hasPrefix("http://") else {
                throw FleetError(.usage, TransferFaults.badEndpoint)
            }
            base = (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint) + "/" + bucket
        } else if bucket.contains(".") {
            // A certificate for all buckets covers no name with dots.
            base = "https://s3.\(region).amazonaws.com/\(bucket)"
        } else {
            base = "https://\(bucket).s3.\(region).amazonaws.com"
        }
    }

    package static let scheme = "s3://"

    /// Whether a text may be a bucket's name: it becomes a part of a host's name.
    private static func isName(_ text: Substring) -> Bool {
        (3...63).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E: true
                default: false
                }
            }
    }

    /// What no cause may contain.
    var secrets: [String] { [password] + [token].compactMap(\.self) }

    /// The object of a destination, for results: it contains no secret.
    func name(of destination: String) -> String { Self.scheme + bucket + "/" + prefix + destination }

    /// A signed request for the object of a destination.
    func request(
        _ method: String, _ destination: String, query: String = "", headers: [(String, String)] = [],
        body: BodySpecification = .none
    ) -> TransferRequest {
        let path = (prefix + destination).split(separator: "/", omittingEmptySubsequences: false)
        let url = ([base] + path.map { Self.encoded(String($0)) }).joined(separator: "/")
        var request = TransferRequest(url: query.isEmpty ? url : url + "?" + query)
        request.method = method
        for (name, value) in headers { request.headers.append(name: name, value: value) }
        if let token { request.headers.append(name: "x-amz-security-token", value: token) }
        request.body = body
        var options = RequestOptions()
        options.credentials = RequestCredentials(user: user, password: password)
        options.signing = RequestSigning(region: region, service: "s3")
        request.options = options
        return request
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
