import Dashboard
import SessionSupport

/// Judges facts about the service that windows share by a rule over plain values.
enum ServiceChecks {
    /// The user unit of systemd.
    enum Unit: Sendable, Equatable {
        case none
        /// Enabled; whether the user's units run without a login (`loginctl enable-linger`).
        case enabled(lingers: Bool)
    }

    static func service(problem: String?, isRunning: Bool, unit: Unit, user: String) -> Finding {
        if let problem {
            return .note("service", SafeText(untrusted: problem), advice: DoctorFindings.tasksInWindows)
        }
        return switch unit {
        case .enabled(lingers: true): Finding(topic: "service", fact: DoctorFindings.serviceLasts)
        case .enabled(lingers: false):
            .note(
                "service", DoctorFindings.serviceEnds, advice: DoctorFindings.enableLinger(SafeText(untrusted: user)))
        case .none:
            Finding(topic: "service", fact: isRunning ? DoctorFindings.serviceRuns : DoctorFindings.serviceStarts)
        }
    }
}
