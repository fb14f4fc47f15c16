import Dashboard

/// An object that carries out the model's effects.
///
/// Called on the event loop's thread, and never blocks it, except ``close()``.
protocol EffectHandling: AnyObject {
    /// Carries out effects in their order. Effects on the terminal and the program itself do not come here.
    ///
    /// Returns what the model is to know at once; what takes time is posted later.
    func perform(_ effects: [Effect]) -> [Message]
    /// A file to show to the user: where it is, and whether it was only made for that and has to be removed.
    func fileToView(of id: UInt64) -> ViewableFile?
    /// Ends all work before the program ends; whatever is live keeps its part and what it needs to go on.
    ///
    /// Returns within two seconds with the status the program ends with.
    func close() -> Int32
    /// The lines that the user is told where the shell goes on, once ``close()`` has returned.
    var farewell: [SafeText] { get }
}
