import FleetQueue
import FleetWindow
import Foundation
import TransferService

// Prints how long a window takes for its pages and counts: one line each, with a tab and milliseconds. The queue is the
// one of libpq's environment.
//
// The first answer of an order fills the caches, as a window's does that asks for it each second. With a filter it
// counts too, and a line tells after how long the page had its rows.

struct Unanswered: Error { let answer: TransferAnswer }

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let began = FleetClock.now()
    try body()
    return (FleetClock.now() - began) * 1000
}

func report(_ name: String, _ times: some Sequence<Double>) { print("\(name)\t\(times.max() ?? 0)") }

func matches(_ request: RowRequest, _ service: FleetService) throws -> RowMatches {
    let answer = service.answer(.matching(request))
    guard case .matching(let matches) = answer else { throw Unanswered(answer: answer) }
    return matches
}

do {
    let address = try QueueAddress(nil)
    let service = try FleetService(address)
    for problem in service.begin() { print(problem) }
    while !service.isCounted { usleep(10_000) }
    let queue = try FleetQueue(address, role: "figures")
    report("counts", try (0..<6).map { _ in try milliseconds { _ = try queue.tallies() } }.dropFirst())
    for (name, request) in PageRequests.ordered {
        let times = try (0..<6).map { _ in
            try milliseconds {
                let answer = try matches(request, service)
                guard !answer.rows.isEmpty else { throw Unanswered(answer: .matching(answer)) }
            }
        }
        report("page " + name, times.dropFirst())
    }
    for (name, request) in PageRequests.filtered {
        var times: [Double] = []
        var found = 0.0
        while found == 0 || times.count < 6 {
            var isFound = false
            times.append(try milliseconds { isFound = try !matches(request, service).rows.isEmpty })
            if isFound, found == 0 { found = times.reduce(0, +) }
        }
        report("page " + name, times)
        report("rows " + name, [found])
    }
    service.close(leaving: [])
} catch {
    print("error: \(error)")
    exit(1)
}
