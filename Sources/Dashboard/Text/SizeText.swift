/// Byte counts and rates in at most three digits, so that columns of fixed width hold them.
package enum SizeText {
    private static let letters: [SafeText] = ["", "K", "M", "G", "T", "P", "E"]
    private static let binaryNames: [SafeText] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    private static let decimalNames: [SafeText] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"]

    /// `48.1K`, `631M`, `0`: at most five characters for anything that exists.
    package static func short(_ bytes: Int64, units: Units = .binary) -> SafeText {
        let (number, power) = split(Double(max(bytes, 0)), units: units)
        return number + (power == 0 && bytes > 0 ? "B" : letters[power])
    }

    /// `11.2M/s`.
    package static func rate(_ bytesPerSecond: Double, units: Units = .binary) -> SafeText {
        rateWithoutUnit(bytesPerSecond, units: units) + "/s"
    }

    /// `11.2M`, for layouts without room for the `/s`.
    static func rateWithoutUnit(_ bytesPerSecond: Double, units: Units = .binary) -> SafeText {
        let (number, power) = split(max(bytesPerSecond, 0), units: units)
        return number + (power == 0 ? "B" : letters[power])
    }

    /// `11.2 MiB`, for layouts with room to spell the prefix.
    package static func long(_ bytes: Int64, units: Units = .binary) -> SafeText {
        let (number, power) = split(Double(max(bytes, 0)), units: units)
        return number + " " + name(power, units: units)
    }

    /// `11.2 MiB/s`.
    package static func longRate(_ bytesPerSecond: Double, units: Units = .binary) -> SafeText {
        let (number, power) = split(max(bytesPerSecond, 0), units: units)
        return number + " " + name(power, units: units) + "/s"
    }

    private static func name(_ power: Int, units: Units) -> SafeText {
        switch units {
        case .binary: binaryNames[power]
        case .decimal: decimalNames[power]
        }
    }

    /// The number to print and the power of its prefix; decimals are cut, never rounded up.
    private static func split(_ value: Double, units: Units) -> (SafeText, Int) {
        guard value.isFinite else { return ("-", 0) }
        var rest = value
        var power = 0
        while rest >= 1000, power < letters.count - 1 {
            rest /= units.step
            power += 1
        }
        if power == 0 || rest >= 100 { return (SafeText(Int(min(rest, 9999))), power) }
        let tenths = Int(rest * 10)
        return (SafeText(tenths / 10) + "." + SafeText(tenths % 10), power)
    }
}
