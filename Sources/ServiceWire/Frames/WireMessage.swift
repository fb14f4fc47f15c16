import TransferService
import TransferValues

/// The protocol between a window or a script and the process that has a session's transfers.
package enum Wire {
    /// The version of the messages; raised with each change that an older program would misunderstand.
    package static let version = 6
    /// The most bytes of a frame.
    static let frameLimit = 32 << 20
    /// The most rows of one frame.
    static let pageLimit = 1_000
    /// The most rows of a selection, and the most rows that are kept beside it.
    package static let selectionLimit = 5_000

    /// The failure of a message that is longer than a frame: parts of what it says may fit.
    static let tooLong = TransferFailure(kind: "messageTooLong", category: .ordinary, message: WireErrors.tooLong)
}

extension TransferAnswer {
    /// Whether an answer was too long for a frame.
    var isTooLong: Bool { if case .failed(let failure) = self { failure.kind == Wire.tooLong.kind } else { false } }
}

/// The first message of a client, which every version understands.
struct Hello: Sendable, Equatable, Codable {
    var version: Int
    /// The version of the client's program.
    var program: String
    /// Whether the client wants the end of the service and nothing else, which needs no common version.
    var stops: Bool?
    /// A number by which the service knows this client's changes, also after a lost connection.
    var client: UInt64?
}

/// The first message of a service: who it is, and what a window shows before it asks.
package struct Welcome: Sendable, Equatable, Codable {
    package var version: Int
    /// The version of the service's program.
    package var program: String
    package var process: Int32
    /// The saved session; nil where nothing is saved.
    package var session: String?
    /// The absolute path of the folder for downloads without one.
    package var directory: String
    /// Sentences about what was found when the session was opened.
    package var notices: [String]
    /// Whether the service has more rows than a window loads, and answers ``TransferQuestion/matching(_:)``.
    package var selects: Bool?

    package init(
        program: String, process: Int32, session: String?, directory: String, notices: [String] = [],
        selects: Bool? = nil
    ) {
        version = Wire.version
        self.selects = selects
        (self.program, self.process, self.session) = (program, process, session)
        (self.directory, self.notices) = (directory, notices)
    }
}

/// A message of a client.
enum ClientMessage: Sendable, Equatable {
    case hello(Hello)
    /// A request with a number, which its reply has too.
    case request(UInt64, WireRequest)
    /// Updates are wanted from now on, by an interest.
    case subscribe(Interest)
    /// The rows that are visible from now on.
    case show([UInt64])
    /// The next update may be made and sent.
    case next
}

/// A request of a client, which one ``WireReply`` answers.
enum WireRequest: Sendable, Equatable {
    /// A command; an addition has the number of its first job, so that it can be sent again where the reply is lost.
    case send(TransferCommand, once: UInt64? = nil)
    case ask(TransferQuestion)
    case writeBody(UInt64, path: String)
    case changeURL(UInt64, url: String)
    case moveFile(UInt64, path: String, isUndo: Bool)
    case deleteFiles([UInt64])
    case removeLeftovers([String])
    case fileToView(UInt64)
    /// Ends the service and what it runs; partial files stay.
    case stop
}

/// A message of a service.
enum ServerMessage: Sendable, Equatable {
    case welcome(Welcome)
    /// Why the connection ends: one sentence.
    case refused(String)
    case reply(UInt64, WireReply)
    case update(TransferUpdate)
    /// A client has ended the service; whether the next connection would start it again.
    case stopped(startsOnConnection: Bool)
    /// What a service that ends could not save: one sentence, before the connection ends.
    case unsaved(SafeText)
}

/// The reply to a ``WireRequest``.
enum WireReply: Sendable, Equatable {
    case sent(CommandReply)
    case answer(TransferAnswer)
    case bytes(Int64)
    case path(String)
    /// It follows once a transfer has been stopped.
    case follows
    case failed(TransferFailure)
    case failures([TransferFailure])
    case removed(SafeText, complaints: [SafeText])
    case file(ViewableFile?)
    case stopping
}
