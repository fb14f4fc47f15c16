/// How a call of the program ends.
struct Ending {
    /// What the shell is told.
    let status: ExitCode
    /// What goes with the process: to let go of thousands of rows one by one takes longer.
    var remains: AnyObject?
}
