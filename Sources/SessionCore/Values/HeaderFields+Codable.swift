/// Fields are coded as a list of name and value, in order.
extension HeaderFields: Codable {
    /// Reads what ``encode(to:)`` wrote.
    public init(from decoder: any Decoder) throws {
        self.init()
        for pair in try [[String]](from: decoder) {
            guard pair.count == 2 else {
                let context = DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "A field is a name and a value")
                throw DecodingError.dataCorrupted(context)
            }
            append(name: pair[0], value: pair[1])
        }
    }

    /// Writes every field line, values included: they may be secrets.
    public func encode(to encoder: any Encoder) throws {
        try map { [$0.name, $0.value] }.encode(to: encoder)
    }
}
