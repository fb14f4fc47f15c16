import Dashboard

/// Options that tests name and the program does not.
extension JobOption {
    static let pin = known("pin")
    static let leastSpeedTime = known("speed-time")
    static let referer = known("referer")
    static let remoteTime = known("remote-time")
    static let verifyOverlap = known("verify-overlap")

    private static func known(_ name: String) -> JobOption { named(name) ?? .proxy }
}
