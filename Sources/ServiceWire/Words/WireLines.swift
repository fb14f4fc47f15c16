import SessionSupport
import TransferValues

/// Messages about the service after a window has closed.
enum WireLines {
    static func detached(_ count: Int) -> SafeText {
        "Detached: \(count, "task continues", "tasks continue"); attach: netdash, end: netdash stop"
    }
}
