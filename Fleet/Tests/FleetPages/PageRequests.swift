import TransferService

/// The pages that are timed, by their names.
enum PageRequests {
    /// A page by each column, with each order among equal rows, of all rows and of one state's.
    static var ordered: [(name: String, request: RowRequest)] {
        [[], [RowState.failed]].flatMap { states in
            RowRequest.Column.allCases.flatMap { column in
                [false, true].flatMap { isInverted in
                    [nil, RowRequest.Column.state, .name, .size, .host].map { tie in
                        let orders = [RowRequest.Order(column, isInverted: isInverted)]
                        return page(states, orders + [tie].compactMap { $0.map { RowRequest.Order($0) } })
                    }
                }
            }
                + RowRequest.Grouping.allCases.flatMap { grouping in
                    [.state, .size, .progress].map { page(states, [RowRequest.Order($0)], by: grouping) }
                }
        }
    }

    /// Pages with filters, by some columns.
    static var filtered: [(name: String, request: RowRequest)] {
        let filters: [(String, RowRequest.Condition)] = [
            ("a rare name", .text("file-123456")), ("a frequent name", .text("file-12")),
            ("a pattern", .pattern("file-123.56")), ("a host", .host("host17")),
            ("a worker", .worker("worker-7")), ("a rare worker", .worker("visitor")), ("a cause", .error("50", [])),
            ("a size", .range(.size, lower: RowRequest.Bound(value: 99_900_000, isIncluded: true), upper: nil)),
        ]
        return filters.flatMap { filter, condition in
            [RowRequest.Column.state, .name, .host, .size, .progress].map { column in
                var (name, request) = page([], [RowRequest.Order(column)])
                request.groups = [[RowRequest.Term(condition)]]
                name += " with " + filter
                return (name, request)
            }
        }
    }

    private static func page(
        _ states: [RowState], _ orders: [RowRequest.Order], by grouping: RowRequest.Grouping? = nil
    ) -> (String, RowRequest) {
        var request = RowRequest(limit: 500)
        (request.states, request.orders, request.grouping) = (states, orders, grouping)
        let words = orders.map { $0.column.rawValue + ($0.isInverted ? " reversed" : "") }.joined(separator: ", ")
        let place = grouping.map { "in groups by \($0.rawValue), by " } ?? "by "
        return (place + words + states.map { " of \($0.rawValue) rows" }.joined(), request)
    }
}
