import Glibc

/// The clock on the wall in the user's time zone; moments are seconds since 1970.
package struct LocalClock: Sendable {
    /// A date and a time of the day.
    package struct Reading: Sendable, Equatable {
        package var year: Int
        package var month: Int
        package var day: Int
        package var hour: Int
        package var minute: Int

        package init(year: Int, month: Int, day: Int, hour: Int, minute: Int) {
            (self.year, self.month, self.day, self.hour, self.minute) = (year, month, day, hour, minute)
        }

        package var minuteOfDay: Int { hour * 60 + minute }
    }

    package let now: @Sendable () -> Int64
    package let reading: @Sendable (_ moment: Int64) -> Reading
    /// The moment of a reading; nil for a date that does not exist.
    ///
    /// A time that summer time skips becomes a later one.
    package let moment: @Sendable (Reading) -> Int64?

    package init(
        now: @escaping @Sendable () -> Int64, reading: @escaping @Sendable (Int64) -> Reading,
        moment: @escaping @Sendable (Reading) -> Int64?
    ) {
        (self.now, self.reading, self.moment) = (now, reading, moment)
    }

    /// The system's clock and time zone.
    package static let system = LocalClock(
        now: {
            var time = timespec()
            return clock_gettime(CLOCK_REALTIME, &time) == 0 ? Int64(time.tv_sec) : 0
        },
        reading: { moment in
            var seconds = time_t(moment)
            var parts = tm()
            guard localtime_r(&seconds, &parts) != nil else {
                return Reading(year: 1970, month: 1, day: 1, hour: 0, minute: 0)
            }
            return Reading(
                year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
                hour: Int(parts.tm_hour), minute: Int(parts.tm_min))
        },
        moment: { reading in
            var parts = tm()
            parts.tm_year = Int32(clamping: reading.year - 1900)
            (parts.tm_mon, parts.tm_mday) = (Int32(clamping: reading.month - 1), Int32(clamping: reading.day))
            (parts.tm_hour, parts.tm_min) = (Int32(clamping: reading.hour), Int32(clamping: reading.minute))
            // The system knows whether summer time applies.
            parts.tm_isdst = -1
            let moment = mktime(&parts)
            guard moment != -1, Int(parts.tm_mday) == reading.day, Int(parts.tm_mon) + 1 == reading.month else {
                return nil
            }
            return Int64(moment)
        })
}
