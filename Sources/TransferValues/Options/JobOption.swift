import SessionSupport

/// One option of requests: everything that any part of the program knows of it.
///
/// The command line, the configuration file, input lists, the add form, saved sessions, curl commands, aria2's lists, the
/// help, the completions and the manual page read the records of ``allCases``; a new option is one record in a table.
package final class JobOption: Sendable {
    /// The tasks that an option says something of.
    package enum Subject: Sendable, Equatable {
        case requests
        /// Files that are downloaded, and nothing else.
        case downloads
        case uploads
        /// The body of a data request.
        case body
    }

    /// The requests for which an option of the command line holds.
    package enum Reach: Sendable, Equatable {
        /// Requests of the URLs it stands with.
        case request
        /// The same, and of the URLs in a server's list those of that server alone: it says who asks.
        case server
        /// All requests of the run, and of the rows of an earlier run.
        case run
    }

    /// Whether a value lasts longer than the run that named it.
    package enum Memory: Sendable, Equatable {
        /// It may stand in the configuration file, and a saved session keeps it.
        case kept
        /// It belongs to one task: the configuration file cannot set it for all.
        case ofTask
        /// It is asked for each time: neither of them has it.
        case none
    }

    /// Sets what a value says, which was read when it was written.
    package typealias Setter = @Sendable (inout RequestTerms) -> Void

    /// The long name, which lists, the form and the configuration file use too.
    package let name: String
    /// The letter of its short form on the command line.
    package let letter: Character?
    /// The words of the help.
    package let summary: String
    package let subject: Subject
    package let reach: Reach
    package let memory: Memory
    /// Whether it means more when it stands there twice.
    package let isRepeatable: Bool
    /// The name of the matter that it decides: of the options of one matter the last one counts.
    package let matter: String
    /// Whether it cannot go with a download that is written to standard output.
    package let needsFile: Bool
    /// Its names in a curl command, of which the first one is written; none where curl has nothing like it.
    package let curlNames: [String]
    /// Its names in aria2's lists, where the value means the same.
    package let ariaNames: [String]
    /// How its value looks: the word for it, what may be shown of it, and where a path is in it.
    package let style: OptionStyle
    /// Reads a value once; what comes of it is set on the terms of each request.
    private let read: @Sendable (String) throws(OptionProblem) -> Setter

    /// A record of an option with a value.
    ///
    /// - Parameter curl: nil where curl has the same name.
    package init<Value: Sendable>(
        _ name: String, _ kind: OptionKind<Value>, _ summary: String, letter: Character? = nil,
        of subject: Subject = .requests, reach: Reach = .request, memory: Memory = .kept, isRepeatable: Bool = false,
        matter: String? = nil, needsFile: Bool = false, curl: [String]? = nil, aria: [String] = [],
        set: @escaping @Sendable (inout RequestTerms, Value) -> Void
    ) {
        (self.name, self.letter, self.summary, style) = (name, letter, summary, kind.style)
        (self.subject, self.reach, self.memory) = (subject, reach, memory)
        (self.isRepeatable, self.matter, self.needsFile) = (isRepeatable, matter ?? name, needsFile)
        (curlNames, ariaNames) = (curl ?? ["--" + name], aria)
        let parse = kind.parse
        read = { text throws(OptionProblem) in
            let value = try parse(text)
            return { terms in set(&terms, value) }
        }
    }

    /// A record of an option that is on or off.
    package convenience init(
        _ name: String, _ summary: String, letter: Character? = nil, of subject: Subject = .requests,
        reach: Reach = .request, memory: Memory = .kept, matter: String? = nil, needsFile: Bool = false,
        curl: [String]? = nil, set: @escaping @Sendable (inout RequestTerms) -> Void
    ) {
        self.init(
            name, .flag, summary, letter: letter, of: subject, reach: reach, memory: memory, matter: matter,
            needsFile: needsFile, curl: curl
        ) { terms, _ in set(&terms) }
    }

    /// The most bytes of a value, more than anybody means.
    private static let byteLimit = 1 << 20

    /// Reads a value.
    package func reading(_ text: String) throws(OptionProblem) -> Setter {
        guard isSwitch || text.utf8.count <= Self.byteLimit else {
            throw OptionProblem(OptionUsage.tooLong)
        }
        guard isBody || isSwitch || text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw OptionProblem(OptionUsage.controlCharacter)
        }
        return try read(text)
    }

    /// What is wrong with a value, in words that follow the option's name; nil when it is in order.
    package func problem(with text: String) -> String? {
        do throws(OptionProblem) {
            _ = try reading(text)
            return nil
        } catch {
            return error.sentence
        }
    }
}

extension JobOption {
    /// The word that stands for its value; nil for one that is on or off.
    package var valueName: String? { style.valueName }
    /// What its value is.
    package var operand: OptionStyle.Operand { style.operand }
    /// Whether it is on or off and has no value.
    package var isSwitch: Bool { operand == .none }
    /// Whether it is the body of a request.
    package var isBody: Bool { subject == .body }
    /// Whether its value may name where a secret is: `@env:NAME` or `@file:PATH`.
    package var isSecret: Bool { style.secrecy != .none }
}

extension JobOption: Hashable {
    package static func == (left: JobOption, right: JobOption) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension JobOption: CustomStringConvertible {
    /// The name.
    package var description: String { name }
}

extension JobOption {
    /// One option with its value, which is empty for one that takes none.
    package struct Value: Sendable, Equatable {
        package let option: JobOption
        /// The value as it was written.
        package let text: String
        /// What it says, read once; nil for a text that says nothing, such as one of which only a mask is left.
        private let set: Setter?

        package init(_ option: JobOption, _ text: String = "") {
            (self.option, self.text) = (option, text)
            set = try? option.reading(text)
        }

        /// A value that is in order.
        package init(checking option: JobOption, _ text: String) throws(OptionProblem) {
            (self.option, self.text) = (option, text)
            set = try option.reading(text)
        }

        /// Sets what it says.
        package func apply(to terms: inout RequestTerms) { set?(&terms) }

        package static func == (left: Value, right: Value) -> Bool {
            left.option == right.option && left.text == right.text
        }
    }
}

extension JobOption.Value: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, text
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .name)
        guard let option = JobOption.named(name) else {
            throw DecodingError.dataCorruptedError(
                forKey: .name, in: container, debugDescription: "There is no option \(name)")
        }
        self.init(option, try container.decode(String.self, forKey: .text))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(option.name, forKey: .name)
        try container.encode(text, forKey: .text)
    }
}

extension JobOption.Value {
    /// What may be shown of the value: stars for what is secret, but not for the place of a secret.
    package var shownText: String { option.style.shown(text, .masked) }

    /// What may be stored of the value: the same, but random values whose names do not say that they are secrets stay.
    package var storable: JobOption.Value {
        let stored = option.style.shown(text, .removed)
        return stored == text ? self : JobOption.Value(option, stored)
    }

    /// Whether a mask is all that is left of the value.
    package var isHidden: Bool { text.contains(Redaction.mask) && text == shownText }

    /// The option as it stands in a line of options: `name=value`, or the name alone.
    package var line: String { option.isSwitch ? option.name : option.name + "=" + shownText }

    /// The same value with another path where it has a relative one.
    package func withPath(_ absolute: (String) -> String) -> JobOption.Value {
        guard let prefix = option.style.pathPrefix(text), text.hasPrefix(prefix), text.count > prefix.count else {
            return self
        }
        let path = String(text.dropFirst(prefix.count))
        return path.hasPrefix("~") ? self : JobOption.Value(option, prefix + absolute(path))
    }
}

extension [JobOption.Value] {
    /// Adds an option; one that cannot be there twice replaces the earlier one.
    package mutating func set(_ value: JobOption.Value) {
        if !value.option.isRepeatable { removeAll { $0.option.matter == value.option.matter } }
        append(value)
    }

    /// Whether an option is among them.
    package func contains(_ option: JobOption) -> Bool { contains { $0.option == option } }

    /// The text of an option, the last one where there are several.
    package func text(of option: JobOption) -> String? { last { $0.option == option }?.text }

    /// The kinds of bodies, each once, in the order in which they stand there.
    package var bodyOptions: [JobOption] {
        reduce(into: []) { kinds, value in
            if value.option.isBody, !kinds.contains(value.option) { kinds.append(value.option) }
        }
    }

    /// What they say together.
    package var terms: RequestTerms {
        var terms = RequestTerms()
        for value in self { value.apply(to: &terms) }
        return terms
    }
}
