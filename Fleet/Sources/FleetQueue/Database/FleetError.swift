/// A failure of the queue, with a text for the user.
package struct FleetError: Error, Equatable {
    /// What a caller decides by.
    package enum Code: Equatable, Sendable {
        /// An argument, list or address is not valid.
        case usage
        /// The server is not reachable, is starting, has no free connection, or has not answered in time.
        case away
        /// The transaction was undone because of another one; it may be repeated at once.
        case conflict
        /// The server has ended the statement before its answer, because of a time limit or an administrator: it may be
        /// repeated later.
        case interrupted
        /// A row with this key exists already.
        case duplicate
        /// The database has no queue.
        case noQueue
        /// The queue's schema is another version's.
        case otherSchema
        /// The database has a queue, but not the one that this program has worked on.
        case otherQueue
        /// Any other error of the server.
        case refused
        /// A file could not be read or written.
        case file
    }

    package let code: Code
    package let text: String

    package init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }
}

extension FleetError {
    /// The error of a result, by its SQLSTATE.
    static func server(state: String, message: String) -> FleetError {
        let message = PostgresText.printable(message)
        switch state {
        // Connection exceptions, too few resources such as connections, and an administrator's or crash's shutdown.
        case _ where state.hasPrefix("08") || state.hasPrefix("53") || state.hasPrefix("57P"):
            return FleetError(.away, QueueErrors.away(message))
        // A standby that only reads: its promotion is near, or the address is the wrong one.
        case "25006": return FleetError(.away, QueueErrors.readOnly)
        case "40001", "40P01": return FleetError(.conflict, QueueErrors.refused(message))
        case "55P03", "57014": return FleetError(.interrupted, QueueErrors.refused(message))
        case "23505": return FleetError(.duplicate, QueueErrors.refused(message))
        case "3F000", "42P01", "42883": return FleetError(.noQueue, QueueErrors.noQueue)
        case "ND001": return FleetError(.otherSchema, QueueErrors.otherSchema(message, known: Schema.version))
        default: return FleetError(.refused, QueueErrors.refused(message))
        }
    }
}
