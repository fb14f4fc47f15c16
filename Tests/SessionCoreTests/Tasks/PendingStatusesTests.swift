import Testing

@testable import SessionCore

@Suite("Statuses that wait for the end of a drain") struct PendingStatusesTests {
    /// What happens to the statuses of three tasks.
    enum Step: Sendable {
        case put(Int, received: Int64)
        case drop(Int)
    }

    private let fixture = ManagerFixture()

    @Test(
        "The latest one of each task is kept, in the order of the tasks' first ones, until the task ends",
        arguments: [
            ([], []),
            ([.put(0, received: 1)], [(0, 1)]),
            ([.put(1, received: 1), .put(0, received: 2), .put(1, received: 3)], [(1, 3), (0, 2)]),
            ([.put(0, received: 1), .put(1, received: 2), .drop(0)], [(1, 2)]),
            ([.put(0, received: 1), .drop(0), .drop(0), .drop(2)], []),
            ([.put(0, received: 1), .put(2, received: 2), .drop(0), .put(0, received: 3)], [(2, 2), (0, 3)]),
        ] as [([Step], [(Int, Int64)])])
    func latest(steps: [Step], expected: [(Int, Int64)]) throws {
        let tasks = try (0..<3).map { _ in try fixture.manager.dataTask(with: fixture.request, completionHandler: nil) }
        var statuses = PendingStatuses()
        for step in steps {
            switch step {
            case .put(let number, let received):
                var status = TaskStatus()
                status.received = received
                statuses.keep([.status(tasks[number].id, status)], of: [tasks[number]])
            case .drop(let number):
                statuses.drop(tasks[number])
            }
        }
        let told = statuses.tasks.enumerated().compactMap { index, task in
            statuses[index].map { (task: task, received: $0.received) }
        }
        #expect(told.map(\.task) == expected.map { tasks[$0.0] })
        #expect(told.map(\.received) == expected.map(\.1))
        #expect(statuses.isEmpty == told.isEmpty)
    }
}
