/// The help overlay: the keys of the screen it was opened on, filtered by what is typed.
struct HelpState: Sendable, Equatable {
    var screen: Screen
    /// What lay there when help was asked for, and lies there again afterwards.
    var previous: Overlay?
    var filter = TextField()
    var top = 0
}
