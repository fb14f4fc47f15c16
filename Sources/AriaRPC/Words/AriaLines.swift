import TransferValues

/// Lines of the log about the interface.
enum AriaLines {
    static func kept(_ name: SafeText) -> SafeText { "rpc: the option \(name) of aria2 has no effect" }
    static func mirrors(_ limit: Int, of count: Int) -> SafeText { "rpc: \(limit) of \(count) mirrors are used" }
    static func notAdded(_ url: SafeText, _ reason: SafeText) -> SafeText { "rpc: \(url) is not added: \(reason)" }
}
