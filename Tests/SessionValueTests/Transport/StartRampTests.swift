import Testing

@testable import SessionCore

@Suite("Begin of a crowd")
struct StartRampTests {
    private static let step = StartRamp.step

    @Test("A few begin at once, and the next step comes after a while")
    func steps() {
        var ramp = StartRamp()
        #expect(ramp.lets(running: StartRamp.few - 1))
        #expect(!ramp.lets(running: StartRamp.few))
        ramp.adapt(running: StartRamp.few, now: 1_000, storageJobs: 0)
        #expect(ramp.ceiling == StartRamp.few + Self.step)
        #expect(ramp.nextStep(running: StartRamp.few) == nil)

        ramp.adapt(running: ramp.ceiling, now: 1_000 + StartRamp.interval - 1, storageJobs: 0)
        #expect(ramp.ceiling == StartRamp.few + Self.step)
        #expect(ramp.nextStep(running: ramp.ceiling) == 1_000 + StartRamp.interval)
        ramp.adapt(running: ramp.ceiling, now: 1_000 + StartRamp.interval, storageJobs: 0)
        #expect(ramp.ceiling == StartRamp.few + 2 * Self.step)
    }

    @Test("Nothing begins in a crowd while storage threads have as much to do, and they are asked again")
    func waitsForStorage() {
        var ramp = StartRamp()
        ramp.adapt(running: StartRamp.few, now: 1_000, storageJobs: Self.step)
        #expect(ramp.ceiling == StartRamp.few)
        #expect(ramp.nextStep(running: StartRamp.few) == 1_000 + StartRamp.interval)
        ramp.adapt(running: StartRamp.few, now: 1_000 + StartRamp.interval, storageJobs: Self.step - 1)
        #expect(ramp.ceiling == StartRamp.few + Self.step)
    }

    @Test("One that ends makes room for the next at once, many that end do not for as many")
    func falls() {
        var ramp = StartRamp()
        var now: Int64 = 1_000
        while ramp.ceiling < 1_000 {
            ramp.adapt(running: ramp.ceiling, now: now, storageJobs: 0)
            now += StartRamp.interval
        }
        let top = ramp.ceiling
        ramp.adapt(running: top - 1, now: now, storageJobs: 0)
        #expect(ramp.lets(running: top - 1))
        ramp.adapt(running: 400, now: now, storageJobs: 0)
        #expect(ramp.ceiling == 400 + Self.step)
        ramp.adapt(running: 0, now: now, storageJobs: 0)
        #expect(ramp.ceiling == StartRamp.few)
    }
}
