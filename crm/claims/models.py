"""What staff changed about the claims of the public pages."""

from django.db import models


class Claim(models.Model):
    """Changes by staff to a public claim; `crm.claims.services` has all claims, and what they say
    otherwise."""

    key = models.CharField(max_length=40, primary_key=True)
    value = models.CharField(max_length=200)
    source = models.CharField(max_length=300, blank=True)
    as_of = models.DateField(null=True, blank=True)
    shown = models.BooleanField()
    confirmed = models.BooleanField()

    def __str__(self) -> str:
        return self.key
