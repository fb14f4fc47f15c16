/// Next steps after a failure, which follow the library's fact and name options of the program.
package enum FailureHints {
    package static func proveContent(_ fact: String) -> String {
        "\(fact); --checksum or --verify-overlap resumes by content"
    }
    package static func beginAgain(_ fact: String) -> String { "\(fact); --retries 10 or more restarts as often" }
    package static func keepCookies(_ fact: String) -> String { "\(fact); --cookie-jar FILE keeps them" }
    package static func allowPlainHTTP(_ fact: String) -> String { "\(fact); --allow-http-redirects follows it" }
    package static func sendThere(_ fact: String) -> String { "\(fact); send it to that server's URL" }
    package static func giveCertificate(_ fact: String) -> String { "\(fact); give one with --cert and --key" }
    package static func givePassphrase(_ fact: String) -> String { "\(fact); give it with --pass" }
    package static func giveProxyCredentials(_ fact: String) -> String { "\(fact); --proxy-user USER:PASSWORD" }
    package static func giveFile(_ fact: String) -> String { "\(fact); give a file, or - for stdin" }
    package static func nameService(_ fact: String) -> String {
        "\(fact); --aws-sigv4 provider:vendor:region:service"
    }
    package static func giveChecksum(_ fact: String) -> String { "\(fact); give one with --checksum" }
    package static func writeToFile(_ fact: String) -> String { "\(fact); use -o FILE" }
    package static func otherSession(_ fact: String, than name: String) -> String {
        let stop = SessionLines.command("stop", SafeText(untrusted: name)).string
        return "\(fact); quit it (a service: \(stop)) or use --session"
    }
    /// For a process that no command reaches.
    package static func otherSession(_ fact: String, of process: Int32) -> String {
        "\(fact); quit it (a service: kill \(process)) or use --session"
    }
    package static func removeParts(_ fact: SafeText) -> SafeText { "\(fact); netdash parts --remove deletes them" }
    package static func resumeToSend(_ fact: String) -> String { "\(fact); resume to send it again" }
    package static func resumes(_ fact: String, when free: String) -> String {
        "\(fact); resumes once \(free) are free"
    }
}
