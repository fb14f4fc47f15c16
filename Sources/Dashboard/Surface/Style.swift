/// The style of a cell, limited to what every terminal supports.
package struct Style: Equatable, Sendable {
    /// The eight colours that a user's own palette defines.
    package enum Color: Int32, Sendable, CaseIterable {
        case black, red, green, yellow, blue, magenta, cyan, white
    }

    /// The attributes of a cell besides its colour.
    package struct Attributes: OptionSet, Sendable, Hashable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let reverse = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)

        fileprivate static let words: [(String, Attributes)] = [
            ("bold", .bold), ("dim", .dim), ("reverse", .reverse), ("underline", .underline),
        ]
    }

    /// Nil is the terminal's own foreground.
    package var color: Color?
    package var attributes: Attributes

    package init(_ color: Color? = nil, _ attributes: Attributes = []) {
        self.color = color
        self.attributes = attributes
    }

    /// A style in the words of the configuration file: at most one colour, and attributes; nil for other words.
    package init?(words text: String) {
        self.init()
        let words = text.split { $0 == " " || $0 == "\t" || $0 == "," }.map { $0.lowercased() }
        guard !words.isEmpty, Set(words).count == words.count else { return nil }
        var hasColor = false
        for word in words {
            if let attribute = Attributes.words.first(where: { $0.0 == word }) {
                attributes.insert(attribute.1)
                continue
            }
            guard !hasColor else { return nil }
            hasColor = true
            if word == Self.ownColor { continue }
            guard let color = Color.allCases.first(where: { "\($0)" == word }) else { return nil }
            self.color = color
        }
    }

    /// The word for the terminal's own foreground.
    private static let ownColor = "default"
}

extension Role {
    /// Its name in the configuration file, such as `state-failed`.
    package var word: String {
        "\(self)".reduce(into: "") { word, letter in
            word += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
        }
    }

    package static func named(_ word: String) -> Role? { allCases.first { $0.word == word } }
}
