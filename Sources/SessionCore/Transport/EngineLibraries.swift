import CCurl

/// The libraries that transfers use, as found at run time, for diagnostics.
package struct EngineLibraries: Sendable, Equatable {
    /// libcurl and the libraries it was built with: `libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13 …`.
    package var versions: [String]
    /// The features netdash would use that this libcurl was built without, in words.
    package var missing: [String]
    /// The file of certificate authorities trusted by default; nil without one.
    package var authorityFile: String?
    /// The folder of certificate authorities trusted by default; nil without one.
    package var authorityFolder: String?

    /// Whether libcurl was built with NTLM.
    package static var hasNTLM: Bool { (cc_version_info()?.pointee.features ?? 0) & CURL_VERSION_NTLM != 0 }

    /// Queries the libraries.
    package static func current() -> EngineLibraries {
        let words = curl_version().map { String(cString: $0) } ?? ""
        let versions = words.split(separator: " ").map(String.init).filter { !$0.hasPrefix("(") }
        guard let information = cc_version_info()?.pointee else {
            return EngineLibraries(versions: versions, missing: [])
        }
        let features: [(Int32, String)] = [
            (CURL_VERSION_SSL, "https"), (CURL_VERSION_HTTP2, "HTTP/2"), (CURL_VERSION_LIBZ, "gzip"),
            (CURL_VERSION_BROTLI, "br"), (CURL_VERSION_ZSTD, "zstd"),
            (CURL_VERSION_IDN, EngineLabels.internationalNames),
            (CURL_VERSION_ASYNCHDNS, EngineLabels.asynchronousNames),
        ]
        return EngineLibraries(
            versions: versions, missing: features.filter { information.features & $0.0 == 0 }.map(\.1),
            authorityFile: cc_system_authority_file().map { String(cString: $0) },
            authorityFolder: information.capath.map { String(cString: $0) })
    }
}
