/// The guided tour of the demo: a line that names a key to try, and advances when that is pressed.
///
/// It takes over only the two keys that leave it, so everything can be tried while it is shown.
package struct Tour: Sendable, Equatable {
    /// A key to try.
    enum Step: Int, Sendable, CaseIterable {
        case select, pause, resume, details, back, filter, cancel

        /// The commands that end the step.
        var commands: [Command.Named] {
            switch self {
            case .select: [.down, .up]
            case .pause: [.pause]
            case .resume: [.resume]
            case .details: [.details]
            case .back: [.back]
            case .filter: [.filter]
            case .cancel: [.cancel]
            }
        }
    }

    /// The part of the tour that is shown.
    enum Stage: Sendable, Equatable {
        /// The line says how to begin.
        case invitation
        case step(Step)
        /// The line says goodbye.
        case closing
        /// Nothing is shown until the tour is started again.
        case hidden
    }

    private(set) var stage = Stage.invitation

    package init() {}

    /// Whether a step is shown, or the goodbye.
    package var isInProgress: Bool {
        switch stage {
        case .step, .closing: true
        case .invitation, .hidden: false
        }
    }

    /// Begins, or advances to the next step.
    mutating func goOn() {
        switch stage {
        case .invitation, .hidden, .closing: stage = .step(.select)
        case .step(let step): stage = Step(rawValue: step.rawValue + 1).map(Stage.step) ?? .closing
        }
    }

    /// Advances if a command completes the step.
    mutating func notice(_ command: Command) {
        if case .step(let step) = stage, step.commands.contains(where: { $0.rawValue == command.id }) { goOn() }
    }

    /// Hides the tour; returns whether it was shown.
    mutating func leave() -> Bool {
        defer { stage = .hidden }
        return stage != .hidden
    }

    /// The line, with the user's own keys; nil while hidden.
    func line(keys: KeyBindings) -> SafeText? {
        switch stage {
        case .hidden: nil
        case .invitation: TourHints.invitation(keys.key(of: .tour))
        case .closing: TourHints.closing(help: keys.key(of: .help), quit: keys.key(of: .quit))
        case .step(let step):
            TourHints.step(step.rawValue + 1, of: Step.allCases.count, Self.sentence(step, keys))
        }
    }

    /// The same step without its number, for a narrow window.
    func shortLine(keys: KeyBindings) -> SafeText? {
        if case .step(let step) = stage { Self.sentence(step, keys) } else { line(keys: keys) }
    }

    private static func sentence(_ step: Step, _ keys: KeyBindings) -> SafeText {
        switch step {
        case .select: TourHints.select(keys.key(of: .down))
        case .pause: TourHints.pause(keys.key(of: .pause))
        case .resume: TourHints.resume(keys.key(of: .resume))
        case .details: TourHints.details(keys.key(of: .details))
        case .back: TourHints.back(keys.key(of: .back))
        case .filter: TourHints.filter(keys.key(of: .filter))
        case .cancel: TourHints.cancel(keys.key(of: .cancel))
        }
    }
}

extension Model {
    /// The minimum columns for the number of a step.
    private static let leastTourColumns = 30

    /// The tour's line, which is shown beside the latest message.
    package var tourLine: Toast? {
        let isNarrow = size.columns < Self.leastTourColumns
        guard let tour, let words = isNarrow ? tour.shortLine(keys: keys) : tour.line(keys: keys) else { return nil }
        var hints: [SafeText] = []
        if case .step = tour.stage {
            hints = [TourHints.end(keys.key(of: .stepBack)), TourHints.next(keys.key(of: .tour))]
        }
        return Toast(words: words, hints: hints, isError: false, expiresAt: .max)
    }

    /// Begins the tour or skips a step; its line replaces messages.
    mutating func goOnWithTour() {
        tour?.goOn()
        _ = toasts.dismiss()
    }

    /// Leaves the tour; returns whether it was running.
    mutating func leaveTour() -> Bool {
        guard tour?.isInProgress == true else { return false }
        return tour?.leave() ?? false
    }
}
