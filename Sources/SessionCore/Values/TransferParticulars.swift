/// The part of a transfer's metrics that most transfers do not have, behind one pointer: metrics are copied for each.
final class TransferParticulars: Sendable, Equatable {
    /// What there is.
    struct Values: Sendable, Equatable {
        var earlierAttempts: [Double] = []
        var secureConnection: SecureConnection?
        var earlierHeads: [ResponseHead] = []
    }

    let values: Values

    init(_ values: Values) {
        self.values = values
    }

    var earlierAttempts: [Double] { values.earlierAttempts }
    var secureConnection: SecureConnection? { values.secureConnection }
    var earlierHeads: [ResponseHead] { values.earlierHeads }

    static func == (left: TransferParticulars, right: TransferParticulars) -> Bool {
        left === right || left.values == right.values
    }
}
