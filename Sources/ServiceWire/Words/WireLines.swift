import SessionSupport
import TransferValues

/// What a window that closes tells of its service.
enum WireLines {
    static func detached(_ count: Int) -> SafeText {
        "Detached: \(count, "task goes", "tasks go") on; netdash shows them, netdash stop ends them"
    }
}
