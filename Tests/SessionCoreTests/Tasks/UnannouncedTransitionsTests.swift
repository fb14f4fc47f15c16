import Testing

@testable import SessionCore

@Suite("Transitions nobody was told of") struct UnannouncedTransitionsTests {
    @Test(
        "They come back in the order in which they were made",
        arguments: [[], [.resumed], [.suspended], [.resumed, .suspended], [.suspended, .resumed, .suspended]]
            as [[TaskTransition]])
    func order(made: [TaskTransition]) {
        var transitions = UnannouncedTransitions()
        for transition in made { transitions.append(transition) }
        #expect(Array(transitions) == made)
        #expect(transitions.last == made.last)
        #expect(transitions.isEmpty == made.isEmpty)
    }
}
