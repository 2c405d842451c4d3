"""How mail servers word things, as patterns over simplified text.

Written from the vocabulary of many servers (see `data/NOTICE.md`), as grammar rather than as quotations: who is
spoken of, and what is said of it. Texts that speak about the sender, the message or a policy count as about us.
"""

import re

EMPTY_TALK = 3  # a text of at most this many characters says nothing

_ADDRESS = re.compile(r"<[^<>]*>|\S+@\S+")
_LINK = re.compile(r"(?:https?:)?//\S+|www\.\S+")
_NUMBER = re.compile(r"\[?\d{1,3}(?:\.\d{1,3}){3}\]?|#?\b[245]\.\d{1,3}\.\d{1,3}\b")
_NOISE = re.compile(r"[^\w\s]+|_", re.UNICODE)
_SPACE = re.compile(r"\s+")


def simplify(text: str) -> str:
    """Lower case, without addresses, links, numbers in dots, apostrophes and punctuation."""
    text = _ADDRESS.sub(" ", text.lower())
    text = _NUMBER.sub(" ", _LINK.sub(" link ", text))
    text = text.replace("'", "").replace("’", "")
    return _SPACE.sub(" ", _NOISE.sub(" ", text)).strip()


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_WHO = (
    r"(?:users?|userid|username|usernames|mailbox(?:es)?|mail box|inbox|recipients?|rcpt|accounts?|addressees?|address(?:es)?"
    r"|alias(?:es)?|person|name|customer|subscriber|destination|maildrop|mail drop|local part|login|employee|member|box"
    r"|e ?mail(?: id| name| box)?|contact)"
)
_NO = r"(?:no|not an?|unknown|invalid|bad|illegal|non ?existent|inexistent|incorrect|wrong|unrecogni[sz]ed|undeliverable|nonexisting)"
_MISSING = (
    r"(?:unknown|not ?found|no ?t? ?exists?|(?:does|did|do|is|was|could|can)(?: ?not|nt) (?:be )?(?:exists?|found|located|resolved)"
    r"|does ?n[o']?t(?: \w+)? exist|non ?existent|inexistent|invalid|not (?:a )?(?:valid|known|here|local|recogni[sz]ed|listed|registered"
    r"|present|in (?:the |our |my )?(?:directory|list|database))|no longer (?:valid|exists?|available|here|with|active|in use|on)"
    r"|undeliverable|unavailable|un ?rout(?:e)?able|missing|not ok|is wrong|isnt valid|cannot be (?:found|delivered|verified))"
)

NOT_FOUND = _any_of(
    rf"\b{_NO} (?:\w+ ){{0,2}}?{_WHO}\b",
    r"\b(?:no|not any) such\b(?! (?:domain|host|sender|command))",
    rf"\b{_WHO}\b(?: \w+){{0,5}}? {_MISSING}\b",
    r"\b(?:no ?one|nobody|no person|no account) (?:\w+ )?(?:by|with|at|here|named)\b",
    r"doesnt have an? (?:\w+ ){0,2}account",
    r"\bnot a (?:known|valid|local|registered) ",
    r"\bnot (?:a )?local (?:address|user|recipient)",
    r"\b(?:badrcptto|validrcptto|badrecipientto|chkuser|recipientnotfound|recipient notfound|nosuchuser|usernotfound)\b",
    r"\bis not an? (?:\w+ )?(?:user|mailbox|address|recipient|account)",
    r"\bcant accept user\b|\buser missing\b|\bhas left\b|\bno longer (?:works|employed|with)\b|\bhas been replaced by\b",
    r"\bdestination (?:server|mailbox) (?:rejected|address)\b|\bbad destination\b",
    r"\b(?:unbekannt|existiert nicht|nicht gefunden|empf\w+nger nicht|kein \w*postfach|inconnue?s?|introuvable|nexiste pas|no existe"
    r"|desconocid[oa]|inexistente|inesistente|sconosciut[oa]|nessun utente|non esiste|nao existe|não existe|desconhecid[oa]"
    r"|onbekend|bestaat niet|ok[aä]nd|finns inte|nie istnieje|nieznany|nie ma takiego|neexistuje|neznám\w*|nem létezik|ismeretlen)\b",
    r"не найден|не существует|неизвест|нет такого|несуществующ|не зарегистрирован",
    r"不存在|存在しません|見つかりません|该用户|ユーザー|없는|존재하지",
)
FULL = _any_of(
    r"\b(?:over|exceed\w*|exceeding|reached|above|out of)(?: \w+){0,4}? (?:quota|storage|disk ?space)\b",
    r"\b(?:quota|storage|disk ?space)(?: \w+){0,3}? (?:exceeded|full|violation|reached|exceeds|usage)\b",
    r"\b(?:mailbox|mail box|inbox|folder|account|maildir|box|mailfolder|destinataire|postfach)(?: \w+){0,3}? (?:is |are |was )?(?:full|overfull|pleine|voll)\b",
    r"\bfull (?:mailbox|inbox)\b|\bover ?quota\b|\bquota violation\b|\boutofquota\b|\bquota exceeded\b",
    r"\b(?:mailbox|user|account|recipient)(?: \w+){0,4}? (?:exceed\w*|too many messages|would exceed|over the allowed)",
    r"\b(?:not enough|does not have enough|insufficient|no|not sufficient)(?: \w+){0,2}? (?:space|storage|disk)\b(?! (?:system|on system))",
    r"\bspace (?:\w+ ){0,3}used up\b|\btoo much mail data\b|\bexceeds allowed size\b",
    r"\bboite (?:\w+ )?pleine\b|\bcasella piena\b|\bbuz[oó]n lleno\b|\bpostfach (?:ist )?voll\b|переполнен",
)
DISABLED = _any_of(
    rf"\b{_WHO}\b(?: \w+){{0,5}}? (?:disabled|suspended|deactivated|inactive|not active|frozen|locked|closed|terminated|expired"
    r"|discontinued|archived|archivee|blocked due to inactivity|cancel+ed|deleted|removed|withdrawn|dormant)\b",
    rf"\b(?:disabled|suspended|deactivated|inactive|frozen|locked|closed|terminated|expired|archived|deleted) {_WHO}\b",
    r"\bno longer accepts? (?:e ?)?mail\b|\buser suspended\b|\bis currently suspended\b|\bsuspend the service\b",
    r"\bdeaktiviert\b|\bgesperrt\b|\bd[ée]sactiv[ée]e?\b|\bdisattivat[oa]\b|\bdeshabilitad[oa]\b|\bdesativad[oa]\b|заблокирован|отключ[её]н",
)
NOT_HOSTED = _any_of(
    r"\b(?:no such|unknown|invalid|non ?existent) (?:\w+ )?(?:domain|host)\b(?! name lookup)",
    r"\b(?:recipient |mail |destination )?(?:domain|host)(?: name)?(?: \w+){0,4}? (?:does ?n[o']?t exist|not exist|unknown|not found|not hosted"
    r"|not local|not configured|must exist|is invalid|unreachable|not reachable|does not accept mail|doesnt accept)\b",
    r"\bun ?rout(?:e)?able (?:address|domain|recipient)\b|\bno route for current request\b|\bmail receiving disabled\b|\bnullmx\b|\bnull mx\b",
    r"\bdoes not accept mail\b|\bno mx record found\b|\bno longer hosted\b|\bname or service not known\b",
)
SENDER = _any_of(
    r"\bsenders?\b",
    r"\b(?:envelope )?from (?:address|domain)\b|\bmail from\b|\breturn path\b|\breverse path\b|\bemetteur\b|\bexpediteur\b",
    r"\bspf\b|\bdkim\b|\bdmarc\b|\bbatv\b|\bptr\b|\brdns\b|\breverse (?:dns|lookup)\b|\b[eh]?h?elo\b|\bsrs\b",
    r"\byour (?:ip|host|hostname|server|network|isp|mail server|smtp server|remotehost|country|provider)\b",
    r"\bspam|\bunsolicited\b|\bbulk\b|\bvirus|\bmalware\b|\bphish",
    r"\bblack ?list|\bblock ?list|\bblacklisted\b|\bdnsbl\b|\brbl\b|\bspamhaus\b|\bsorbs\b|\bbarracuda\b|\bspamcop\b|\bsurbl\b|\bbackscatter\b",
    r"\breputation\b|\babuse\b|\bbanned\b|\bclient host\b|\bip address\b",
)
ABOUT_US = _any_of(
    SENDER.pattern,
    r"\bpolic(?:y|ies)\b|\bcontent\b|\battachments?\b|\bmime\b|\bheaders?\b|\bmessage (?:size|too|length|file|content|filtered|looping)",
    r"\btoo (?:large|big|long)\b|\bsize (?:limit|exceeds)\b|\bmax(?:imum)? (?:message|inbound|size)",
    r"\brelay(?:ing|ed)?\b|\bauth\w*|\bcredentials?\b|\blogin\b|\btls\b|\bencrypt\w*|\bstarttls\b|\bverification failure\b",
    r"\baccess denied\b|\bdenied\b|\bnot (?:permitted|allowed|accept(?:ed|ing)?)\b|\bprohibited\b|\bforbidden\b|\brefus\w+|\brestrict\w*",
    r"\bblocked\b|\bblocking\b|\bblock\b|\brejected by\b|\bfilter\w*|\bwhite ?list|\ballow ?list|\bgreylist|\blisted (?:in|at|on)\b",
    r"\bdynamic\b|\bconnections?\b|\bopen proxy\b|\bresolv\w+|\bdns\b|\bloops?\b|\bhops?\b|\btimed? ?out\b|\btimeout\b|\bexpired\b",
    r"\bsyntax\b|\bprotocol\b|\bcommand\b|\bsequence\b|\bconfirm\w*|\bchallenge\b|\bnon member\b|\bmailing list\b|\bsubscribe\w*|\bgroup\b",
    r"\bconfiguration\b|\bmisconfigured\b|\bsystem\b|\binternal\b|\blocal error\b|\bservice (?:not|un)available\b|\btemporar\w+|\blater\b|\btry again\b",
    r"\bgo away\b|\bvacation\b|\bout of (?:the )?office\b|\bquarantine\b|\bsuspicious\b|\btrust\w*",
)
GREYLISTING = _any_of(
    r"\bgr[ea]y ?list\w*|\bpostgrey\b|\bsqlgrey\b|\bgraylist\w*|\bgrey list\w*",
    r"\btemporarily (?:deferred|delayed|refused)\b(?!.*(?:complaints|volume|blocked))",
    r"\bfirst (?:time|attempt|contact)\b|\bnew sender\b|\bunknown triplet\b|\bdelayed by\b",
    r"\b(?:please )?(?:try again|retry|come back|wait|try later|resend)(?: \w+){0,4}? \d+ ?(?:s|sec|secs|seconds?|m|mins?|minutes?)\b",
)
LOAD = _any_of(
    r"\btoo (?:many|much|fast|quickly|frequent\w*)\b|\brate ?limit\w*|\brate (?:limited|exceeded)\b|\bthrottl\w*|\bslow(?:er)? down\b|\bslower\b",
    r"\b(?:connection|session|message|recipient|hourly|daily) (?:rate|limit|count)\b|\bexceeded the (?:max|rate)\b|\bmaximum (?:connection|sending|number)",
    r"\bunusual rate\b|\bexcessive\b|\bconcurrent\b|\btrop de connexions\b|\bresources\b|\bbusy\b|\boverload\w*|\bhigh load\b|\bload average\b",
    r"\bclosing (?:transmission channel|connection)\b",
)
TOO_MANY_RECIPIENTS = _any_of(
    r"\btoo many (?:recipients|rcpts?)\b", r"\bone recipient\b|\bsingle recipient\b|\bseparate transaction\b"
)
BUSY_MAILBOX = _any_of(
    r"\b(?:user|recipient|mailbox)(?: \w+){0,6}? receiving (?:e ?)?mail (?:at a rate|too (?:quickly|fast))"
)

_GENERIC = _any_of(
    r"^(?:requested )?(?:mail )?action not taken mailbox unavailable$",
    r"^mailbox (?:is )?unavailable$",
    r"^(?:recipient |address |user )+(?:address )?rejected$",
    r"^(?:recipient |address |user )*rejected$",
)

# (operator, code, enhanced code or "", pattern or "") → what the reply means there.
_PROVIDER_RULES: tuple[tuple[str, int, str, str, str], ...] = (
    ("microsoft", 550, "5.4.1", r"\brecipient address rejected access denied\b", "not_found"),
    ("google", 450, "4.2.1", r"\breceiving mail\b", "busy"),
    ("yahoo", 554, "", r"^delivery error dd\b", "not_found"),
    ("yahoo", 554, "", r"\bmailbox is disabled\b", "disabled"),
)


def by_provider(provider: str, code: int, enhanced: str, text: str) -> str | None:
    """What the operator is known to mean by this reply."""
    for name, rule_code, rule_enhanced, pattern, meaning in _PROVIDER_RULES:
        if (name, rule_code, rule_enhanced) == (provider, code, enhanced) and re.search(pattern, text):
            return meaning
    return None


def kind_of(text: str) -> str:
    """What a refusal without a telling code speaks of: `not_found`, `full`, `disabled`, `not_hosted`, `us` or ``."""
    if _GENERIC.search(text):
        return "not_found"
    if FULL.search(text):
        return "full"
    spoken_of_us = SENDER.search(text)
    for kind, pattern in (("disabled", DISABLED), ("not_hosted", NOT_HOSTED), ("not_found", NOT_FOUND)):
        if not spoken_of_us and pattern.search(text):
            return kind
    return "us" if ABOUT_US.search(text) else ""
