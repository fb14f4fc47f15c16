/// The other end of a connection, as a sentence names it.
enum PeerLabels {
    static let proxy = "the proxy"
    static func proxy(_ endpoint: String) -> String { "proxy \(endpoint)" }
    static let otherSide = "the other side"
    static let interface = "the interface"
}
