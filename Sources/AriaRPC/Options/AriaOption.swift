import SessionSupport
import TransferValues

/// One of aria2's options with everything that the interface knows of it.
///
/// An option either acts, or is kept with its task and told again; a new one is one record in a table.
struct AriaOption: Sendable {
    /// Where a client may set it.
    enum Place: Sendable {
        /// For one task, and for all later ones.
        case task
        /// For the service alone.
        case service
    }

    /// What a value does.
    enum Effect: Sendable {
        /// Nothing: the task keeps the value and tells it again.
        case kept
        /// The same as the option or the key of a job with this name of aria2.
        case same
        /// Changes a task to be.
        case job(@Sendable (inout AriaDraft, String) throws(OptionProblem) -> Void)
        /// Changes the service by a command; nil for a value that it cannot have.
        case service(@Sendable (AriaServiceChange, String) -> TransferCommand?)
    }

    let name: String
    let kind: AriaValueKind
    /// The value that is told where none was set; nil for none.
    let initial: String?
    let place: Place
    let effect: Effect
    /// The value that a job has; nil where it says nothing.
    let read: @Sendable (Job) -> String?

    init(
        _ name: String, _ kind: AriaValueKind, _ initial: String? = nil, for place: Place = .task,
        is effect: Effect = .kept, read: @escaping @Sendable (Job) -> String? = { _ in nil }
    ) {
        (self.name, self.kind, self.initial, self.place) = (name, kind, initial, place)
        (self.effect, self.read) = (effect, read)
    }

    /// A value as clients and lists get it: without the name and the password in a proxy's or a page's address.
    func shown(_ text: String) -> String {
        guard case .text = kind, name.hasSuffix("-proxy") || name == "referer" else { return text }
        return Redaction.url(text)
    }

    var isKept: Bool { if case .kept = effect { true } else { false } }

    static let all = ofFiles + ofConnections + ofRequests + ofServices

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

    static func named(_ name: String) -> AriaOption? { byName[name] }
}

/// The service whose settings an option changes.
struct AriaServiceChange: Sendable {
    let tasks: any AriaTasks
}

/// aria2's options as a command line has them.
package enum AriaOptionText {
    package static var names: [String] { AriaOption.all.map(\.name) }

    /// The kinds of options that only a command line has.
    private static let ofCommandLines: [String: AriaValueKind] = [
        "console-log-level": .choice(["debug", "info", "notice", "warn", "error"]), "disk-cache": .anySize,
        "min-tls-version": .choice(["TLSv1.1", "TLSv1.2", "TLSv1.3"]),
        "stop": .integer(0...Int64(Int32.max)), "stop-with-process": .integer(0...Int64(Int32.max)),
        "summary-interval": .integer(0...Int64(Int32.max)),
    ]

    /// What the value of an option must be, in words; nil for a right value, and where any text is one.
    package static func expected(_ text: String, of name: String) -> String? {
        // Its upper end is ours.
        guard name != "max-concurrent-downloads", let kind = AriaOption.named(name)?.kind ?? ofCommandLines[name],
            kind.normalised(.string(text)) == nil
        else { return nil }
        switch kind {
        case .integer(let range): return AriaErrors.number(from: range.lowerBound, to: range.upperBound)
        case .size(let range): return AriaErrors.number(from: range.lowerBound, to: range.upperBound)
        case .choice(let words): return AriaErrors.oneOf(words)
        case .flag, .text, .lines, .checksum: return nil
        }
    }

    /// The value of an option as it is told; nil for an unknown option and for a wrong value.
    ///
    /// - Parameter earlier: the value of the same option before it; an option of several lines has both.
    package static func value(_ text: String, of name: String, after earlier: String?) -> String? {
        guard let option = AriaOption.named(name), let value = option.kind.normalised(.string(text)) else { return nil }
        if case .lines = option.kind { return (earlier ?? "") + value }
        return value
    }
}
