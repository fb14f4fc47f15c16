/// The other end of a connection, as a sentence names it.
enum PeerLabels {
    static let proxy = "the proxy"
    static func proxy(_ place: String) -> String { "proxy \(place)" }
    static let otherSide = "the other side"
    static let interface = "the interface"
}
