/// Where a server is in its life: idle → starting → running → stopping → idle; a failed start goes back to idle.
enum ServerPhase: Sendable {
    case idle
    case starting
    case running
    case stopping
}
