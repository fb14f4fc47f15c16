import FleetQueue
import Foundation

// A worker that claims and reports without transferring. Tests kill it, and figures come from it.
//
//   FleetSimulator NAME SLOTS LEASE MILLISECONDS FOLDER|- drain|serve
//
// The queue is the one of libpq's environment.

let words = CommandLine.arguments
guard words.count == 7, let slots = Int(words[2]), let lease = Double(words[3]), let pause = Int(words[4]) else {
    print("usage: FleetSimulator NAME SLOTS LEASE MILLISECONDS FOLDER|- drain|serve")
    exit(2)
}

do throws(FleetError) {
    let bell = try Bell()
    let orders = try SignalOrders()
    let runner = SimulatedRunner(bell: bell, milliseconds: pause, folder: words[5] == "-" ? nil : words[5])
    let worker = FleetWorker(
        try QueueAddress(nil), as: WorkerIdentity(name: words[1], slots: slots, lease: lease), runner: runner,
        bell: bell, wakers: [orders.descriptor]
    ) { line in
        print(line)
        fflush(nil)
    }
    try worker.run { orders.order(else: words[6] == "drain" ? .drain : .work) }
} catch {
    print("error: " + error.text)
    exit(1)
}
