import Testing

@testable import TransferService
@testable import netdash

@Suite("Progress in lines")
struct ProgressLinesTests {
    /// A report in each second, with what has been sent by then.
    private func speeds(_ lines: inout ProgressLines, from second: Int64, sent: [Int64]) -> [Int64?] {
        sent.enumerated().compactMap { index, sent -> Int64?? in
            var figures = TransferEvent.Figures()
            (figures.sent, figures.expectedToSend) = (sent, 8_000_000)
            let report = lines.report(figures, of: 1, .json, at: (second + Int64(index)) * 1_000)
            return report.map { $0.bytesPerSecond }
        }
    }

    @Test("What still arrives during a pause has no speed, and no speed counts the pause")
    func paused() {
        var lines = ProgressLines()
        #expect(speeds(&lines, from: 0, sent: [0, 1_000_000, 2_000_000, 3_000_000]).last == 1_000_000)
        lines.hear(.paused, of: 1)
        #expect(speeds(&lines, from: 4, sent: [3_200_000, 3_300_000, 3_350_000]) == [nil, nil, nil])
        lines.hear(.resumed, of: 1)
        // The first span brings what the kernel has kept.
        let after = speeds(&lines, from: 60, sent: [3_350_000, 4_000_000, 5_000_000, 6_000_000]).compactMap(\.self)
        #expect(after == [1_000_000, 1_000_000])
    }

    @Test("The kept bytes of a partial file are no speed, also when it is found after the first report")
    func keptBytes() {
        for first: (Int64, Int64) in [(5_000_000, 5_000_000), (0, 0)] {
            var lines = ProgressLines()
            let reports: [(received: Int64, resumedAt: Int64)] = [
                first, (5_000_000, 5_000_000), (5_001_000, 5_000_000), (5_002_000, 5_000_000),
            ]
            let speeds = reports.enumerated().compactMap { index, report -> Int64? in
                var figures = TransferEvent.Figures()
                (figures.received, figures.resumedAt) = report
                figures.expectedToReceive = 10_000_000
                return lines.report(figures, of: 1, .json, at: Int64(index) * 1_000)?.bytesPerSecond
            }
            #expect(!speeds.isEmpty && speeds.allSatisfy { $0 <= 1_000 }, "\(speeds)")
        }
    }

    @Test("A transfer's end forgets its pause, and a beginning is no end of one")
    func ended() {
        var lines = ProgressLines()
        lines.hear(.paused, of: 1)
        lines.hear(.cancelled, of: 1)
        lines.hear(.resumed, of: 1)
        #expect(speeds(&lines, from: 0, sent: [0, 1_000_000, 2_000_000]) == [1_000_000, 1_000_000])
    }
}
