import SessionSupport

/// The values of a response that conditions and links ask for.
extension Answer {
    /// Values of a tree: the body's own, or the results of a program, which may be none.
    typealias Found = (tree: JSONTree, nodes: [Int])

    /// The reason why there are no values, as a phrase.
    struct Lack: Error {
        var phrase: String
    }

    func values(of query: JSONQuery) throws(Lack) -> Found {
        guard body != nil else { throw Lack(phrase: ConditionErrors.longBody) }
        guard let tree else { throw Lack(phrase: jsonProblem.sentence) }
        switch query {
        case .path(let path):
            do throws(JSONPath.Problem) {
                return (tree, try tree.find(path))
            } catch {
                throw Lack(phrase: error.sentence.string.asPhrase)
            }
        case .program(let program):
            switch outcomes[program] ?? .failure(.error(PathErrors.programNotRun)) {
            case .success(let results): return (results, results.children(of: 0))
            case .failure(let failure):
                throw Lack(phrase: failure.sentence { masked($0) }.string.asPhrase)
            }
        }
    }

    // MARK: - Secrets

    /// Whether a text that a program found is shown: it is one of the body's, and never a secret there.
    ///
    /// A text that the program has made is not shown, because it may have a secret in it.
    func mayShow(_ text: String) -> Bool {
        guard let tree else { return false }
        var isKnown = false
        for node in tree.nodes.indices where tree.nodes[node].kind == .string {
            guard tree.scalar(of: node) == .string(text) else { continue }
            guard !Redaction.hidesParameter(tree.nameOfMember(around: node), value: text, userInfo: .masked) else {
                return false
            }
            isKnown = true
        }
        return isKnown
    }

    /// A sentence of jq with the secrets of the body masked, also where jq has shortened them.
    func masked(_ sentence: String) -> String {
        var sentence = sentence
        for secret in secrets(in: sentence).sorted(by: { $0.count > $1.count }) {
            sentence = sentence.replacing(secret, with: Redaction.mask)
            for count in (1..<max(secret.count, 1)).reversed() {
                sentence = sentence.replacing(secret.prefix(count) + "...", with: Redaction.mask)
            }
        }
        return Redaction.sentence(sentence)
    }

    /// The secret texts and numbers of the body of which a sentence may have a part, also as JSON spells them.
    private func secrets(in sentence: String) -> Set<String> {
        guard let tree else { return [] }
        let characters = Set(sentence)
        var secrets: Set<String> = []
        for node in tree.nodes.indices {
            guard let scalar = tree.scalar(of: node), let first = scalar.text.first, characters.contains(first) else {
                continue
            }
            if case .word = scalar { continue }
            let name = tree.nameOfMember(around: node)
            guard Redaction.hidesParameter(name, value: scalar.text, userInfo: .masked) else { continue }
            let value = tree.nodes[node].value
            let spelling = tree.bytes[Int(value.lowerBound)..<Int(value.upperBound)]
            secrets.insert(String(scalar.text.prefix(Self.longestSecret)))
            secrets.insert(String(String(decoding: spelling, as: UTF8.self).trimmingQuotes.prefix(Self.longestSecret)))
        }
        return secrets
    }

    /// The most characters of a secret that are looked for: a sentence has no more.
    private static let longestSecret = 200
}

extension String {
    fileprivate var trimmingQuotes: Substring {
        count >= 2 && first == "\"" && last == "\"" ? dropFirst().dropLast() : self[...]
    }
}
