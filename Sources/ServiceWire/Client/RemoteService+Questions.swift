import SessionSupport
package import TransferService
import TransferValues

/// Questions to a service, whose answers come in frames of a bounded length.
extension RemoteService {
    /// Answers a question of any length in bounded parts; one that fails fails the whole.
    package func answer(_ question: TransferQuestion) -> TransferAnswer {
        switch question {
        case .page(let id, let limit) where limit > Wire.pageLimit: pages(after: id, limit: limit)
        case .page(let id, let limit): page(after: id, limit: limit)
        case .rows(let ids):
            parts(of: ids, { .rows($0) }, { .rows($0) }) { if case .rows(let rows) = $0 { rows } else { nil } }
        case .figures(let ids):
            parts(of: ids, { .figures($0) }, { .figures($0) }) {
                if case .figures(let rows) = $0 { rows } else { nil }
            }
        case .jobs(let ids):
            parts(of: ids, { .jobs($0) }, { .jobs($0) }) { if case .jobs(let jobs) = $0 { jobs } else { nil } }
        default: ask(question) ?? .failed(Self.lost)
        }
    }

    func ask(_ question: TransferQuestion) -> TransferAnswer? {
        switch request(.ask(question)) {
        case .answer(let answer)?: answer
        case .failed(let failure)?: .failed(failure)
        default: nil
        }
    }

    /// Asks for a row's details without waiting; returns false where the question could not be sent.
    ///
    /// `body` is called on the connection's thread, with nil for a missing row and where the connection ends before.
    package func askDetails(of id: UInt64, _ body: @escaping @Sendable (RowDetails?) -> Void) -> Bool {
        state.withLock(\.link).ask(.ask(.details(id))) { reply in
            if case .answer(.details(let details))? = reply { body(details) } else { body(nil) }
        }
    }

    /// Calls `body` with the current rows of some ids, page by page; returns false when the connection is lost.
    ///
    /// The service makes a page while this process decodes the one before it.
    package func eachPage(of ids: [UInt64], _ body: ([RowSnapshot]) -> Void) -> Bool {
        let link = state.withLock(\.link)
        let starts = Array(stride(from: 0, to: ids.count, by: Wire.pageLimit))
        func begin(_ index: Int) -> UInt64? {
            guard index < starts.count else { return nil }
            let page = ids[starts[index]..<min(starts[index] + Wire.pageLimit, ids.count)]
            return link.begin(.ask(.rows(Array(page))))
        }
        func rows(_ reply: WireReply?, _ index: Int) -> [RowSnapshot]? {
            if case .answer(.rows(let rows))? = reply { return rows }
            // A page that is too long comes in halves.
            guard case .failed? = reply else { return nil }
            let page = ids[starts[index]..<min(starts[index] + Wire.pageLimit, ids.count)]
            if case .rows(let rows) = answer(.rows(Array(page))) { return rows }
            return nil
        }
        var next = begin(0)
        for index in starts.indices {
            guard let current = next else { return false }
            next = begin(index + 1)
            guard let rows = rows(link.reply(to: current), index) else { return false }
            body(rows)
        }
        return true
    }

    private func page(after id: UInt64?, limit: Int) -> TransferAnswer {
        let answer = ask(.page(after: id, limit: limit)) ?? .failed(Self.lost)
        return answer.isTooLong && limit > 1 ? page(after: id, limit: limit / 2) : answer
    }

    private func pages(after id: UInt64?, limit: Int) -> TransferAnswer {
        var rows: [RowSnapshot] = []
        var last = id
        while rows.count < limit {
            let part = page(after: last, limit: min(limit - rows.count, Wire.pageLimit))
            guard case .rows(let page) = part else { return Self.failure(part) }
            guard !page.isEmpty else { break }
            rows += page
            last = page.last?.id
        }
        return .rows(rows)
    }

    /// The values of many rows, asked part by part, or why a part has no answer; one that is too long is halved.
    private func parts<Value>(
        of ids: [UInt64], _ question: ([UInt64]) -> TransferQuestion, _ whole: ([Value]) -> TransferAnswer,
        _ values: (TransferAnswer) -> [Value]?
    ) -> TransferAnswer {
        var result: [Value] = []
        var most = Wire.pageLimit
        var rest = ids[...]
        repeat {
            let part = Array(rest.prefix(most))
            let answer = ask(question(part))
            if answer?.isTooLong == true, part.count > 1 {
                most = part.count / 2
                continue
            }
            guard let found = answer.flatMap(values) else { return Self.failure(answer) }
            result += found
            rest = rest.dropFirst(part.count)
        } while !rest.isEmpty
        return whole(result)
    }

    /// The service's own reason for a missing answer: a service over a queue has one while the database is away.
    private static func failure(_ answer: TransferAnswer?) -> TransferAnswer {
        if case .failed? = answer, let answer { answer } else { .failed(lost) }
    }
}
