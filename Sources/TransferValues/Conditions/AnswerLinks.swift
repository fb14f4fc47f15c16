import SessionSupport

/// The URLs that a JSON response names.
package enum AnswerLinks {
    /// The reason why there are none, in one sentence.
    package struct Problem: Error, Equatable {
        package var sentence: String

        package init(sentence: String) { self.sentence = sentence }
    }

    /// The texts at a path, each a URL or a reference to be resolved against the response's own.
    package static func urls(at path: JSONPath, in answer: Answer) throws(Problem) -> [String] {
        guard answer.body != nil else { throw Problem(sentence: LinkErrors.none(path.text, ConditionErrors.longBody)) }
        guard let tree = answer.tree else {
            throw Problem(sentence: LinkErrors.none(path.text, answer.jsonProblem.sentence))
        }
        let nodes: [Int]
        do throws(JSONPath.Problem) {
            nodes = try tree.find(path)
        } catch {
            throw Problem(sentence: LinkErrors.none(path.text, error.sentence.string.asPhrase))
        }
        var urls: [String] = []
        for node in nodes {
            guard case .string(let text)? = tree.scalar(of: node), Self.isPossible(text) else {
                throw Problem(sentence: LinkErrors.noURL(tree.path(of: node)))
            }
            urls.append(text)
        }
        return urls
    }

    /// The text at the path of a next page; nil where the last page has nothing, `null`, `false` or an empty text there.
    package static func next(at path: JSONPath, in answer: Answer) throws(Problem) -> String? {
        guard let tree = answer.tree else { return try urls(at: path, in: answer).first }
        guard let node = try? tree.find(path).first else { return nil }
        let scalar = tree.scalar(of: node)
        guard scalar != .word("null"), scalar != .word("false"), scalar != .string("") else { return nil }
        return try urls(at: path, in: answer).first
    }

    /// Whether a text is an http or https URL, or a reference without a scheme.
    private static func isPossible(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return false }
        let scan = URLScan(text)
        return scan.scheme == nil || scan.isWebAddress
    }
}
