import Dashboard
import SessionSupport

/// Output about aria2's interface.
enum RPCLines {
    static func ready(_ address: SafeText) -> SafeText { "aria2 RPC at \(address)" }
    static func notListening(_ reason: SafeText) -> SafeText { "No aria2 RPC: \(reason)" }
}
