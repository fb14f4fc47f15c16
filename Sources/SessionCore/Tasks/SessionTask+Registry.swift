/// Tasks by their numbers, as a session and its manager keep them.
extension [TransferID: SessionTask] {
    /// Takes a task out; does nothing when its number was given to another task meanwhile.
    mutating func remove(_ task: SessionTask) {
        guard let index = index(forKey: task.id), values[index] === task else { return }
        remove(at: index)
    }
}
