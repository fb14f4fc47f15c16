/// The columns that can be switched off; the others are what makes a row a row.
enum TableColumn: Sendable, CaseIterable {
    case gauge, done, size, speed, time, stateWord, protocolName, host

    /// Its word in the options.
    var title: SafeText {
        switch self {
        case .gauge: "progress bar"
        case .done: "bytes done"
        case .size: "size"
        case .speed: "speed"
        case .time: "time"
        case .stateWord: "state in words"
        case .protocolName: "protocol"
        case .host: "host"
        }
    }
}
