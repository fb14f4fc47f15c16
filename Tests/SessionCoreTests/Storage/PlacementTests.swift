import Glibc
import Testing

@testable import SessionCore

@Suite("Names for files whose names are taken")
struct PlacementTests {
    /// The name that a file gets where `a.bin` and some numbers are taken, and how many names were tried.
    private func claim(taken: Set<Int>, in temporary: StorageTemporaryFolder) throws -> (name: String, tries: Int) {
        try temporary.write("", to: "a.bin")
        for number in taken { try temporary.write("", to: FileNames.numbered("a.bin", number)) }
        var tries = 0
        let name = try give(nil, in: temporary) { tries += 1 }
        return (name, tries)
    }

    @Test(
        "The first free number is found, and behind sixteen one that follows a taken one, with few tries",
        arguments: [
            ([], 1), ([1], 2), ([1, 3], 2), (Array(1...15), 16), (Array(1...16), 17), (Array(1...17), 18),
            (Array(1...31), 32), (Array(1...1_500), 1_501), (Array(1...16) + Array(18...40), 41),
        ] as [([Int], Int)])
    func numbers(taken: [Int], number: Int) throws {
        let found = try claim(taken: Set(taken), in: StorageTemporaryFolder())
        #expect(found.name == FileNames.numbered("a.bin", number))
        #expect(found.tries <= 18)
    }

    /// Gives a name by making the file; `onTry` is called for each name that is tried.
    private func give(
        _ turn: NameTurn?, in temporary: StorageTemporaryFolder, onTry: () -> Void = {}
    ) throws -> String {
        try Placement(folder: temporary.folder, name: "a.bin", collision: .rename, turn: turn).claim { name in
            onTry()
            let file = temporary.folder.open(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            if file >= 0 { close(file) }
            return file
        } isSame: { _ in
            false
        } replace: { _ throws(SessionError) in
            Issue.record("It was to be renamed")
        }.name
    }

    @Test("Downloads of one name get it in the order of their numbers, whichever ends first", arguments: [false, true])
    func turns(isThere: Bool) throws {
        let temporary = try StorageTemporaryFolder()
        if isThere { try temporary.write("", to: "a.bin") }
        let names = RunNames()
        let target = DownloadTarget(folder: temporary.path, name: .fixed("a.bin"))
        // They start in another order than they were added in.
        let turns = try Dictionary(
            uniqueKeysWithValues: [2, 1, 4, 3].map { number in
                (number, try #require(NameTurn(target, id: TransferID(rawValue: UInt64(number)), names)))
            })
        let expected = (0...4).map { $0 == 0 ? "a.bin" : FileNames.numbered("a.bin", $0) }
        for number in [3, 1, 2, 4] {
            let turn = try #require(turns[number])
            #expect(try give(turn, in: temporary) == expected[number - (isThere ? 0 : 1)])
        }
    }

    @Test("A download that ends without a file leaves its name to the ones behind it")
    func leavingTurn() throws {
        let temporary = try StorageTemporaryFolder()
        let names = RunNames()
        let target = DownloadTarget(folder: temporary.path, name: .fixed("a.bin"))
        var first = NameTurn(target, id: TransferID(rawValue: 1), names)
        let second = try #require(NameTurn(target, id: TransferID(rawValue: 2), names))
        #expect(first?.isAlone == false && !second.isAlone)
        first = nil
        #expect(second.isAlone)
        #expect(try give(second, in: temporary) == "a.bin")
        #expect(NameTurn(DownloadTarget(folder: temporary.path), id: TransferID(rawValue: 3), names) == nil)
    }

    @Test("A link to a missing file that appears during the download is no file to keep")
    func danglingLink() throws {
        let temporary = try StorageTemporaryFolder()
        try #require(symlink("nowhere", temporary.path + "/a.bin") == 0)
        let file = try #require(UnnamedFile(in: temporary.folder, finalName: "a.bin"))
        try file.write([1, 2, 3])
        let error = #expect(throws: SessionError.self) {
            _ = try file.place(collision: .skip, turn: nil, url: "http://h/a.bin")
        }
        #expect(error?.code == .destinationExists)
        try temporary.write("x", to: "nowhere")
        #expect(try file.place(collision: .skip, turn: nil, url: "http://h/a.bin") == .kept("a.bin"))
    }
}
