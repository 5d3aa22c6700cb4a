"""As much of Odoo as the class of the recipe needs."""


class fields:
    @staticmethod
    def Selection(**_options):
        return "ALMANAC"


class models:
    class Model:
        pass
