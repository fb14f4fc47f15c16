/// A partial file without an owner, as the dashboard lists it.
package struct LeftoverLine: Sendable, Equatable, Codable {
    /// Whether it can still be resumed.
    package enum Meaning: Sendable, Equatable, Codable {
        case resumable, unproven, worthless, refused, description

        package var words: SafeText {
            switch self {
            case .resumable: LeftPartLabels.resumable
            case .unproven: LeftPartLabels.unproven
            case .worthless: LeftPartLabels.worthless
            case .refused: LeftPartLabels.refused
            case .description: LeftPartLabels.description
            }
        }
    }

    /// Identifies it.
    package var path: String
    package var meaning: Meaning
    package var byteCount: Int64
    /// Seconds since its last change.
    package var age: Double
    /// The URL it came from, without secrets; empty where unknown.
    package var url: SafeText

    package init(path: String, meaning: Meaning, byteCount: Int64, age: Double, url: SafeText = .empty) {
        (self.path, self.meaning, self.byteCount, self.age, self.url) = (path, meaning, byteCount, age, url)
    }

    /// The age in one unit, rounded down: a removable partial file needs no minutes.
    package static func age(_ seconds: Double) -> SafeText {
        guard seconds.isFinite, seconds >= 60 else { return "<1m" }
        let minutes = Int(min(seconds, 1e12) / 60)
        if minutes < 60 { return SafeText(minutes) + "m" }
        return minutes < 1_440 ? SafeText(minutes / 60) + "h" : SafeText(minutes / 1_440) + "d"
    }
}
