"""What is known of a domain before SMTP, shared by all its addresses."""

from dataclasses import dataclass

from validation.engine.dns.mail_hosts import MailHosts
from validation.engine.knowledge.domain_lists import ListFacts
from validation.engine.vocabulary import Check, Reason

_DEAD = frozenset({Reason.NO_DOMAIN, Reason.NO_MAIL_HOST, Reason.NULL_MX, Reason.BOGUS_MX})
_UNDECIDED = frozenset({Reason.DNS_ERROR, Reason.TIMEOUT})


@dataclass(frozen=True, slots=True)
class DomainFacts:
    """The answers of the lists and the DNS on one domain, with the checks made of them."""

    hosts: MailHosts
    lists: ListFacts
    list_checks: tuple[Check, ...]
    dns_checks: tuple[Check, ...]
    asks_mail_hosts: bool = True

    @property
    def is_undecided(self) -> bool:
        """Whether the DNS gave no usable answer."""
        return self.hosts.reason in _UNDECIDED

    @property
    def is_dead(self) -> bool:
        """Whether the domain certainly takes no mail."""
        return self.hosts.reason in _DEAD

    @property
    def needs_probe(self) -> bool:
        """Whether its mail hosts must be asked."""
        return self.asks_mail_hosts and self.hosts.reason is None and not self.lists.is_disposable_domain
