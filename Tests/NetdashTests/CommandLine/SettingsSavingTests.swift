import Foundation
import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Saving options", .timeLimit(.minutes(1)))
struct SettingsSavingTests {
    private static let fps = SettingLine(name: "fps", value: "8")
    private static let columns = SettingLine.columns([.size, .host])

    /// A folder of its own that is gone afterwards, and the variable that leads there.
    private static func inFolder(_ body: (_ folder: URL, _ environment: [String: String]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("netdash-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder, ["XDG_CONFIG_HOME": folder.path])
    }

    private static func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private static func problem(_ settings: [SettingLine], _ environment: [String: String]) -> String? {
        do throws(UsageError) {
            _ = try ConfigurationFile.save(settings, environment: environment)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(
        "A setting is changed where it stands or added at the end, and everything else stays",
        arguments: [
            ("", "fps = 8\ncolumns = size host\n"),
            ("fps = 4\n", "fps = 8\ncolumns = size host\n"),
            ("fps = 4", "fps = 8\ncolumns = size host\n"),
            (
                "# fps = 4\n\n  fps=10\t # smooth\nretries = 2",
                "# fps = 4\n\n  fps=8\t # smooth\nretries = 2\ncolumns = size host\n"
            ),
            ("\u{FEFF}fps = 10\r\nretries = 2\r\n", "\u{FEFF}fps = 8\r\nretries = 2\r\ncolumns = size host\r\n"),
            ("columns = none\nfps =\n", "columns = size host\nfps =8\n"),
            ("key.undo = # fps = 4\n", "key.undo = # fps = 4\nfps = 8\ncolumns = size host\n"),
        ])
    func editing(before: String, after: String) {
        #expect(ConfigurationEditor.text(before, setting: [Self.fps, Self.columns]) == after)
    }

    @Test("Nothing to set changes nothing", arguments: ["", "a = 1", "fps = 4\r\n\r\n# x"])
    func editingNothing(text: String) {
        #expect(ConfigurationEditor.text(text, setting: []) == text)
    }

    @Test("What is saved is read back")
    func roundTrip() throws {
        var model = Model()
        model.options = ViewOptions(
            units: .decimal, glyphs: .braille, framesPerSecond: 15, usesMouse: true, hiddenColumns: [.gauge, .done])
        model.options.columnWidths = [.host: 30]
        model.list.timeColumn = .finish
        model.details.pane = .large
        let order = SortOrder(column: .name, isInverted: true, tieBreaker: .init(column: .size, isInverted: true))
        model.sortRows(by: order)
        let text = ConfigurationEditor.text("", setting: model.settings)
        let read = try ConfigurationParser.configuration(in: Array(text.utf8), name: "config", home: nil)
        var options = OptionValues()
        try options.apply(read.settings)
        #expect(options.settings.glyphs == .braille)
        #expect(options.settings.framesPerSecond == 15)
        #expect(options.settings.usesMouse)
        #expect(read.layout.units == .decimal)
        #expect(read.layout.timeColumn == .finish)
        #expect(read.layout.columnWidths == [.host: 30])
        #expect(read.layout.order == order)
        #expect(read.layout.pane == .large)
        #expect(read.layout.columns == [.size, .speed, .rates, .time, .stateWord, .protocolName, .host])
    }

    @Test("Only what was changed is saved, and once")
    func onlyChanges() {
        var model = Model()
        let press: (String) -> [Effect] = { keys in
            keys.flatMap { update(&model, .key(.character($0))) }
        }
        #expect(press("os").isEmpty)
        #expect(model.toasts.current?.text == ViewToasts.noChanges)
        let units = SettingLine(name: "units", value: "decimal")
        #expect(press("ls") == [.saveSettings([units])])
        // Not known to be saved yet.
        #expect(press("s") == [.saveSettings([units])])
        _ = update(&model, .settingsSaved([units], path: "/c"))
        #expect(model.toasts.current?.text == ViewToasts.saved("units", to: "/c"))
        #expect(press("s").isEmpty)
        let back = SettingLine(name: "units", value: "binary")
        #expect(press("ljjjjl") == [])
        #expect(press("s") == [.saveSettings([back, SettingLine(name: "time-column", value: "taken")])])
        #expect(model.screen == .options)
    }

    @Test("Order and details pane are saved with the options")
    func orderAndPane() {
        var model = Model()
        _ = update(&model, .key(.character(">")))
        _ = update(&model, .key(.character("d")))
        _ = update(&model, .key(.character("o")))
        let expected = [SettingLine(name: "sort", value: "name"), SettingLine(name: "pane", value: "large")]
        #expect(update(&model, .key(.character("s"))) == [.saveSettings(expected)])
    }

    @Test("A file and its folders are made for the user alone")
    func newFile() throws {
        try Self.inFolder { folder, _ in
            let environment = ["XDG_CONFIG_HOME": folder.path + "/a/b"]
            let path = try ConfigurationFile.save([Self.fps], environment: environment)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "fps = 8\n")
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try Self.names(in: folder.appendingPathComponent("a/b/netdash")) == ["config"])
        }
    }

    @Test("A file keeps its mode and a link stays a link")
    func modeAndLink() throws {
        try Self.inFolder { folder, environment in
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("netdash"), withIntermediateDirectories: true)
            let real = folder.appendingPathComponent("mine").path
            try Data("# mine\nfps = 4\n".utf8).write(to: URL(fileURLWithPath: real))
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
            let link = folder.appendingPathComponent("netdash/config").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../mine")
            #expect(try ConfigurationFile.save([Self.fps], environment: environment) == link)
            #expect(try String(contentsOfFile: real, encoding: .utf8) == "# mine\nfps = 8\n")
            #expect(try FileManager.default.attributesOfItem(atPath: real)[.posixPermissions] as? Int == 0o640)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../mine")
            #expect(try Self.names(in: folder) == ["mine", "netdash"])
        }
    }

    @Test("What cannot be saved is one sentence, and the file is as it was")
    func refusals() throws {
        #expect(Self.problem([Self.fps], [:])?.contains("set HOME or XDG_CONFIG_HOME") == true)
        try Self.inFolder { folder, environment in
            let netdash = folder.appendingPathComponent("netdash")
            try Data("a file".utf8).write(to: netdash)
            #expect(Self.problem([Self.fps], environment)?.hasSuffix("Not a directory") == true)
            try FileManager.default.removeItem(at: netdash)
            try FileManager.default.createDirectory(at: netdash, withIntermediateDirectories: true)
            let file = netdash.appendingPathComponent("config")
            for bytes in [[0xFF], Array("fps = 1\nfps = 2\n".utf8), Array("no sign\n".utf8)] as [[UInt8]] {
                try Data(bytes).write(to: file)
                #expect(Self.problem([Self.fps], environment)?.hasPrefix(file.path) == true)
                #expect(try Array(Data(contentsOf: file)) == bytes)
                #expect(try Self.names(in: netdash) == ["config"])
            }
        }
    }
}
