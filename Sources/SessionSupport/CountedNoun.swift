extension DefaultStringInterpolation {
    /// Appends a count with its noun: `"\(3, "task", "tasks")"` is "3 tasks".
    package mutating func appendInterpolation(_ count: some BinaryInteger, _ one: StaticString, _ many: StaticString) {
        appendLiteral("\(count) \(count == 1 ? one : many)")
    }
}
