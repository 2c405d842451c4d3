"""How mail servers word replies: words sorted by meaning, and a small grammar over the meanings.

Nothing here quotes a server. `data/words.txt` sorts words of some twenty languages by meaning: who is named, what is
denied, who is accused. A text becomes a row of meanings ("User <a@b.com> does not exist" is `WHO WHO ABSENT`), and a
few patterns over the row decide whether it is about the recipient. A reply that accuses the sender, the message or its
route says nothing about the mailbox, whatever else it contains.
"""

import re
from enum import StrEnum

from validation.engine.replies.lexicon import LEXICON, Lexicon, fold_text

# Each starts at a word boundary; a search from every character would take quadratic time.
_ADDRESS = re.compile(r"<[^<>\s]*>|(?<![\w.!#$%&'*+/=?^`{|}~-])[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+", re.ASCII)
_NUMBERED = re.compile(r"(?<![\w.#-])[\w.#-]*\d[\w.-]*", re.ASCII)
_ASIDE = re.compile(r"\(in reply to [\w ]+ command\)", re.IGNORECASE)
_LINK = re.compile(r"(?:https?:)?//\S+|www\.\S+")
_BLAMES = re.compile(r"spam|openspf|sorbs|dnsbl|rbl|block|reputation|abuse|barracuda", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_CONTRACTED = re.compile(r"n['’]t\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s\b")
_POINTER = re.compile(r" (?:(?:for|please|visit|see|go to|more|info\w*|explanation|details) )+link.*")


class PhraseMeaning(StrEnum):
    """What a text is about: the first five are about the recipient."""

    NOT_FOUND = "not found"
    FULL = "full"
    DISABLED = "disabled"
    NOT_HOSTED = "not hosted"
    UNAVAILABLE = "unavailable"  # in the words of the standard, which give no reason
    ACCUSES = "accuses"  # the sender, the message, or the way it came
    RULES = "rules"  # of theirs, of whom they take mail from, or of relaying
    REFUSES = "refuses"  # without a reason that could be understood
    TROUBLE = "trouble"  # of the server's own
    NOTHING = "nothing"


def mask_variable_parts(text: str) -> str:
    """The text without its variable parts: links, addresses, words with digits."""
    if "//" in text or "www." in text:
        text = _LINK.sub(lambda found: " spam " if _BLAMES.search(found[0]) else " link ", text)
    return _NUMBERED.sub(" ", _ADDRESS.sub(" somebody ", text))


def simplify_text(shaped: str) -> str:
    """Lower case without accents, punctuation, and directions to a page that explains more."""
    text = _CAMEL.sub(" ", _ASIDE.sub(" ", shaped))
    return _POINTER.sub("", fold_text(_POSSESSIVE.sub("", _NOT_CONTRACTED.sub("nt", text))))


def _compile_any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?:{pattern})" for pattern in patterns))


_SMALL = r"(?: (?!and\b|or\b|but\b)[^\WA-Z]+)"  # a word that has no meaning of its own here
_THAT = (
    r"(?: (?:such|so|longer|an?|any|one|active|local|th[aeio]\w+|our|my|in|have|has|ha|el|la|le|il|o|ein|ese|tal|un|une"
    r"|de|ma|tak\w+|так\w+|solch\w+))"
)
_NAMES = re.compile(r"\b(?:e ?mails?|mail|rcpt|name|virtual|envelope)(?: (?:id|name|box|user))? (?=WHOS?\b)")
_NAMES_ALONE = re.compile(r"\b(?:e ?)?mail (?:box|id|drop|name)\b|\blocal part\b")
_WHOSE = re.compile(r"\b(?:WHO )+(?=WHOS?\b)")
_TABLE = re.compile(r"\b(?:local|relay|ACCESS|virtual) WHO (?:WHO )?(?:table|maps?)\b|\bWHO (?:table|maps?)\b")
_DENIED = re.compile(rf"\b(?:NOT|NOTAFTER){_SMALL}{{0,3}} FOUND\b|\bFOUND{_SMALL}{{0,4}} NOTAFTER\b")


_IDLE = re.compile(
    r"\byour (?:intended |envelope )*(?=recip)|\b(?:from|to) somebody\b"
    r"|\b(?:that |which )?you (?:are|were) (?:trying to \w+|(?:sending|writing|mailing) to)\b"
)  # tells nothing
_REMOTE = re.compile(r"\bnon local\b")


def build_meaning_row(simple: str, lexicon: Lexicon = LEXICON) -> str:
    """The meanings of a simplified text, names joined and denials resolved: the row that the patterns read."""
    row = _NAMES_ALONE.sub("WHO", _NAMES.sub("", lexicon.meanings(_REMOTE.sub("remote", _IDLE.sub("", simple)))))
    return _DENIED.sub("ABSENT", _WHOSE.sub("", _TABLE.sub("table", row)))


_WRONG = r"(?:ABSENT|BAD)"
_LITTLE = (  # what may stand between a name and what is said of it
    r"(?: (?:is|are|was|were|be|been|has|have|had|does|did|do|could|can|will|would|an?|the|th[aeio][a-z]+|you|your|our"
    r"|my|of|for|at|on|in|by|to|as|with|due|also|tried|trying|reach|contact|sent|entered|e|mail|email|message|name[ds]?"
    r"|called|marked|failed|destination|following|local|account|size|limit|somebody|link|error"
    r"|ist|sind|wurden?|konnten?|kann|hat|de[rnm]|die|das|dieser?s?|hier|auf|est|sont|ete|n|d|l|du|de|des|aux?|en|les?"
    r"|la|une?|cette|lettres|moins|esta|estado|ha|sido|el|los|del|su|este|jest|sa|zostal[ao]?|di|il|lo|dell|nel|o|uma?"
    r"|na|no|correo|posta|postal|er|har|blev|ble|on|oli|bu|bir|je|[\u3040-\u30ff]{1,2}|этот|ваш|был[аио]?"
    r"|or DOMAIN|WHO|WHOS|REFUSED|FOUND|LATER))"
)
_NOUN = (  # what else may be unknown, invalid, off or full
    r"server|database|data|system|service|queue|disk|host|error|lookup|command|list|agent|verification|information|check"
    r"|filter|limit|rate|header|policy|profile|key|map|store|directory|connection|software|version|feature|function|count|group|rule"
)
_NAME = rf"(?: (?!(?:{_NOUN}|and|or|but)\b)[^\WA-Z]+)"  # a word unknown to us: may be what the recipient is called
_NEAR = rf"(?: (?!(?:{_NOUN}|and|or|but|gateway|message|argument|character)\b)[^\WA-Z]+)"
# The recipient does not exist, in a short sentence ...
_PLAINLY_ABSENT = _compile_any(
    r"\bGONE\b",
    rf"\b(?:NOT|NOTAFTER){_THAT}{{0,3}} WHO\b(?! (?:only|from))|^(?:{_WRONG}|NOT(?: [^\WA-Z]+)?) WHOS$",
    r"\bNOT have an?(?: \w+){0,3} WHO\b|\bWHO (?:is )?NOT local\b",
    rf"\b{_WRONG}{_NEAR}{{0,2}} WHO\b(?! (?:from|{_NOUN})\b)",
    rf"\b{_WRONG} (?:or|and|oder|ou) (?:{_WRONG}|OFF) (?:\w+ )?WHO\b",
    rf"\bWHOS?{_LITTLE}{{0,7}} {_WRONG}\b",
    r"\bno ?(?:one|body|person) (?:\w+ )?(?:by|with|at|here|named)\b|\bNOT one (?:by|with|at|here|named)\b",
)
# ... or in a longer sentence.
_PROBABLY_ABSENT = _compile_any(
    rf"\bWHO{_LITTLE}{{0,2}}{_NAME}{_LITTLE}{{0,4}} {_WRONG}\b",
    r"^(?:sorry )?(?:(?:is|was|does|that|this|it) )?ABSENT(?: (?:here|at|on|in|by|to|for)\b.*)?$",
    r"\bNOT (?:know (?:any\w+|WHO)|record of (?:\w+ )?WHO)\b",
    r"\b(?:NOT|NOTAFTER) longer (?:available|UNAVAILABLE|with|in|on|at|an?)\b|\bhas left the\b",
    r"\bWHO has (?:been )?(?:moved|replaced)\b|\bhas been replaced by\b",
    r"\b(?:NOT|unable to)(?: \w+)? find (?:\w+ ){0,3}WHO\b|\bWHO NOT ok\b",
    r"\bis NOT here\b|\bWHO(?: (?:is|or)){0,2} UNAVAILABLE\b",
    r"\bNOT (?:handle|deliver) (?:e ?)?mail (?:for|to) (?:that |this )?WHO$",
)
_FULL = _compile_any(
    r"\b(?:OVER|out of)(?: (?!system)\w+){0,5}? QUOTA\b|\bQUOTA(?: \w+){0,4}? (?:OVER|FULL|violation|usage|used)\b",
    r"\b(?:over|out of|disk|disc|userdisk|domaindisk|maildir|WHO|QUOTA) QUOTA\b",
    rf"\bWHO(?:{_LITTLE}| QUOTA| OVER){{0,4}} FULL\b|\bFULL WHO\b",
    r"\b(?:folder|maildir|box|mailfolder|mail file)(?: \w+){0,3}? (?:FULL|OVER)\b",
    rf"\bWHO{_LITTLE}{{0,4}} (?:OVER|too many messages)\b(?!.*\b(?:rate|hour|hourly|daily|connections?|attempts?)\b)",
    r"\bNOT (?:\w+ ){0,2}?(?:enough|sufficient) (?:\w+ ){0,2}(?:space|QUOTA)\b",
    r"\b(?:OVER|NOT|out of) (?:more |disk |any )?(?:space|room)\b",
    r"\bspace (?:\w+ ){0,3}used up\b|\btoo much mail (?:data|waiting)\b|\bzu ?viele mails\b",
)
_OFF = _compile_any(
    rf"\bWHO{_LITTLE}{{0,7}} OFF\b|\bWHO{_LITTLE}{{0,2}}{_NAME}{_LITTLE}{{0,4}} OFF\b(?! (?:\w+ )?mail\b)",
    r"\bOFF (?:\w+ )?WHO\b",
    r"\bWHO(?: \w+){0,4}? NOT (?:yet |longer |LATER )?activ(?:e|ated)\b",
    r"^(?:(?:is|has|been|was|now|LATER|temporary) )*OFF(?: (?:WHO\b.*|(?:because|due|by)\b.*))?$",
    r"\bWHO (?:\w+ ){0,2}NOT longer REFUSED (?:e ?)?mail\b|\bsuspend the service\b",
    r"\bWHO(?: \w+){0,3}? NOT (?:longer )?in (?:use|service)\b",
)
_NOT_HOSTED = _compile_any(
    rf"\b(?:ABSENT|NOT such){_SMALL}{{0,2}} DOMAIN\b(?! name lookup)",
    r"\bDOMAIN(?: name| or| DOMAIN){0,3}(?: (?:[^\WA-Z]+|WHO)){0,4}? (?:ABSENT|must FOUND)\b(?!.*\bLATER\b)",
    r"\bDOMAIN(?: \w+){0,4} NOT (?:\w+ )?(?:hosted|configured|served)\b|\bNOT longer hosted\b|\bdo NOT DOMAIN\b",
    r"\bNOT (?:serve|DOMAIN)(?: this| the)? DOMAIN\b",
    r"\bNOT an? local DOMAIN\b|\bDOMAIN (?:is )?NOT local\b",
    r"\bDOMAIN(?: \w+)? NOT REFUSED (?:e ?)?mail\b(?! from)|\bnull ?DOMAIN\b|\bnullmx\b",
    r"\bNOT DOMAIN records? FOUND\b|\bABSENT DOMAIN record\b|\bname or service ABSENT\b|\bNOT route for\b",
    r"\bmail receiving OFF\b",
)
# Other subjects of a reply: us, our address, our past, the mail's route ...
_ACCUSES = _compile_any(
    r"\b(?:SENDER|NETWORK|SPAM)\b|\bgr[ea]y ?list",
    r"\byou (?:are|have (?:no|been|tried|REFUSED)|must|need)|\bNOT verify\b",
    r"\b(?:mail|sent|envelope) from\b|\b(?:from|return|reply) (?:WHO|DOMAIN)\b|\bclient (?:DOMAIN|REFUSED)\b",
    r"\bfrom (?:an? )?(?:ABSENT|BAD)\b|\bper (?:hour|day|minute)\b|\b(?:hourly|daily)\b|\bnumber of\b",
    r"\byour (?:DOMAIN|server|network|country|provider|access|smtp server|mail server|WHO)\b",
    r"\b(?:ihre?|votre|ваш\w*) (?:DOMAIN|server\w*|WHO)\b|\b(?:su|tu) (?:DOMAIN|server\w*)\b",
    r"\b(?:excessive|numerous)\b|\btoo (?:many|much|fast|frequent\w*)\b(?! (?:messages on|mail (?:data|waiting)))",
    r"\bthrottl\w+|\brate (?:limit|control|OVER)",
    r"\b(?:message|daily|hourly|rate)(?: \w+)? QUOTA\b|\bPOLICY serv",
)
# ... or the message itself.
_ABOUT_THE_MESSAGE = _compile_any(
    r"\bMESSAGE\b|\bmessage (?:\w+ ){0,2}OVER (?!QUOTA|allowed)|\bmessage (?:\w+ )?(?:size|too|length|OFF|timed)\b",
    r"\bmail (?:size|too)\b|\bqueue\b|(?<!WHO )\bsize limit\b",
)
# A policy or the message is named; a statement on the mailbox outweighs it.
_SPEAKS_OF_RULES = _compile_any(
    r"\bPOLICY\b|\bmessages?(?: \w+){0,2} REFUSED\b|\baccess REFUSED\b|\bmailing list\b|\bgateway\b|\bconnection\b",
    r"\bACCESS(?: \w+){0,3} (?:REFUSED|NOT|required|access)\b|\bACCESS (?:to|failure|BAD|turned)\b",
    r"\b(?:REFUSED|NOT|unable to|open|insecure|as a)(?: \w+){0,2} ACCESS\b",
)
_IN_TROUBLE = _compile_any(
    r"\b(?:system|server|disk|queue|device) (?:is )?FULL\b|\binternal (?:server )?error\b|\bconfiguration error\b",
    r"\b(?:database|ldap|lookup)(?: \w+){0,3} (?:ABSENT|UNAVAILABLE|NOT|offline|error|failed|failure)\b",
    r"\b(?:server|service) (?:\w+ )?(?:UNAVAILABLE|offline|error|failed|failure)\b",
)
_LEAVES_OPEN = _compile_any(rf"\b(?:UNAVAILABLE|{_WRONG}) or (?:access )?REFUSED\b|\bMAY(?: \w+)? ABSENT\b")
_REFUSES = _compile_any(r"\b(?:REFUSED|ACCESS|POLICY)\b|\bgo away\b|\bconfirm\w*|\bchallenge\b|\bverif\w+|\blisted\b")
# The standard texts of RFC 5321: the recipient is refused, without another reason.
_MAILBOX_OF_THE_STANDARD = _compile_any(
    r"^(?:requested )?(?:mail )?action not taken mailbox (?:is )?(?:unavailable|not available)(?: or not local)?$",
    r"^(?:somebody )?mailbox (?:is )?(?:currently )?(?:unavailable|not available)$",
    r"^(?:somebody )?(?:recipient|user|mailbox)(?: address)? rejected$",
    r"^(?:sorry )?(?:your )?(?:envelope )?recipients?(?: is| was| has been)? (?:not accepted|rejected|denied)$",
    r"^(?:\w+ server )?(?:rejected|refused|cant accept|cannot accept) (?:this )?(?:user|recipients?)$",
)
_STORAGE_OF_THE_STANDARD = re.compile(r"^requested (?:mail )?action (?:aborted|not taken) exceeded storage allocation$")
GREYLISTING = _compile_any(
    r"\bgr[ea]y ?list\w*|\bpostgrey\b|\bsqlgrey\b",
    r"\btemporarily (?:deferred|delayed|refused)\b(?!.*(?:complaints|volume|blocked))",
    r"\bfirst (?:time|attempt|contact)\b|\bnew sender\b|\bunknown triplet\b|\bdelayed by\b",
    r"\b(?:try again|retry|come back|wait|try later|resend) (?:in|after|for|at least)\b",
)
PATIENCE = _compile_any(r"\btry again\b|\blater\b|\bin progress\b|\btemporary (?:failure|problem|error|lookup)")
LOAD = _compile_any(
    r"\btoo (?:many|much|fast|quickly|frequent\w*)\b|\brate ?limit\w*|\brate exceeded\b|\bthrottl\w*|\bslower\b"
    r"|\bslow down\b",
    r"\b(?:connection|session|message|recipient|hourly|daily) (?:rate|limit|count)\b|\bexceeded the (?:max|rate)\b",
    r"\bmaximum (?:connection|sending|number)|\bunusual rate\b|\bexcessive\b|\bconcurrent\b|\btrop de connexions\b",
    r"\bresources\b|\bbusy\b|\boverload\w*|\bhigh load\b|\bload average\b|\bclosing (?:transmission channel"
    r"|connection)\b",
)
TOO_MANY_RECIPIENTS = _compile_any(
    r"\btoo many (?:recipients|rcpts?)\b(?! (?:from|in this))",
    r"\bone recipient\b|\bsingle recipient\b|\bseparate transaction\b|\bmultiple destination domains\b",
)
# The recipient or his rules reject our mail; that does not show whether the mailbox exists.
_UNWILLING = _compile_any(
    r"\b(?:recipient|user|member|customer|mailbox)s?(?: \w+)? (?:preferences?|mail controls?|block list|allow list)\b",
    r"\b(?:blocked|refused|rejected|denied) by (?:the |this )?(?:recipient|user|member|mailbox owner)\b(?! polic)",
    r"\b(?:recipient|user|member) has (?:blocked|chosen not to)\b",
)
BUSY_MAILBOX = _compile_any(
    r"\b(?:user|recipient|mailbox)(?: \w+){0,6}? receiving (?:e ?)?mail (?:at a rate|too (?:quickly|fast))"
)


_OF_THE_STANDARD = (
    (PhraseMeaning.UNAVAILABLE, _MAILBOX_OF_THE_STANDARD),
    (PhraseMeaning.NOTHING, _STORAGE_OF_THE_STANDARD),
    (PhraseMeaning.ACCUSES, re.compile(r"\bno valid recipients\b")),  # of several that somebody else may have named
)
# In this order: other subjects, plain statements, named rules, likely meanings.
_BY_ROW = (
    (PhraseMeaning.ACCUSES, _ACCUSES),
    (PhraseMeaning.ACCUSES, _ABOUT_THE_MESSAGE),
    (PhraseMeaning.REFUSES, _LEAVES_OPEN),
    (PhraseMeaning.FULL, _FULL),
    (PhraseMeaning.TROUBLE, re.compile(r"\b(?:try|retry|LATER) LATER\b")),
    (PhraseMeaning.DISABLED, _OFF),
    (PhraseMeaning.NOT_FOUND, _PLAINLY_ABSENT),
    (PhraseMeaning.TROUBLE, _IN_TROUBLE),
    (PhraseMeaning.RULES, _SPEAKS_OF_RULES),
    (PhraseMeaning.NOT_HOSTED, _NOT_HOSTED),
    (PhraseMeaning.NOT_FOUND, _PROBABLY_ABSENT),
    (PhraseMeaning.REFUSES, _REFUSES),
)


def classify_phrase(simple: str, lexicon: Lexicon = LEXICON) -> PhraseMeaning:
    """What a refusal with this simplified text is about."""
    for says, pattern in _OF_THE_STANDARD:
        if pattern.search(simple):
            return says
    row = build_meaning_row(simple, lexicon)
    for says, pattern in _BY_ROW:
        if pattern.search(row):
            return says
    return PhraseMeaning.NOTHING


def is_accusation(simple: str) -> bool:
    """Whether the text is about the sender or the way of sending."""
    return _ACCUSES.search(build_meaning_row(simple)) is not None


def is_unwilling(simple: str) -> bool:
    """Whether the recipient's own rules refuse our mail, and nothing definite is said about the mailbox."""
    return _UNWILLING.search(simple) is not None and classify_phrase(simple) in (
        PhraseMeaning.REFUSES,
        PhraseMeaning.RULES,
        PhraseMeaning.ACCUSES,
    )
