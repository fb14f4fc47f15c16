/// The help overlay: the keys of the screen it was opened on, filtered by what is typed.
struct HelpState: Sendable, Equatable {
    var screen: Screen
    var filter = TextField()
    var top = 0
}
