/// The program's entry.
@main
enum Netdash {
    static func main() {}
}
