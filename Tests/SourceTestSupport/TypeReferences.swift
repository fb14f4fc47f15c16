package import Foundation

/// Which rooms of a module use what which other rooms declare, read from its source.
///
/// A room is a folder below the module's. The compiler checks the arrows between modules; a test checks the arrows inside one. It knows types by their names, nested ones included, free functions, and members that an extension adds
/// to a type of another room when no other type has a member of that name (the standard library's are not known, so such a
/// member must not be called like one of them). Comments and texts are not looked at.
package struct TypeReferences {
    /// From one room to another.
    package struct Arrow: Hashable, CustomStringConvertible {
        package var from: String
        package var to: String

        package init(from: String, to: String) {
            self.from = from
            self.to = to
        }

        package var description: String { "\(from) → \(to)" }
    }

    /// A place where a room uses another: `Model/Toast.swift:7: Canvas`.
    package struct Reference: Hashable, CustomStringConvertible {
        package var file: String
        package var line: Int
        package var type: String

        package var description: String { "\(file):\(line): \(type)" }
    }

    private struct File {
        var path: String
        var declarations: SourceDeclarations
    }

    /// The module's name, which may stand before a type's.
    private let module: String
    private let files: [File]

    /// Reads every Swift file below a folder, which is named like its module.
    package init(root: URL) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        self.init(
            module: root.lastPathComponent,
            files: try paths.sorted().map { path in
                (path: path, text: try String(contentsOf: root.appending(path: path), encoding: .utf8))
            })
    }

    /// Files that are given as texts, by their paths.
    package init(module: String, files: [(path: String, text: String)]) {
        self.module = module
        self.files = files.map { File(path: $0.path, declarations: SourceDeclarations($0.text)) }
    }

    /// The folder of the package that a test file belongs to: the nearest one above it with a manifest.
    package static func package(of testFile: String = #filePath) -> URL {
        var folder = URL(filePath: testFile).deletingLastPathComponent()
        while folder.path() != "/",
            !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path())
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }

    /// The files of each folder that holds any.
    package var folders: [String: [String]] {
        Dictionary(grouping: files.map(\.path)) { path in
            path.split(separator: "/").dropLast().joined(separator: "/")
        }
    }

    // MARK: - Arrows

    /// Every arrow between two of the rooms, with the places that make it.
    ///
    /// Of rooms inside of one another, such as `Model` and `Model/Rows`, a file is in the innermost.
    package func arrows(between rooms: [String]) -> [Arrow: [Reference]] {
        let homes = Homes(files: files.map { ($0.declarations, TypeReferences.room(of: $0.path, among: rooms)) })
        var arrows: [Arrow: [Reference]] = [:]
        for file in files {
            guard let from = TypeReferences.room(of: file.path, among: rooms) else { continue }
            for use in file.declarations.uses {
                for (name, to) in homes.targets(of: use, in: file.declarations, module: module) where to != from {
                    let reference = Reference(file: file.path, line: use.line, type: name)
                    arrows[Arrow(from: from, to: to), default: []].append(reference)
                }
            }
        }
        return arrows
    }

    /// What contradicts a table of rooms and the rooms that each may use: files in no room, arrows that the table does
    /// not have, arrows of the table that nothing uses, and rooms that reach themselves.
    package func contradictions(to table: [String: Set<String>]) -> [String] {
        let rooms = table.keys.sorted()
        let arrows = arrows(between: rooms)
        var problems = files.filter { TypeReferences.room(of: $0.path, among: rooms) == nil }
            .map { "\($0.path) is in no room of the table" }
        for (arrow, references) in arrows.sorted(by: { $0.key.description < $1.key.description })
        where table[arrow.from]?.contains(arrow.to) != true {
            let examples = references.prefix(5).map(\.description).joined(separator: ", ")
            problems.append("\(arrow) is not in the table: \(examples) (\(references.count) in all)")
        }
        for from in rooms {
            for to in (table[from] ?? []).sorted() where arrows[Arrow(from: from, to: to)] == nil {
                problems.append("\(from) → \(to) is in the table, but nothing uses it")
            }
            if TypeReferences.reach(from: from, in: table).contains(from) {
                problems.append("\(from) reaches itself through the table")
            }
        }
        return problems
    }

    /// The pairs of folders that use each other inside one room, each as `Transport/Loop ↔ Transport/Transfer`.
    ///
    /// A room's own files count as a folder beside its sub-folders.
    package func mutualPairs() -> [String] {
        let arrows = arrows(between: folders.keys.filter { !$0.isEmpty })
        return arrows.keys.filter { arrow in
            arrow.from < arrow.to && arrows[Arrow(from: arrow.to, to: arrow.from)] != nil
                && arrow.from.split(separator: "/").first == arrow.to.split(separator: "/").first
        }.map { "\($0.from) ↔ \($0.to)" }.sorted()
    }

    private static func room(of path: String, among rooms: [String]) -> String? {
        rooms.filter { path.hasPrefix($0 + "/") }.max { $0.count < $1.count }
    }

    private static func reach(from room: String, in table: [String: Set<String>]) -> Set<String> {
        var reached: Set<String> = []
        var open = table[room] ?? []
        while let next = open.popFirst() {
            if reached.insert(next).inserted { open.formUnion(table[next] ?? []) }
        }
        return reached
    }

    // MARK: - Where names are at home

    /// Which room declares what.
    private struct Homes {
        /// By path, such as `AddForm.Field`; types that only their own file sees are left out.
        private var types: [String: String] = [:]
        private var functions: [String: Set<String>] = [:]
        /// Rooms whose extensions of another room's types declare a member; nil once a type has one of that name itself.
        private var members: [String: Set<String>?] = [:]

        init(files: [(declarations: SourceDeclarations, room: String?)]) {
            for (declarations, room) in files {
                for type in declarations.types where !type.isPrivate {
                    types[type.path.joined(separator: ".")] = room
                }
                for function in declarations.functions where !function.isPrivate {
                    if let room { functions[function.path[0], default: []].insert(room) }
                }
            }
            for (declarations, room) in files {
                for member in declarations.members where !member.isPrivate {
                    let name = member.path[member.path.count - 1]
                    let isForeign = member.isInExtension && types[member.path[0]] != room
                    guard isForeign, let room, case .some(let rooms) = members[name, default: []] else {
                        members[name] = .some(nil)
                        continue
                    }
                    members[name] = rooms.union([room])
                }
            }
        }

        /// The names of a use that some room declares, each with that room.
        func targets(
            of use: SourceDeclarations.Use, in file: SourceDeclarations, module: String
        ) -> [(name: String, room: String)] {
            var path = use.path
            var targets: [(name: String, room: String)] = []
            if !use.isMember {
                if path.count > 1, path[0] == module { path.removeFirst() }
                if !file.parameters.contains(path[0]) { targets += typeTargets(of: path, scope: use.scope, in: file) }
            }
            let first = use.isMember ? 0 : 1
            for (index, name) in path.enumerated() {
                let isCalled = index == path.count - 1 && use.isCall
                guard index >= first || isCalled, let rooms = members[name] ?? nil, rooms.count == 1 else { continue }
                targets += rooms.map { (name, $0) }
            }
            if !use.isMember, path.count == 1, use.isCall, members[path[0]] == nil,
                let rooms = functions[path[0]], rooms.count == 1
            {
                targets += rooms.map { (path[0] + "()", $0) }
            }
            return targets
        }

        /// The type that a path begins with, seen from inside of others, and those nested in it that follow.
        private func typeTargets(
            of path: [String], scope: [String], in file: SourceDeclarations
        ) -> [(name: String, room: String)] {
            for depth in stride(from: scope.count, through: 0, by: -1) {
                let outer = Array(scope.prefix(depth))
                let isOwn = file.types.contains { $0.path == outer + [path[0]] }
                guard isOwn || types[(outer + [path[0]]).joined(separator: ".")] != nil else { continue }
                var targets: [(name: String, room: String)] = []
                for length in 1...path.count {
                    let name = (outer + path.prefix(length)).joined(separator: ".")
                    guard isOwn && length == 1 || types[name] != nil else { break }
                    if let room = types[name], !(isOwn && length == 1) { targets.append((name, room)) }
                }
                return targets
            }
            return []
        }
    }
}
