/// The limits of both directions in words.
enum RatesText {
    /// `down 2M, up off`.
    static func words(_ download: Int64?, _ upload: Int64?) -> SafeText {
        LimitLabels.both(word(download), word(upload))
    }

    /// The same with their times.
    static func words(_ download: RateSchedule, _ upload: RateSchedule) -> SafeText {
        LimitLabels.timetables(SafeText(untrusted: download.words), SafeText(untrusted: upload.words))
    }

    /// `down 2M, up global`.
    static func words(_ rates: TaskRates) -> SafeText {
        guard rates != TaskRates() else { return LimitLabels.global }
        func own(_ rate: OwnRate?) -> SafeText { rate.map { word($0.rate) } ?? LimitLabels.global }
        return LimitLabels.both(own(rates.download), own(rates.upload))
    }

    private static func word(_ rate: Int64?) -> SafeText { SafeText(untrusted: RateSchedule.words(of: rate)) }
}
