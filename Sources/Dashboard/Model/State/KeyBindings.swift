/// The commands of every screen, with the keys that the user has changed.
///
/// Footer, help and dispatch all read it, so a changed key appears everywhere.
package struct KeyBindings: Sendable {
    /// The reason why a change cannot be made, in one sentence.
    package struct Problem: Error, Equatable {
        /// The name of the change that cannot be made.
        package var command: String
        package var sentence: String
    }

    package let commands: [Command]
    /// The commands of the menu of tasks, in its order.
    package let menu: [Command]
    /// The purposes of commands, in the order of the help.
    package let purposes: [SafeText]
    private let bindings: [Screen: [KeyPress: Int]]
    /// The name of each command's first key, or the words that find it in the palette if it has no key left.
    private let keyNames: [String: SafeText]

    /// Takes commands in sections, whose order is the order of the footer and the help.
    package init(sections: [CommandSection]) {
        self.init(
            commands: sections.flatMap { section in
                section.commands.map { command in
                    var command = command
                    command.purpose = section.title
                    return command
                }
            })
    }

    init(commands: [Command]) {
        self.commands = commands
        menu = commands.filter { $0.menuRank != nil }.sorted { ($0.menuRank ?? 0) < ($1.menuRank ?? 0) }
        purposes = commands.compactMap(\.purpose).reduce(into: []) { all, purpose in
            if !all.contains(purpose) { all.append(purpose) }
        }
        var bindings: [Screen: [KeyPress: Int]] = [:]
        for screen in Screen.allCases {
            for (index, command) in commands.enumerated() {
                for key in command.keys(on: screen) where bindings[screen]?[key] == nil {
                    bindings[screen, default: [:]][key] = index
                }
            }
        }
        self.bindings = bindings
        var keyNames: [String: SafeText] = [:]
        for command in commands {
            // A sentence may appear in the list and in the details, so it names a key that works in both.
            let key = command.keys.first { key in command.screens.allSatisfy { !command.isDisplaced(key, on: $0) } }
            keyNames[command.id] = key.map(KeyName.text) ?? Self.paletteText(of: command)
        }
        self.keyNames = keyNames
    }

    /// The same with the keys of some commands replaced; each change is the command's name and its keys, as in `pause`
    /// and `p F7`.
    ///
    /// A chosen key is taken from the command that has it by default: a choice made for an earlier version stays valid
    /// if a later one gives the key to a new command. Only two choices can conflict.
    package func changed(by changes: [(name: String, keys: String)]) throws(Problem) -> KeyBindings {
        var commands = commands
        for change in changes {
            guard let index = commands.firstIndex(where: { $0.name == change.name }) else {
                throw Problem(
                    command: change.name,
                    sentence: KeyErrors.unknownCommand(change.name))
            }
            commands[index] = commands[index].bound(to: try KeyBindings.keys(in: change.keys, for: change.name))
        }
        return KeyBindings(commands: try KeyBindings.displacing(commands, chosen: changes.map(\.name)))
    }

    package func command(for key: KeyPress, on screen: Screen) -> Command? {
        bindings[screen]?[key].map { commands[$0] }
    }

    /// The commands of a screen that have a key there.
    package func commands(on screen: Screen) -> [Command] {
        commands.filter { !$0.keys(on: screen).isEmpty }
    }

    /// All commands of a screen, even if their keys were chosen for others, because the palette finds them.
    package func allCommands(on screen: Screen) -> [Command] {
        let hasPalette = screen == .list || screen == .details
        return commands.filter { command in
            !command.keys(on: screen).isEmpty
                || hasPalette && command.name != nil && command.screens.contains(screen)
        }
    }

    /// The keys of a command on a screen in words; its name in the palette if it has none.
    package func text(of command: Command, on screen: Screen) -> SafeText {
        let keys = command.keys(on: screen)
        return keys.isEmpty ? Self.paletteText(of: command) ?? .empty : KeyName.text(keys)
    }

    /// The words that find a command in the palette, as in `:save-view`.
    private static func paletteText(of command: Command) -> SafeText? {
        command.name.map { ":" + SafeText(untrusted: $0) }
    }

    /// The key to name in a sentence, such as `z` for `undo`.
    package func key(of command: Command.Named) -> SafeText { keyNames[command.rawValue] ?? .empty }

    /// The key to name beside the command's title.
    package func key(for command: Command) -> SafeText { keyNames[command.id] ?? .empty }

    private static func keys(in text: String, for command: String) throws(Problem) -> [KeyPress] {
        var keys: [KeyPress] = []
        for word in text.split(separator: " ") {
            guard let key = KeyName.key(named: String(word)) else {
                throw Problem(command: command, sentence: KeyErrors.unknownKey(String(word)))
            }
            let isReserved = KeyName.reserved.contains(key)
            guard !isReserved else {
                throw Problem(command: command, sentence: KeyErrors.reserved(String(word)))
            }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw Problem(command: command, sentence: KeyErrors.missing(command)) }
        return keys
    }

    /// The commands, each without the keys that were chosen for another one on the same screen.
    ///
    /// A command that exists only on its own screen keeps its last key there, because no palette finds it. Throws if
    /// two chosen commands have the same key.
    private static func displacing(_ commands: [Command], chosen names: [String]) throws(Problem) -> [Command] {
        var commands = commands
        for screen in Screen.allCases {
            var owners: [KeyPress: Int] = [:]
            for (index, command) in commands.enumerated() where command.name.map({ names.contains($0) }) == true {
                for key in command.keys(on: screen) {
                    if let other = owners[key], other != index {
                        throw conflict(over: key, commands[other], command, chosen: names)
                    }
                    owners[key] = index
                }
            }
            guard !owners.isEmpty else { continue }
            for (index, command) in commands.enumerated() {
                let keys = command.keys(on: screen)
                let lost = keys.filter { owners[$0].map { $0 != index } ?? false }
                if command.name != nil || lost.count < keys.count {
                    if !lost.isEmpty { commands[index] = command.without(lost, on: screen) }
                    continue
                }
                for key in lost {
                    guard let owner = owners[key] else { continue }
                    commands[owner] = commands[owner].without([key], on: screen)
                }
            }
        }
        return commands
    }

    /// The sentence about a key with two meanings.
    private static func conflict(
        over key: KeyPress, _ first: Command, _ second: Command, chosen: [String]
    ) -> Problem {
        let names = [first, second].map { $0.name ?? "\"\($0.title.string)\"" }
        return Problem(
            command: chosen.last { names.contains($0) } ?? names[1],
            sentence: KeyErrors.conflict(KeyName.text(key), names[0], names[1]))
    }
}

/// Equality of bindings: every command has the same keys.
extension KeyBindings: Equatable {
    package static func == (left: KeyBindings, right: KeyBindings) -> Bool {
        left.bindings == right.bindings && left.commands.map(\.keys) == right.commands.map(\.keys)
    }
}
