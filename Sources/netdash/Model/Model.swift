/// Everything the dashboard knows.
///
/// A value: ``update(_:_:)`` changes it, ``view(_:size:capabilities:)`` draws it.
struct Model: Sendable {
    /// The screen's size as last reported.
    var size = Size(columns: 80, rows: 24)
    /// Milliseconds of the monotonic clock, as last reported.
    var now: Int64 = 0

    /// An empty dashboard.
    init() {}

    /// The next moment, in milliseconds of the clock, at which something on the screen ages; nil when nothing does.
    ///
    /// The event loop sleeps until then, and for ever when it is nil: an idle dashboard costs nothing.
    var nextDeadline: Int64? { nil }
}
