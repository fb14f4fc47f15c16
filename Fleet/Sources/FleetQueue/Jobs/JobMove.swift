/// The counts of a running job between two beats.
package struct JobMove: Equatable, Sendable {
    package let id: Int64
    package let epoch: Int64
    package let received: Int64
    package let total: Int64?

    package init(id: Int64, epoch: Int64, received: Int64, total: Int64?) {
        (self.id, self.epoch, self.received, self.total) = (id, epoch, received, total)
    }
}
