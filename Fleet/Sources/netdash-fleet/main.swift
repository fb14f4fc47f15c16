internal import FleetQueue
internal import Glibc

// A closed pipe is an error of the write, not the program's end.
signal(SIGPIPE, SIG_IGN)

// The address comes first, before ps shows a password for longer than the start takes.
let arguments = CommandLine.arguments
let refusal = QueueAddress.hideRefused(in: CommandLine.unsafeArgv, count: Int(CommandLine.argc))

exit(Program.run(Array(arguments.dropFirst()), refusal: refusal))
