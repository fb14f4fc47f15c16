import Glibc
import Testing

@testable import SessionCore

@Suite("Names for files whose names are taken")
struct PlacementTests {
    /// The name that a file gets where `a.bin` and some numbers are taken, and how many names were tried.
    private func claim(taken: Set<Int>, in temporary: StorageTemporaryFolder) throws -> (name: String?, tries: Int) {
        try temporary.write("", to: "a.bin")
        for number in taken { try temporary.write("", to: FileNames.numbered("a.bin", number)) }
        var tries = 0
        let placement = Placement(folder: temporary.folder, name: "a.bin", collision: .rename)
        let name = try placement.claim { name in
            tries += 1
            let file = temporary.folder.open(name, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
            if file >= 0 { close(file) }
            return file
        } isSame: { _ in
            false
        } replace: { _ throws(SessionError) in
            Issue.record("It was to be renamed")
        }
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
}
