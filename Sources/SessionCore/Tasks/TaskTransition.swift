/// A real change of a task's state that is announced.
enum TaskTransition: Sendable, Equatable {
    case resumed
    case suspended
}
