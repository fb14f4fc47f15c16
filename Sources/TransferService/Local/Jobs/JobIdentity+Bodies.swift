import Glibc
import SessionCore
import SessionSupport

/// The bodies of requests that options make.
extension JobIdentity {
    func addBody(to request: inout TransferRequest, of terms: RequestTerms) throws(Problem) {
        if !terms.form.isEmpty {
            var form = MultipartForm()
            for field in terms.form {
                // A named file must exist.
                if let path = field.path, access(path, R_OK) != 0 { throw unreadable(path, .form) }
                form.parts.append(field.part)
            }
            request.headers["Content-Type"] = form.contentType(keeping: request.headers["Content-Type"])
            request.body = form.body
        } else if let json = terms.json {
            request.body = json
            if request.headers["Accept"] == nil { request.headers["Accept"] = "application/json" }
        } else if !terms.encodedFields.isEmpty {
            var bytes: [UInt8] = []
            for (index, field) in terms.encodedFields.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: "&")) }
                bytes += try data(of: field)
            }
            request.body = .bytes(bytes)
        }
    }

    private func data(of field: EncodedField) throws(Problem) -> [UInt8] {
        let option: JobOption = field.isEncoded ? .urlEncoded : .dataPart
        let bytes: [UInt8]
        switch field.content {
        case .text(let text): bytes = Array(text.utf8)
        case .file(let path):
            let all = try contents(of: path, for: option)
            bytes = field.isEncoded ? all : FormText.withoutLineEnds(all)
        }
        guard field.isEncoded else { return bytes }
        return Array(((field.name.isEmpty ? "" : field.name + "=") + FormText.encoded(bytes)).utf8)
    }
}
