internal import FleetQueue

/// The arguments of a command, read by its record.
struct Arguments: Sendable {
    private(set) var operand: String?
    private var values: [String: String] = [:]

    init(_ words: some Sequence<String>, of command: FleetCommand) throws(FleetError) {
        var rest = Array(words)[...]
        let options = command.options + [.queue]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                guard command.operand != nil, operand == nil else {
                    throw FleetError(.usage, CommandErrors.extraOperand(PostgresText.printable(word)))
                }
                operand = word
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = options.first(where: { $0.name == parts[0] || $0.short == parts[0] }) else {
                throw FleetError(
                    .usage, CommandErrors.unknownOption(PostgresText.printable(parts[0]), command: command.name))
            }
            guard option.value != nil else {
                guard parts.count == 1 else { throw FleetError(.usage, CommandErrors.noValueTaken(option.name)) }
                values[option.name] = ""
                continue
            }
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw FleetError(.usage, CommandErrors.missingValue(option.name))
            }
            // An empty value is a variable that a script has not set, and the default would be another queue or worker.
            guard option.mayBeEmpty || value.contains(where: { !$0.isWhitespace }) else {
                throw FleetError(.usage, CommandErrors.emptyValue(option.name))
            }
            values[option.name] = value
        }
        if let name = command.operand, operand == nil {
            throw FleetError(.usage, CommandErrors.missingOperand(name, command: command.name))
        }
    }

    subscript(name: String) -> String? { values[name] }

    func has(_ name: String) -> Bool { values[name] != nil }

    var address: QueueAddress {
        get throws(FleetError) { try QueueAddress(values[FleetOption.queue.name]) }
    }

    /// A whole number from 1 to 10,000.
    func count(_ name: String) throws(FleetError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), (1...10_000).contains(number) else {
            throw FleetError(.usage, CommandErrors.badCount(name))
        }
        return number
    }

    /// A state by its name, or `standard`.
    func state(_ name: String, of allowed: [JobState], else standard: JobState?) throws(FleetError) -> JobState? {
        guard let text = values[name] else { return standard }
        guard let state = JobState(rawValue: text), allowed.contains(state) else {
            throw FleetError(.usage, CommandErrors.badValue(name, allowed.map(\.rawValue)))
        }
        return state
    }

    /// Seconds from `30s`, `10m`, `12h` or `7d`; a number alone may be meant as days or as seconds.
    func seconds(_ name: String) throws(FleetError) -> Double? {
        guard let text = values[name] else { return nil }
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let number = UInt32(text.dropLast()) else {
            throw FleetError(.usage, CommandErrors.badDuration(name))
        }
        return Double(number) * unit
    }
}
