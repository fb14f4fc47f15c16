import Testing

@main
enum TestEntry {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
