"""Names of Swift's users without a colon, which a user name of HTTP cannot have."""

from swift.common.middleware.tempauth import TempAuth


class Keys(TempAuth):
    """Swift's own users, and `key` for the one of them that the settings name."""

    def __init__(self, app, conf):
        super().__init__(app, conf)
        self.users["key"] = self.users["test:tester"]


def factory(settings, **local):
    return lambda app: Keys(app, settings | local)
