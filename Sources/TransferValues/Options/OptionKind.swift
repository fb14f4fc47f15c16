import SessionSupport

/// A kind of value: how it looks and how it is read.
package struct OptionKind<Value: Sendable>: Sendable {
    package let style: OptionStyle
    package let parse: @Sendable (String) throws(OptionProblem) -> Value

    package init(_ style: OptionStyle, parse: @escaping @Sendable (String) throws(OptionProblem) -> Value) {
        (self.style, self.parse) = (style, parse)
    }
}

extension OptionKind where Value == Void {
    /// On or off.
    package static var flag: Self {
        OptionKind(OptionStyle(nil, operand: .none)) { _ in () }
    }
}

extension OptionKind where Value == String {
    /// Any text that is not empty.
    package static func text(_ name: String, style: OptionStyle? = nil) -> Self {
        OptionKind(style ?? OptionStyle(name)) { text throws(OptionProblem) in
            guard !text.isEmpty else { throw OptionProblem(OptionUsage.empty(name)) }
            return text
        }
    }

    /// The path of a file.
    package static func file(_ name: String = "FILE") -> Self { text(name, style: OptionStyle(name, operand: .file)) }

    /// The path of a folder.
    package static var folder: Self {
        text("DIR", style: OptionStyle("DIR", operand: .folder))
    }

    /// Hosts between commas, perhaps none.
    package static var hosts: Self {
        OptionKind(OptionStyle("HOSTS")) { $0 }
    }

    /// A text in which a URL may have a name and a password.
    package static var page: Self {
        text("URL", style: OptionStyle("URL", mask: maskedURL))
    }

    /// The URL of the same file at another place.
    package static var mirror: Self {
        OptionKind(OptionStyle("URL", mask: maskedURL)) { text throws(OptionProblem) in
            let scan = URLScan(text)
            let scheme = scan.scheme.map { ByteText.lowercased(text[$0]) }
            if let scheme, scheme != "http", scheme != "https" {
                throw OptionProblem(OptionUsage.mirrorScheme(scheme))
            }
            guard scheme != nil, let host = scan.host, !host.isEmpty, text.utf8.allSatisfy({ $0 != 0x20 }) else {
                throw OptionProblem(OptionUsage.notAbsoluteURL)
            }
            return text
        }
    }
}

/// A mask stays where a name was, so that what is stored is seen to lack it.
@Sendable func maskedURL(_ text: String, _ userInfo: Redaction.UserInfo) -> String {
    Redaction.url(text, userInfo: userInfo) == text ? text : Redaction.url(text)
}

extension OptionKind where Value == Double {
    /// Seconds.
    package static func seconds(from least: Double, to most: Double, problem: String) -> Self {
        OptionKind(OptionStyle("SECONDS")) { text throws(OptionProblem) in
            // Double reads exponents, hexadecimal digits and "nan" too.
            let isPlain = text.utf8.allSatisfy { ByteText.isDigit($0) || $0 == UInt8(ascii: ".") }
            guard isPlain, let value = Double(text), (least...most).contains(value) else {
                throw OptionProblem(problem)
            }
            return value
        }
    }

    /// The most seconds that something may take.
    package static var timeLimit: Self {
        seconds(from: 0.1, to: 8_640_000, problem: OptionUsage.secondsFrom01)
    }
}

extension OptionKind where Value == Int64 {
    /// Bytes as curl writes them: digits, and perhaps k, M, G or T for powers of 1024.
    package static var size: Self {
        OptionKind(OptionStyle("SIZE")) { text throws(OptionProblem) in
            guard let count = ByteCountText.bytes(text) else {
                throw OptionProblem(OptionUsage.bytes)
            }
            return count
        }
    }

    /// The fewest bytes that a connection is made for.
    package static var segment: Self {
        OptionKind(OptionStyle("SIZE")) { text throws(OptionProblem) in
            guard let count = ByteCountText.bytes(text), count >= Segmentation.smallestSegment else {
                throw OptionProblem(OptionUsage.segment)
            }
            return count
        }
    }
}

extension OptionKind where Value == Segmentation.Connections {
    /// A number of connections.
    package static var connections: Self {
        OptionKind(OptionStyle("N|auto")) { text throws(OptionProblem) in
            if text == "auto" { return .automatic }
            guard let count = ByteText.decimal(text), (1...Int64(Segmentation.largestCount)).contains(count) else {
                throw OptionProblem(OptionUsage.connections(most: Segmentation.largestCount))
            }
            return .exactly(Int(count))
        }
    }
}

extension OptionKind where Value == UploadResumption {
    /// How an upload that was cut goes on.
    package static var resumption: Self {
        OptionKind(OptionStyle("WAY")) { text throws(OptionProblem) in
            guard let route = UploadResumption(rawValue: text) else { throw OptionProblem(OptionUsage.resumption) }
            return route
        }
    }
}

/// A number of bytes as text.
package enum ByteCountText {
    /// The number that a text says: digits, and perhaps k, M, G or T for powers of 1024; nil for anything else.
    package static func bytes(_ text: String) -> Int64? {
        let letters = "kmgt"
        let exponent = text.last.flatMap { letters.firstIndex(of: Character($0.lowercased())) }
            .map { letters.distance(from: letters.startIndex, to: $0) + 1 }
        guard let count = ByteText.decimal(exponent == nil ? text : String(text.dropLast())), count > 0 else {
            return nil
        }
        let (bytes, isTooLarge) = Int64(count).multipliedReportingOverflow(by: 1 << (10 * (exponent ?? 0)))
        return isTooLarge ? nil : bytes
    }
}
