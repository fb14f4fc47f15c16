import Glibc
import Support

/// Lines of a run's report that found no place: whoever reads only the exit code must learn of it.
struct UnwrittenReport: Sendable, Equatable {
    /// Where the lines were to go: a file's path, or the stream's name.
    let place: String
    let errno: Int32

    /// What a person is told.
    var sentence: String {
        guard errno != EPIPE else { return "Nobody reads \(place) any more" }
        return "\(place) cannot be written: \(SystemWords.text(errno))"
    }

    /// What the shell is told when nothing else went wrong.
    var exitCode: ExitCode { SystemWords.isDiskRefusal(errno) ? .disk : .taskFailed }

    /// The name of a stream that lines or bodies go to.
    static func name(ofStream descriptor: Int32) -> String {
        descriptor == STDOUT_FILENO ? "standard output" : "standard error"
    }
}
