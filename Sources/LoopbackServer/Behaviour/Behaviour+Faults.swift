extension Behaviour {
    /// The same, broken off after a number of body bytes.
    public func cutting(after bytes: Int64, _ manner: Cut.Manner = .close) -> Behaviour {
        adjusting { $0.delivery.cut = Cut(after: bytes, manner: manner) }
    }

    /// The same, standing still after a number of body bytes until the gate opens.
    public func stalling(after bytes: Int64, until gate: Gate) -> Behaviour {
        adjusting { $0.delivery.stalls.append(Stall(after: bytes, gate: gate)) }
    }

    /// The same, with the head held back until the gate opens; a gate never released never answers.
    public func waiting(for gate: Gate) -> Behaviour {
        adjusting { $0.gateBeforeHead = gate }
    }

    /// The same at a limited speed.
    public func limited(to bytesPerSecond: Int64) -> Behaviour {
        adjusting { $0.delivery.bytesPerSecond = bytesPerSecond }
    }

    /// The same with another framing.
    public func framed(_ framing: Framing) -> Behaviour {
        adjusting { $0.framing = framing }
    }

    /// The same with a field set, or removed with nil.
    public func header(_ name: String, _ value: String?) -> Behaviour {
        adjusting { $0.headers[name] = value }
    }

    /// A file that breaks off once, after `bytes`, and can be resumed after that.
    public static func flaky(
        _ resource: ServedResource, after bytes: Int64, _ manner: Cut.Manner = .reset
    ) -> Behaviour {
        .sequence([Behaviour.resource(resource).cutting(after: bytes, manner), .resource(resource)])
    }

    /// A redirect.
    public static func redirect(to location: String, status: Int = 302) -> Behaviour {
        .respond(.redirect(to: location, status: status))
    }

    /// The end of the connection in place of an answer.
    public static func silence(_ manner: Cut.Manner = .close) -> Behaviour {
        .respond(.silence(manner))
    }

    /// The same, followed by bytes that belong to no answer.
    public func followed(by surplus: [UInt8], after gate: Gate? = nil) -> Behaviour {
        adjusting {
            $0.surplus = surplus
            $0.gateBeforeSurplus = gate
        }
    }

    /// Bytes that need not be HTTP.
    public static func raw(_ text: String) -> Behaviour {
        .respond(.raw(.text(text)))
    }
}
