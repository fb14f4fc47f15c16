public import Foundation

/// Pins from files.
extension SecurityPolicy {
    /// The certificates in the files of a folder that end in `.cer`, `.der` or `.pem`, DER-encoded.
    ///
    /// Throws ``SessionError/Code/notFound`` for a folder that cannot be read and ``SessionError/Code/certificate`` for
    /// a file without a certificate.
    public static func certificates(in folder: URL) throws(SessionError) -> Set<Data> {
        let files: [URL]
        do {
            files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        } catch {
            throw SessionError(.notFound, "The folder \(folder.path) cannot be read")
        }
        var result: Set<Data> = []
        for file in files.sorted(by: { $0.path < $1.path }) {
            guard ["cer", "der", "pem"].contains(file.pathExtension.lowercased()) else { continue }
            let found = FileManager.default.contents(atPath: file.path).map(certificates(in:)) ?? []
            guard !found.isEmpty, found.allSatisfy({ Certificates.keyDigest(of: [UInt8]($0)) != nil }) else {
                throw SessionError(.certificate, "\(file.path) holds no certificate that can be read")
            }
            result.formUnion(found)
        }
        return result
    }

    /// The certificates of one file: as it is, or between the lines of the PEM form.
    private static func certificates(in data: Data) -> [Data] {
        guard let text = String(data: data, encoding: .utf8), text.contains("-----BEGIN CERTIFICATE-----") else {
            return [data]
        }
        let sections = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
        return sections.compactMap { section in
            let body = section.components(separatedBy: "-----END CERTIFICATE-----").first ?? ""
            return Data(base64Encoded: body, options: .ignoreUnknownCharacters)
        }
    }
}
