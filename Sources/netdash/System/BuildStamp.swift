import CBuildStamp

/// The commit that this program was made of and the date of its build: `a4d9534fe123, 2026-11-27`.
///
/// script/build writes them into the finished program; without it they are "unknown commit".
enum BuildStamp {
    static var text: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: CB_STAMP_SIZE) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            cb_copy_stamp(start)
            return String(cString: start)
        }
    }
}
