/// One measured value and what it may be at most.
struct Figure {
    let name: String
    let value: Double
    let limit: Double
    let unit: String

    init(_ name: String, _ value: Double, limit: Double, unit: String) {
        (self.name, self.value, self.limit, self.unit) = (name, value, limit, unit)
    }

    var isMet: Bool { value <= limit }
}
