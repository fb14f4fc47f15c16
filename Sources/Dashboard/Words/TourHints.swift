/// The lines of the demo's tour.
package enum TourHints {
    package static func invitation(_ tour: SafeText) -> SafeText { "\(tour) starts a tour" }
    package static func closing(help: SafeText, quit: SafeText) -> SafeText {
        "End of tour. \(help) lists all keys, \(quit) quits"
    }
    package static func step(_ number: Int, of count: Int, _ what: SafeText) -> SafeText {
        "Tour \(number)/\(count): \(what)"
    }
    package static func end(_ key: SafeText) -> SafeText { "\(key) end" }
    package static func next(_ key: SafeText) -> SafeText { "\(key) next" }
    package static func select(_ key: SafeText) -> SafeText { "\(key) to move" }
    package static func pause(_ key: SafeText) -> SafeText { "\(key) to pause a task" }
    package static func resume(_ key: SafeText) -> SafeText { "\(key) to resume the task" }
    package static func details(_ key: SafeText) -> SafeText { "\(key) for the details of a task" }
    package static func back(_ key: SafeText) -> SafeText { "\(key) to go back to the list" }
    package static func filter(_ key: SafeText) -> SafeText { "\(key) to filter as you type" }
    package static func cancel(_ key: SafeText) -> SafeText { "\(key) to cancel a task" }
}
