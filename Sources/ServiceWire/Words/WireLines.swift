import SessionSupport
package import TransferValues

/// Messages about the service after a window has closed.
package enum WireLines {
    package static func lostChanges(_ reason: SafeText) -> SafeText {
        "Service stopped, its last changes lost. \(reason)"
    }
    static func detached(_ count: Int) -> SafeText {
        "Detached: \(count, "task continues", "tasks continue"); attach: netdash, end: netdash stop"
    }
}
