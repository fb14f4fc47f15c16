/// The numbers that a condition accepts.
struct FilterRange: Sendable, Equatable {
    /// A bound, inclusive or exclusive.
    struct Bound: Sendable, Equatable {
        var value: Double
        var isIncluded: Bool
    }

    var lower: Bound?
    var upper: Bound?

    func contains(_ value: Double) -> Bool {
        if let lower, lower.isIncluded ? value < lower.value : value <= lower.value { return false }
        if let upper, upper.isIncluded ? value > upper.value : value >= upper.value { return false }
        return true
    }

    /// Whether it contains the size of a row, of which the bytes so far are the least where nothing announces it.
    func containsSize(of row: RowFigures) -> Bool {
        guard row.expected == nil, row.state != .done else { return contains(Double(row.expected ?? row.moved)) }
        return upper == nil && contains(Double(row.moved))
    }

    /// The result of reading a text: a range, the beginning of one, or neither.
    enum Reading: Equatable {
        case range(FilterRange)
        case unfinished(SafeText)
        case wrong(SafeText)
    }

    /// Reads `>100M`, `<=2G` or `1M..2G`, in which one side may be missing.
    static func read(_ text: String, of measure: FilterExpression.Measure) -> Reading {
        let name = SafeText(untrusted: measure.rawValue)
        let (low, high) = measure.examples
        let forms = FilterErrors.forms(name, low, high)
        let unfinished = Reading.unfinished(FilterErrors.range(forms))
        let wrong = Reading.wrong(FilterErrors.range(name, measure.unitWords, forms))
        for (sign, isUpper, isIncluded) in [
            (">=", false, true), ("<=", true, true), (">", false, false), ("<", true, false),
        ] where text.hasPrefix(sign) {
            let rest = text.dropFirst(sign.count)
            guard !rest.isEmpty else { return unfinished }
            guard let value = measure.value(of: rest) else { return wrong }
            let bound = Bound(value: value, isIncluded: isIncluded)
            return .range(isUpper ? FilterRange(upper: bound) : FilterRange(lower: bound))
        }
        guard let dots = text.firstRange(of: "..") else {
            return text.isEmpty || measure.value(of: Substring(text)) != nil || text.hasSuffix(".") ? unfinished : wrong
        }
        let (left, right) = (text[..<dots.lowerBound], text[dots.upperBound...])
        let (lower, upper) = (measure.value(of: left), measure.value(of: right))
        guard (left.isEmpty || lower != nil) && (right.isEmpty || upper != nil) else { return wrong }
        guard lower != nil || upper != nil else { return unfinished }
        if let lower, let upper, lower > upper {
            return .wrong(FilterErrors.reversed(name, low, high))
        }
        return .range(
            FilterRange(
                lower: lower.map { Bound(value: $0, isIncluded: true) },
                upper: upper.map { Bound(value: $0, isIncluded: true) }))
    }
}

extension FilterExpression.Measure {
    /// A low and a high value, to show the syntax of ranges.
    fileprivate var examples: (low: SafeText, high: SafeText) {
        switch self {
        case .size: ("100M", "2G")
        case .speed: ("100k", "1M")
        case .progress: ("50", "90")
        case .age: ("30s", "2h")
        }
    }

    fileprivate var unitWords: SafeText {
        switch self {
        case .size, .speed: FilterErrors.bytes
        case .progress: FilterErrors.percentage
        case .age: FilterErrors.time
        }
    }

    private var factors: [Character: Double] {
        switch self {
        case .size, .speed: ["k": 0x1p10, "m": 0x1p20, "g": 0x1p30, "t": 0x1p40]
        case .progress: ["%": 1]
        case .age: ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        }
    }

    /// The number in a lower-case text, with its unit; nil if it is none.
    fileprivate func value(of text: Substring) -> Double? {
        let factor = text.last.flatMap { factors[$0] }
        let digits = factor == nil ? text : text.dropLast()
        guard digits.first?.isNumber == true, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let number = Double(digits), number < 1e15
        else { return nil }
        return number * (factor ?? 1)
    }
}
