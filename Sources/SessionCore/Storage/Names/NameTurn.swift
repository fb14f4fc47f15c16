import SessionSupport

/// The place of a download among the running ones that want one name, by the order in which they were added.
///
/// The first of them gets the plain name and each other one the next free number, whichever ends first. A class,
/// because its end gives up the place: a download that fails does not keep a name from a later one.
final class NameTurn: Sendable {
    private let names: RunNames
    private let key: UInt64
    private let id: TransferID

    /// Takes a place for a fixed name that may get a number, or that must be free; nil for other names and policies.
    ///
    /// A name that a server chooses is known with its response: in the order of the list each finished file would wait
    /// for the responses of all downloads before it. Of two such that must be free, the first to finish gets the name.
    ///
    /// - Parameter id: the number that was given when the download was added.
    init?(_ target: DownloadTarget, id: TransferID, _ names: RunNames) {
        guard target.collision == .rename || target.collision == .fail, case .fixed(let name) = target.name else {
            return nil
        }
        (self.names, self.id) = (names, id)
        key = names.key(of: name, in: target.folder)
        names.enter(id, key)
    }

    /// Whether no other download wants the name, so that giving it waits for none.
    var isAlone: Bool { names.isAlone(id, key) }

    /// Whether a download that was added before wants the name, and has no file yet.
    var isBehindAnother: Bool { names.isBehindAnother(id, key) }

    deinit { names.leave(id, key) }

    /// Gives the file its name while no other one gets the same; `body` receives how many free names belong to
    /// downloads before it.
    ///
    /// Waits for the renaming of another file, if that wants the same name at the same moment.
    func place<Value>(_ body: (_ reserved: Int) throws(SessionError) -> Value) throws(SessionError) -> Value {
        let reserved = names.beginPlacing(id, key)
        do throws(SessionError) {
            let value = try body(reserved)
            names.endPlacing(id, key, leaves: true)
            return value
        } catch {
            names.endPlacing(id, key, leaves: false)
            throw error
        }
    }
}
