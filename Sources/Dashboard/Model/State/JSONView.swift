/// The view of a JSON body: its folds, the part shown, and the selected line.
package struct JSONView: Sendable, Equatable {
    package let tree: JSONTree
    /// The part that is shown; nil for all of it.
    package private(set) var path: JSONPath?
    /// The reason why the path finds nothing in this body.
    package private(set) var problem: SafeText?
    /// The values shown with their content, one below the other.
    private(set) var roots: [Int] = [0]
    /// Whether each value is folded.
    private var folded: [Bool]
    /// The visible lines: numbers of values, and complements for the ends of groups.
    private var lines: [Int32] = []
    /// The selected line.
    package private(set) var cursor = 0

    /// The number of folds restored in another body.
    private static let rememberedFolds = 200

    /// Shows a body; when it replaces another, the part shown and the folds are kept.
    init(_ tree: JSONTree, after old: JSONView? = nil) {
        self.tree = tree
        folded = Array(repeating: false, count: tree.nodes.count)
        path = old?.path
        if let path { find(path) }
        for fold in old?.foldPaths ?? [] {
            for node in (try? tree.find(fold)) ?? [] where tree.isFilled(node) { folded[node] = true }
        }
        layOut()
        cursor = min(old?.cursor ?? 0, max(lines.count - 1, 0))
    }

    package var count: Int { lines.count }

    var hasFolds: Bool { folded.contains(true) }

    mutating func moveCursor(to line: Int) { cursor = min(max(line, 0), max(lines.count - 1, 0)) }

    /// Folds or unfolds the group of the selected line; a value that is no group folds the one that contains it.
    mutating func toggleFold() {
        guard lines.indices.contains(cursor) else { return }
        let line = lines[cursor]
        var node = Int(line < 0 ? ~line : line)
        // A root is folded only on its own line.
        let parent = Int(tree.nodes[node].parent)
        if !tree.isFilled(node), parent >= 0, !roots.contains(node), !roots.contains(parent) { node = parent }
        guard tree.isFilled(node) else { return }
        folded[node].toggle()
        layOut()
        moveCursor(to: lines.firstIndex(of: Int32(node)) ?? cursor)
    }

    /// Folds every group of the shown part, or unfolds all if some are folded.
    mutating func toggleAll() {
        let selected = lines.indices.contains(cursor) ? lines[cursor] : 0
        if hasFolds {
            folded = Array(repeating: false, count: tree.nodes.count)
        } else {
            for root in roots {
                // The root stays open, so that there is a line to choose from.
                let first = roots.count == 1 ? root + 1 : root
                for node in first..<max(Int(tree.nodes[root].end), first) where tree.isFilled(node) {
                    folded[node] = true
                }
            }
        }
        layOut()
        moveCursor(to: lines.firstIndex(of: selected) ?? 0)
    }

    /// Shows only the values at a path, or all of them again.
    mutating func show(_ path: JSONPath?) throws(JSONPath.Problem) {
        roots = try path.map { path throws(JSONPath.Problem) in try tree.find(path) } ?? [0]
        self.path = path
        problem = nil
        layOut()
        cursor = 0
    }

    var selectedPath: String? {
        guard lines.indices.contains(cursor) else { return nil }
        return tree.path(of: Int(lines[cursor] < 0 ? ~lines[cursor] : lines[cursor]))
    }

    private mutating func find(_ path: JSONPath) {
        do throws(JSONPath.Problem) {
            roots = try tree.find(path)
        } catch {
            roots = []
            problem = error.sentence
        }
    }

    private var foldPaths: [JSONPath] {
        folded.indices.lazy.filter { folded[$0] }.prefix(Self.rememberedFolds).compactMap { node in
            try? JSONPath(tree.path(of: node))
        }
    }

    private mutating func layOut() {
        lines = []
        for root in roots {
            var open: [Int] = []
            var node = root
            while node < tree.nodes[root].end {
                while let group = open.last, node >= tree.nodes[group].end {
                    open.removeLast()
                    lines.append(~Int32(group))
                }
                lines.append(Int32(node))
                if folded[node] || !tree.isFilled(node) {
                    node = Int(tree.nodes[node].end)
                } else {
                    open.append(node)
                    node += 1
                }
            }
            for group in open.reversed() { lines.append(~Int32(group)) }
        }
    }
}

/// The lines of a view, made on demand.
extension JSONView {
    /// One line: its fold mark, its indentation, and its pieces.
    struct Line {
        var sign: SafeText
        var indent: Int
        var pieces: [JSONTree.Piece]
    }

    func line(_ index: Int) -> Line {
        let entry = lines[index]
        let node = Int(entry < 0 ? ~entry : entry)
        guard entry >= 0 else { return Line(sign: "", indent: indent(of: node), pieces: [tree.closing(of: node)]) }
        let isFolded = folded[node]
        let sign: SafeText = isFolded ? "+" : tree.isFilled(node) ? "-" : ""
        var pieces = tree.pieces(of: node, isFolded: isFolded)
        if roots.count > 1, roots.contains(node) {
            if tree.nodes[node].name.isEmpty == false { pieces.removeFirst(2) }
            pieces.insert(JSONTree.Piece(kind: .name, text: SafeText(untrusted: tree.path(of: node))), at: 0)
            pieces.insert(JSONTree.Piece(kind: .mark, text: ": "), at: 1)
        }
        return Line(sign: sign, indent: indent(of: node), pieces: pieces)
    }

    /// The levels below the shown part.
    private func indent(of node: Int) -> Int {
        let root = roots.count == 1 ? roots[0] : roots.last { $0 <= node } ?? 0
        return max(Int(tree.nodes[node].depth) - Int(tree.nodes[root].depth), 0)
    }
}
