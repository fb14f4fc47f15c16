import Foundation
import Glibc

/// A user who may not do everything, for tests of permissions that run as one who may.
enum Unprivileged {
    private static let nobody: uid_t = 65_534

    /// What stands in front of a program so that permissions hold for it.
    static let words =
        getuid() == 0
        ? ["/usr/bin/setpriv", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", "--"] : []

    /// Whether the program can be run by such a user from where it lies.
    static var isPossible: Bool {
        guard getuid() == 0 else { return true }
        guard access("/usr/bin/setpriv", X_OK) == 0, let program = try? Program.path() else { return false }
        let test = try? Program.start(words + ["/usr/bin/test", "-x", program], environment: [:])
        return test.map { Program.wait(for: $0) == 0 } ?? false
    }
}
