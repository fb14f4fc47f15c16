/// Names the time since the machine was started: tells the crash of a process from that of the machine.
enum BootIdentifier {
    /// The kernel's text, read once; empty when it cannot be read, which then counts as a crash of the machine.
    static let current: String = SmallFile.text(at: "/proc/sys/kernel/random/boot_id")
}
