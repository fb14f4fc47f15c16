/// The columns that can be switched off, under the words of the configuration file; the others are what makes a row a
/// row.
package enum TableColumn: String, Sendable, CaseIterable {
    case gauge = "progress"
    case done, size, speed, time
    case stateWord = "state"
    case protocolName = "protocol"
    case host

    /// Its word in the options.
    package var title: SafeText {
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
