/// What lines say about tasks that wait.
enum QueueLines {
    static func waits(until moment: String) -> String { "waits until \(moment)" }
}
