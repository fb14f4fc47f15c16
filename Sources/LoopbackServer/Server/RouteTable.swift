/// Maps paths to behaviours, and counts the visits of each.
struct RouteTable: Sendable {
    private struct Route {
        var behaviour: Behaviour
        var visits = 0
    }

    private var exact: [String: Route] = [:]
    private var prefixes: [String: Route] = [:]

    /// Sets the behaviour of a path, or of every path below it when it ends in `/*`.
    ///
    /// The count restarts.
    mutating func set(_ path: String, _ behaviour: Behaviour) {
        if path.hasSuffix("/*") {
            prefixes[String(path.dropLast())] = Route(behaviour: behaviour)
        } else {
            exact[path] = Route(behaviour: behaviour)
        }
    }

    mutating func remove(_ path: String) {
        if path.hasSuffix("/*") {
            prefixes[String(path.dropLast())] = nil
        } else {
            exact[path] = nil
        }
    }

    /// The behaviour for a path, and the number of visits before this one.
    ///
    /// The longest match wins; without one, 404.
    mutating func visit(_ path: String) -> (behaviour: Behaviour, visit: Int) {
        if let route = exact[path] {
            exact[path]?.visits += 1
            return (route.behaviour, route.visits)
        }
        let match = prefixes.keys.filter { path.hasPrefix($0) }.max { $0.utf8.count < $1.utf8.count }
        guard let match, let route = prefixes[match] else {
            return (.respond(.text("Not found.\n", status: 404)), 0)
        }
        prefixes[match]?.visits += 1
        return (route.behaviour, route.visits)
    }
}
