import Testing

@testable import SessionCore

@Suite("A set of descriptors")
struct DescriptorSetTests {
    @Test("Each is there once, whatever its neighbours are", arguments: [0, 1, 63, 64, 65, 1_023, 1_048_575])
    func membership(_ number: Int32) {
        var set = DescriptorSet()
        for other in [number - 1, number + 1, 64, 0] where other != number { set.insert(other) }
        var found = [set.remove(number)]
        set.insert(number)
        set.insert(number)
        found += [set.remove(number), set.remove(number), set.remove(number + 1)]
        #expect(found == [false, true, false, true])
    }

    @Test("What is no descriptor is never there", arguments: [-1, Int32.min])
    func negative(_ number: Int32) {
        var set = DescriptorSet()
        set.insert(number)
        let found = set.remove(number)
        #expect(!found)
    }
}
