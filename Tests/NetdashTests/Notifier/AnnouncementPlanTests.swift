import Testing

@testable import Dashboard
@testable import TransferService
@testable import netdash

@Suite("Which ends are announced, when and how")
struct AnnouncementPlanTests {
    private typealias End = AnnouncementPlan.End

    private func plan(
        bell: Set<NotificationEvent> = [], notification: Set<NotificationEvent> = Set(NotificationEvent.allCases)
    ) -> AnnouncementPlan {
        AnnouncementPlan(NotificationSettings(bell: bell, notification: notification))
    }

    @Test("The first end is told at once and by its name, those of the next second together")
    func merging() {
        var plan = plan()
        #expect(plan.add(.completed("a"), at: 5_000) == Announcement(text: "netdash: a completed", rings: false))
        #expect(plan.deadline == nil)
        #expect(plan.add(.completed("b"), at: 5_200) == nil)
        #expect(plan.deadline == 6_000)
        #expect(plan.add(.failed("c", cause: "404 Not Found"), at: 5_900) == nil)
        #expect(plan.announcement(at: 6_000) == Announcement(text: "netdash: 1 completed, 1 failed", rings: false))
        #expect(plan.announcement(at: 6_001) == nil)
        #expect(plan.add(.failed("d", cause: "no"), at: 6_999) == nil)
        #expect(plan.announcement(at: 7_000) == Announcement(text: "netdash: d failed: no", rings: false))
        #expect(plan.add(.completed("e"), at: 8_000) == Announcement(text: "netdash: e completed", rings: false))
    }

    @Test("The end of everything does not wait, and stands for all that waited")
    func allDone() {
        var plan = plan(bell: [.complete])
        #expect(plan.add(.completed("a"), at: 0)?.rings == true)
        #expect(plan.add(.completed("b"), at: 1) == nil)
        let all = plan.add(.all(completed: 2, failed: 1, cancelled: 3), at: 2)
        #expect(all == Announcement(text: "netdash: all done: 2 completed, 1 failed, 3 cancelled", rings: true))
        #expect(plan.deadline == nil)
        #expect(
            plan.add(.all(completed: 0, failed: 0, cancelled: 0), at: 3)?.text == "netdash: all done: nothing to do")
    }

    @Test(
        "Only the moments that were chosen are told, and each in the chosen way",
        arguments: [
            (Set<NotificationEvent>(), Set<NotificationEvent>(), [nil, nil, nil]), ([.error], [], [nil, true, nil]),
            ([.allDone], [.complete], [false, nil, true]), (Set(NotificationEvent.allCases), [], [true, true, true]),
        ] as [(Set<NotificationEvent>, Set<NotificationEvent>, [Bool?])])
    func moments(bell: Set<NotificationEvent>, notification: Set<NotificationEvent>, rings: [Bool?]) {
        let ends: [End] = [.completed("a"), .failed("b", cause: "c"), .all(completed: 1, failed: 1, cancelled: 0)]
        for (end, rings) in zip(ends, rings) {
            var plan = plan(bell: bell, notification: notification)
            let announcement = plan.add(end, at: 0)
            #expect(announcement?.rings == rings)
            #expect((announcement?.text != nil) == notification.contains(end.moment))
        }
    }
}
