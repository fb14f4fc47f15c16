/// Who owns a session and hears of its end.
///
/// The session holds it weakly, and strongly while tasks run.
protocol SessionOwner: AnyObject, Sendable {
    /// Called once on the delegate queue when the engine has ended and the last completion handler has returned.
    func sessionDidBecomeInvalid(_ session: Session)
    /// Called on the delegate queue when the ends of tasks were announced, before their completion handlers are run.
    func session(_ session: Session, didForget tasks: [SessionTask])
}
