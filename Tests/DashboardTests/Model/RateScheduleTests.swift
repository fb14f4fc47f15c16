import Testing

@testable import Dashboard

/// Rates and timetables as people write them.
@Suite("Rates and their times")
struct RateScheduleTests {
    private func problem(_ text: String) -> String? {
        do throws(RateSchedule.Problem) {
            _ = try RateSchedule(text)
            return nil
        } catch {
            return error.sentence
        }
    }

    @Test(
        "A rate is a number of bytes, with a letter in steps of 1024",
        arguments: [
            ("512", 512), ("512k", 524_288), ("512K", 524_288), ("1.5M", 1_572_864), ("2MiB/s", 2_097_152),
            ("3MB", 3_145_728),
            ("1G", 1_073_741_824), (" 7k ", 7_168), ("1", 1), ("off", nil), ("OFF", nil), ("0", nil),
        ] as [(String, Int64?)])
    func rates(text: String, rate: Int64?) throws {
        let schedule = try RateSchedule(text)
        #expect(schedule.rate(at: 0) == rate && schedule.rate(at: 10_079) == rate)
        #expect(!schedule.isTimed && schedule.minutesUntilChange(after: 5) == nil)
    }

    @Test(
        "What is no rate and no timetable is refused in a sentence",
        arguments: [
            "", "fast", "-1", "0.1", "1k2", "k", "1e9", "512kk", "99999999T", "08:00", "08:00,", "8:00,1k", "24:00,1k",
            "08:60,1k", "Foo-08:00,1k", "08:00,1k,2k", "1k 2k", "08:00,fast", "08:00,1k 9", "nan", "٣k",
        ])
    func refused(text: String) {
        #expect(problem(text) != nil)
    }

    @Test("A time that stands there twice is refused, and a day's own time goes before that of every day")
    func twice() throws {
        #expect(problem("08:00,1k 08:00,2k")?.contains("twice") == true)
        #expect(problem("Mon-08:00,1k mon-08:00,2k")?.contains("twice") == true)
        for text in ["08:00,1k Tue-08:00,2k", "Tue-08:00,2k 08:00,1k"] {
            let schedule = try RateSchedule(text)
            #expect(schedule.rate(at: 480) == 1024)
            #expect(schedule.rate(at: 1_440 + 480) == 2048)
            #expect(schedule.rate(at: 2_880 + 480) == 1024)
        }
    }

    @Test("A timetable holds from each time to the next one, and from the last one of the week to the first")
    func times() throws {
        let daily = try RateSchedule("08:00,512k 18:00,off")
        #expect(daily.isTimed)
        #expect(daily.rate(at: 479) == nil)
        #expect(daily.rate(at: 480) == 524_288)
        #expect(daily.rate(at: 1_079) == 524_288)
        #expect(daily.rate(at: 1_080) == nil)
        #expect(daily.rate(at: 6 * 1_440 + 500) == 524_288)
        #expect(daily.minutesUntilChange(after: 0) == 480)
        #expect(daily.minutesUntilChange(after: 480) == 600)
        #expect(daily.minutesUntilChange(after: 6 * 1_440 + 1_080) == 840)
        let weekly = try RateSchedule("Mon-08:00,1M Fri-20:00,off")
        #expect(weekly.rate(at: 0) == nil)
        #expect(weekly.rate(at: 2_000) == 1_048_576)
        #expect(weekly.minutesUntilChange(after: 4 * 1_440 + 1_200) == 2 * 1_440 + 240 + 480)
    }

    @Test("A clock that leaps to any minute of the week finds that minute's rate, and the next look is never far")
    func leaps() throws {
        let schedule = try RateSchedule("08:00,512k 18:00,off Sat-00:00,1M")
        var (minute, plan) = (0, RatePlan())
        plan.download = schedule
        for leap in [600, -120, 5_000, -5_000, 10_079, -1, 1_440, 3, -7 * 1_440] {
            minute =
                ((minute + leap) % RateSchedule.minutesOfWeek + RateSchedule.minutesOfWeek)
                % RateSchedule.minutesOfWeek
            let isWeekend = minute / 1_440 == 5 && minute % 1_440 < 480
            let isDay = (480..<1_080).contains(minute % 1_440)
            let rate = RatesInForce(plan, at: minute).download
            #expect(rate == (isWeekend ? 1_048_576 : isDay ? 524_288 : nil), "\(minute)")
            let next = try #require(schedule.minutesUntilChange(after: minute))
            #expect((1...RateSchedule.minutesOfWeek).contains(next))
            for into in [Int64(0), 30_000, 59_999] {
                let wait = RatePlan.millisecondsUntilCheck(changeIn: next, intoMinute: into)
                #expect((1...600_000).contains(wait))
            }
        }
    }

    @Test(
        "A rate that is written and read is the same",
        arguments: [1, 512, 1_024, 1_536, 1_048_576, 1_572_864, 999_999_999])
    func words(rate: Int64) throws {
        #expect(try RateSchedule.rate(RateSchedule.words(of: rate)) == rate)
        #expect(RateSchedule.words(of: nil) == "off")
    }

    @Test("A plan changes when the first of its timetables does")
    func plan() throws {
        var plan = RatePlan()
        #expect(!plan.isTimed && plan.minutesUntilChange(after: 0) == nil)
        plan.download = try RateSchedule("08:00,512k 18:00,off")
        plan.perTask = try RateSchedule("07:30,1k 09:00,off")
        #expect(plan.minutesUntilChange(after: 0) == 450)
        let rates = RatesInForce(plan, at: 500)
        #expect((rates.download, rates.upload, rates.perTask) == (524_288, nil, 1_024))
    }
}
