import SessionSupport

/// The URLs that a JSON response names.
package enum AnswerLinks {
    /// The reason why there are none, in one sentence.
    package struct Problem: Error, Equatable {
        package var sentence: String

        package init(sentence: String) { self.sentence = sentence }
    }

    /// The texts that a query finds, each a URL or a reference to be resolved against the response's own.
    package static func urls(at query: JSONQuery, in answer: Answer) throws(Problem) -> [String] {
        let (tree, nodes) = try values(of: query, in: answer)
        guard !nodes.isEmpty else {
            throw Problem(sentence: LinkErrors.none(query.shownText, ConditionErrors.noResult))
        }
        var urls: [String] = []
        for node in nodes {
            guard case .string(let text)? = tree.scalar(of: node), Self.isPossible(text) else {
                // The path of a program's result is none of the body.
                let place = query.program.map(\.shownText) ?? tree.path(of: node)
                throw Problem(sentence: LinkErrors.noURL(place))
            }
            urls.append(text)
        }
        return urls
    }

    /// The text of a next page; nil where the last page has nothing, `null`, `false` or an empty text there.
    package static func next(at query: JSONQuery, in answer: Answer) throws(Problem) -> String? {
        if case .path(let path) = query, let tree = answer.tree, (try? tree.find(path)) == nil { return nil }
        let (tree, nodes) = try values(of: query, in: answer)
        guard let node = nodes.first else { return nil }
        let scalar = tree.scalar(of: node)
        guard scalar != .word("null"), scalar != .word("false"), scalar != .string("") else { return nil }
        return try urls(at: query, in: answer).first
    }

    private static func values(of query: JSONQuery, in answer: Answer) throws(Problem) -> Answer.Found {
        do throws(Answer.Lack) {
            return try answer.values(of: query)
        } catch {
            throw Problem(sentence: LinkErrors.none(query.shownText, error.phrase))
        }
    }

    /// Whether a text is an http or https URL, or a reference without a scheme.
    private static func isPossible(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
        let scan = URLScan(text)
        return scan.scheme == nil || scan.isWebAddress
    }
}
