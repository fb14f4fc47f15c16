/// The speed of one transfer: an average that forgets with a time constant of three seconds.
struct SpeedMeter: Sendable {
    private static let timeConstant = 3000.0
    private var lastTime: Int64?
    private var lastMoved: Int64 = 0
    private var average: Double?

    /// Bytes per second; nil until two samples are there.
    var bytesPerSecond: Int64? { average.map { Int64($0.rounded()) } }

    /// Takes a sample; the time is in milliseconds of the monotonic clock. A count that fell starts the meter again.
    mutating func sample(moved: Int64, at time: Int64) {
        defer {
            lastTime = time
            lastMoved = moved
        }
        guard let lastTime, time > lastTime, moved >= lastMoved else {
            if moved < lastMoved { average = nil }
            return
        }
        let elapsed = Double(time - lastTime)
        let rate = Double(moved - lastMoved) / elapsed * 1000
        let weight = elapsed / (elapsed + Self.timeConstant)
        average = average.map { $0 + (rate - $0) * weight } ?? rate
    }

    /// Forgets everything, as after a pause.
    mutating func reset() { self = SpeedMeter() }
}
