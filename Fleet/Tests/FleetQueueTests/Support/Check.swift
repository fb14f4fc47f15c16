import Testing

/// Expects a value that a mutating call has returned, which `#expect` cannot make itself.
func check<Value: Equatable>(
    _ value: Value, is expected: Value, _ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation
) {
    #expect(value == expected, comment, sourceLocation: place)
}
