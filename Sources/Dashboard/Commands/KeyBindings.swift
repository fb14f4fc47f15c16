/// The keys of every screen: the key table, with the keys that the user has changed.
///
/// Footer, help and dispatch all read it, so a changed key is shown as it is.
package struct KeyBindings: Sendable {
    /// The reason why a change cannot be made, in one sentence.
    package struct Problem: Error, Equatable {
        /// The name of the change that cannot be made.
        package var command: String
        package var sentence: String
    }

    /// The key table as it is.
    package static let standard = KeyBindings(commands: KeyTable.commands)

    /// Every command, with its keys.
    package let commands: [Command]
    private let bindings: [Screen: [KeyPress: Int]]
    /// The name of each command's first key.
    private let keyNames: [Command.ID: SafeText]

    private init(commands: [Command]) {
        self.commands = commands
        var bindings: [Screen: [KeyPress: Int]] = [:]
        for screen in Screen.allCases {
            for (index, command) in commands.enumerated() {
                for key in command.keys(on: screen) where bindings[screen]?[key] == nil {
                    bindings[screen, default: [:]][key] = index
                }
            }
        }
        self.bindings = bindings
        var keyNames: [Command.ID: SafeText] = [:]
        for command in commands { keyNames[command.id] = command.keys.first.map(KeyName.text) }
        self.keyNames = keyNames
    }

    /// The table with the keys of some commands replaced; each change is the command's name and its keys, as in
    /// `pause` and `p F7`.
    package init(changes: [(name: String, keys: String)]) throws(Problem) {
        var commands = KeyTable.commands
        for change in changes {
            guard let index = commands.firstIndex(where: { $0.name == change.name }) else {
                throw Problem(
                    command: change.name,
                    sentence: "there is no command \"\(change.name)\"; netdash --help-keys names them")
            }
            commands[index] = commands[index].bound(to: try KeyBindings.keys(in: change.keys, for: change.name))
        }
        try KeyBindings.check(commands, changed: changes.map(\.name))
        self.init(commands: commands)
    }

    /// The same with the demo's tour on the help's question mark in the list, where F1 still opens the help; unchanged
    /// where the user has given the help other keys.
    package var withTour: KeyBindings {
        guard let help = commands.firstIndex(where: { $0.id == .help }),
            case let others = commands[help].keys.filter({ !KeyTable.tour.keys.contains($0) }), !others.isEmpty,
            others.count < commands[help].keys.count
        else { return self }
        var commands = commands
        // The footer and sentences name the first key.
        commands[help] = commands[help].bound(to: others + KeyTable.tour.keys)
        return KeyBindings(commands: [KeyTable.tour] + commands)
    }

    /// The command that a key stands for on a screen.
    package func command(for key: KeyPress, on screen: Screen) -> Command? {
        bindings[screen]?[key].map { commands[$0] }
    }

    /// The commands of a screen that have a key there.
    package func commands(on screen: Screen) -> [Command] {
        commands.filter { !$0.keys(on: screen).isEmpty }
    }

    /// The key of a command to name in a sentence, such as `z` for `undo`.
    package func key(of command: Command.ID) -> SafeText { keyNames[command] ?? .empty }

    private static func keys(in text: String, for command: String) throws(Problem) -> [KeyPress] {
        var keys: [KeyPress] = []
        for word in text.split(separator: " ") {
            guard let key = KeyName.key(named: String(word)) else {
                throw Problem(command: command, sentence: "\"\(word)\" is no key; write p, Space, F5 or ^P")
            }
            let isReserved = KeyTable.reservedKeys.contains(key)
            guard !isReserved else {
                throw Problem(command: command, sentence: "\(word) cannot be bound: terminals keep it")
            }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw Problem(command: command, sentence: "a key is missing for \(command)") }
        return keys
    }

    /// Throws where a key would have two meanings on a screen.
    private static func check(_ commands: [Command], changed: [String]) throws(Problem) {
        for screen in Screen.allCases {
            var seen: [KeyPress: Command] = [:]
            for command in commands {
                for key in command.keys(on: screen) {
                    if let other = seen[key], other.id != command.id {
                        let names = [other, command].map { $0.name ?? "\"\($0.title.string)\"" }
                        throw Problem(
                            command: changed.last { names.contains($0) } ?? names[1],
                            sentence: "\(KeyName.text(key)) would be both \(names[0]) and \(names[1])")
                    }
                    seen[key] = command
                }
            }
        }
    }
}

/// Bindings are equal when every command has the same keys.
extension KeyBindings: Equatable {
    package static func == (left: KeyBindings, right: KeyBindings) -> Bool {
        left.commands.map(\.keys) == right.commands.map(\.keys)
    }
}
