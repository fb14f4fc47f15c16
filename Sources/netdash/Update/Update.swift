/// Applies a message to the model and says what the world is to do.
///
/// Pure: the same arguments give the same result.
func update(_ model: inout Model, _ message: Message) -> [Effect] {
    switch message {
    case .resized(let size): model.size = size
    case .clock(let now): model.now = max(model.now, now)
    case .key, .paste, .rows, .removed, .toast, .resumedFromBackground, .allWorkEnded, .terminate: break
    }
    return []
}
