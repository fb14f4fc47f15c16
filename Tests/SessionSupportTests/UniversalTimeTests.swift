import SessionSupport
import Testing

/// The calendar, as dates of HTTP, logs and signatures need it.
@Suite("Universal time")
struct UniversalTimeTests {
    @Test(
        "A moment has its day and its time, and a day its moment",
        arguments: [
            (0, "1970-01-01", "00:00:00", 4), (-1, "1969-12-31", "23:59:59", 3),
            (951_782_399, "2000-02-28", "23:59:59", 1),
            (951_782_400, "2000-02-29", "00:00:00", 2), (4_107_542_400, "2100-03-01", "00:00:00", 1),
            (253_402_300_799, "9999-12-31", "23:59:59", 5), (.max, "9999-12-31", "23:59:59", 5),
            (.min, "0000-01-01", "00:00:00", 6),
        ] as [(Int64, String, String, Int)])
    func moments(seconds: Int64, date: String, clock: String, weekday: Int) {
        let time = UniversalTime(seconds)
        #expect((time.date, time.clock, time.weekday) == (date, clock, weekday))
        let start = UniversalTime.seconds(year: Int64(time.year), month: Int64(time.month), day: Int64(time.day))
        #expect(start.map { UniversalTime($0).date } == date)
    }

    @Test(
        "Days that no calendar has",
        arguments: [
            (2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1), (2024, 1, 0), (10_000, 1, 1),
            (-1, 1, 1),
        ] as [(Int64, Int64, Int64)])
    func noDays(year: Int64, month: Int64, day: Int64) {
        #expect(UniversalTime.seconds(year: year, month: month, day: day) == nil)
    }

    @Test("The short form of ISO 8601") func stamp() { #expect(UniversalTime(784_111_777).stamp == "19941106T084937Z") }
}
