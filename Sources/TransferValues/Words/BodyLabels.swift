/// Texts of a body's preview, and the sizes of its parts.
package enum BodyLabels {
    package static let json: SafeText = "JSON"
    package static let text: SafeText = "text"
    package static let binary: SafeText = "binary"

    package static func first(_ bytes: SafeText) -> SafeText { "first \(bytes)" }

    package static func part(_ part: SafeText, of size: SafeText) -> SafeText { "\(part) of \(size)" }

    package static func picture(_ format: SafeText, _ width: Int, _ height: Int) -> SafeText {
        "\(format) picture, \(width) x \(height)"
    }

    package static func members(_ count: Int) -> SafeText { "\(count, "member", "members")" }

    package static func elements(_ count: Int) -> SafeText { "\(count, "element", "elements")" }
}

/// States of a leftover partial file.
package enum LeftPartLabels {
    package static let resumable: SafeText = "resumable"
    package static let unproven: SafeText = "restarts"
    package static let worthless: SafeText = "not resumable"
    package static let refused: SafeText = "wrong checksum"
    package static let description: SafeText = "data missing"
}
