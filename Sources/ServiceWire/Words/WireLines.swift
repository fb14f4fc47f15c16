import SessionSupport
package import TransferValues

/// Messages about the service after a window has closed.
package enum WireLines {
    package static func lostChanges(_ reason: SafeText) -> SafeText {
        "Service stopped, its last changes lost. \(reason)"
    }

    /// - Parameter session: the one that this machine's commands name; the default one for a service elsewhere.
    static func detached(_ count: Int, _ session: String?) -> SafeText {
        let name = SafeText(untrusted: session ?? SessionLines.defaultSession)
        let (attach, stop) = (SessionLines.dashboard(name), SessionLines.command("stop", name))
        return "Detached: \(count, "unfinished task", "unfinished tasks"); attach: \(attach), end: \(stop)"
    }
}
