import SessionSupport

/// A kind of value: its style and its parser.
package struct OptionKind<Value: Sendable>: Sendable {
    package let style: OptionStyle
    package let parse: @Sendable (String) throws(OptionProblem) -> Value

    package init(_ style: OptionStyle, parse: @escaping @Sendable (String) throws(OptionProblem) -> Value) {
        (self.style, self.parse) = (style, parse)
    }
}

extension OptionKind where Value == Void {
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

    /// Any text, also an empty one.
    package static func optionalText(_ name: String) -> Self { OptionKind(OptionStyle(name)) { $0 } }

    package static func file(_ name: String = "FILE") -> Self { text(name, style: OptionStyle(name, operand: .file)) }

    package static var folder: Self {
        text("DIR", style: OptionStyle("DIR", operand: .folder))
    }

    /// Hosts separated by commas; may be empty.
    package static var hosts: Self {
        OptionKind(OptionStyle("HOSTS")) { $0 }
    }

    /// A URL that may contain a name and a password; may be empty.
    package static var page: Self {
        OptionKind(OptionStyle("URL", mask: maskedURL)) { $0 }
    }

    /// Another URL of the same file.
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

/// A mask replaces the credentials, so that the stored text shows that they are missing.
@Sendable func maskedURL(_ text: String, _ userInfo: Redaction.UserInfo) -> String {
    Redaction.url(text, userInfo: userInfo) == text ? text : Redaction.url(text)
}

extension OptionKind where Value == Double {
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

    /// A time limit in seconds.
    package static var timeLimit: Self {
        seconds(from: 0.1, to: 8_640_000, problem: OptionUsage.secondsFrom01)
    }
}

extension OptionKind where Value == Int64 {
    /// Bytes in curl's syntax: digits, optionally with k, M, G or T for powers of 1024.
    package static var size: Self {
        OptionKind(OptionStyle("SIZE")) { text throws(OptionProblem) in
            guard let count = ByteCountText.bytes(text) else {
                throw OptionProblem(OptionUsage.bytes)
            }
            return count
        }
    }

    /// The bytes of a part of an upload, as object stores limit them.
    package static var part: Self {
        OptionKind(OptionStyle("SIZE")) { text throws(OptionProblem) in
            guard let count = ByteCountText.bytes(text), (5 << 20...5 << 30).contains(count) else {
                throw OptionProblem(OptionUsage.part)
            }
            return count
        }
    }

    /// The fewest bytes that justify a connection.
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
    /// How an interrupted upload resumes.
    package static var resumption: Self {
        OptionKind(OptionStyle("WAY")) { text throws(OptionProblem) in
            guard let route = UploadResumption(rawValue: text) else { throw OptionProblem(OptionUsage.resumption) }
            return route
        }
    }
}

extension OptionKind where Value == BodyDigestAlgorithm {
    /// The hash function of a body's digests.
    package static var bodyDigest: Self {
        OptionKind(OptionStyle("ALGORITHM")) { text throws(OptionProblem) in
            guard let algorithm = BodyDigestAlgorithm(rawValue: text) else {
                throw OptionProblem(OptionUsage.bodyDigest)
            }
            return algorithm
        }
    }
}

/// Parses a number of bytes.
package enum ByteCountText {
    /// Digits, optionally with k, M, G or T for powers of 1024; nil for anything else.
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
