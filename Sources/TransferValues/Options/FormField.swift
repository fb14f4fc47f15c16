import SessionSupport

/// A field of a form in curl's syntax: `name=value`, `name=@file` for a file, `name=<file` for its text, then `type=`
/// and `filename=` after semicolons.
package struct FormField: Sendable, Equatable {
    package var name: String
    /// The file whose bytes are the value; nil for a literal value.
    package var path: String?
    package var value = ""
    package var fileName: String?
    package var contentType: String?

    /// Reads a field; nil where an unknown parameter follows a file's name.
    ///
    /// A literal value may contain semicolons; only `type=` and `filename=` end it.
    package init?(_ text: String) {
        let equals = text.firstIndex(of: "=") ?? text.endIndex
        name = String(text[..<equals])
        var rest = text[equals...].dropFirst()
        let sign = rest.first
        let isFile = sign == "@" || sign == "<"
        if isFile { rest.removeFirst() }
        let quoted = Self.takeQuoted(&rest)
        var pieces = Self.pieces(rest)
        var first = pieces.removeFirst()
        if let quoted { first = quoted }
        for piece in pieces {
            let word = ByteText.trimmed(piece)
            if let type = Self.value(of: "type", in: word) {
                contentType = type
            } else if let given = Self.value(of: "filename", in: word) {
                fileName = given
            } else if contentType != nil, fileName == nil {
                // A type has its own parameters.
                contentType?.append(";" + piece)
            } else if isFile {
                return nil
            } else {
                first += ";" + piece
            }
        }
        guard isFile else {
            value = first
            return
        }
        path = first
        guard sign == "@" else { return }
        fileName = fileName ?? first.split(separator: "/").last.map { String($0) } ?? first
        contentType = contentType ?? MediaType.ofFile(named: fileName ?? first)
    }

    package var part: MultipartForm.Part {
        MultipartForm.Part(
            name: name, content: path.map { .file(path: $0) } ?? .bytes(Array(value.utf8)), fileName: fileName,
            contentType: contentType)
    }

    /// Removes a quoted value and returns it without quotes, as curl reads it; nil for a value that only begins with a
    /// quotation mark.
    private static func takeQuoted(_ text: inout Substring) -> String? {
        guard text.first == "\"" else { return nil }
        var value = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst() {
            if character == "\"" {
                let end = rest.drop { $0 == " " || $0 == "\t" }
                guard end.isEmpty || end.first == ";" else { return nil }
                text = end
                return value
            }
            if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                value.append(next)
                rest.removeFirst()
            } else {
                value.append(character)
            }
        }
        return nil
    }

    /// Splits at semicolons outside quotes; the first piece is the value.
    private static func pieces(_ text: Substring) -> [String] {
        var pieces = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == "\"", pieces.count > 1, !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            if character == ";", !isQuoted {
                pieces.append("")
            } else {
                pieces[pieces.count - 1].append(character)
            }
        }
        return pieces
    }

    private static func value(of key: String, in word: String) -> String? {
        guard ByteText.lowercased(word.prefix(key.count + 1)) == key + "=" else { return nil }
        let value = word.dropFirst(key.count + 1)
        var quoted = value
        guard let inner = takeQuoted(&quoted), quoted.isEmpty else { return String(value) }
        return inner
    }
}
