"""How mail servers word things, as patterns over simplified text.

Written from the vocabulary of many servers (see `data/NOTICE.md`) as grammar rather than as quotations: who is spoken
of, and what is said of it. A text that speaks about the sender, the message or a policy is never about the mailbox.
"""

import re

EMPTY_TALK = 3  # a text of at most this many characters says nothing

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ADDRESS = re.compile(r"<[^<>]*>|[^\s<>:;,()]+@[\w.-]+")
_LINK = re.compile(r"(?:https?:)?//\S+|www\.\S+")
_NUMBER = re.compile(r"\[?\d{1,3}(?:\.\d{1,3}){3}\]?|#?\b[245]\.\d{1,3}\.\d{1,3}\b")
_IN_REPLY = re.compile(r"\(in reply to [\w ]+ command\)", re.IGNORECASE)
_NOISE = re.compile(r"[^\w\s]+|_")
_SPACE = re.compile(r"\s+")


def simplify(text: str) -> str:
    """Lower case, addresses as the word "address", without links, numbers in dots, apostrophes and punctuation."""
    text = _ADDRESS.sub(" address ", _LINK.sub(" link ", _IN_REPLY.sub(" ", text)))
    text = _NUMBER.sub(" ", _CAMEL.sub(" ", text).lower())
    text = text.replace("'", "").replace("’", "")
    return _SPACE.sub(" ", _NOISE.sub(" ", text)).strip()


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


_WHO = (
    r"(?:users?|user ?ids?|usernames?|mail ?box(?:es)?|inbox|recip(?:ient)?s?|rcpt|accounts?|addressees?"
    r"|address(?:es)?|alias(?:es)?|person|name|customer|subscriber|destination|mail ?drop|local part|login"
    r"|employee|member|box|e ?mail(?: id| name| box)?|contact)"
)
_NO = (
    r"(?:no|not an?|unknown|invalid|bad|illegal|non ?existent|inexistent|incorrect|wrong|unrecogni[sz]ed"
    r"|undeliverable|nonexisting)"
)
_GONE = (
    r"(?:(?:does|did|do|is|was|could|can|has|have)(?: ?not|nt) (?:be |been )?(?:exists?|found|located|resolved)"
    r"|does ?nt (?:\w+ )?exist|(?:is |was )?not ?found|not exists?"
    r"|(?:is |are )?no longer (?:valid|exists?|available|here|with|active|in use|in service|on|an? \w+))"
)
_MISSING = (
    rf"(?:{_GONE}|unknown|no exists?|non ?existent|inexistent|invalid|undeliverable|unavailable|un ?rout(?:e)?able"
    r"|missing|not ok|is wrong|isnt (?:valid|here|known)|unavaiable|cannot be (?:found|delivered|verified)"
    r"|not (?:an? )?(?:valid|known|here|local|recogni[sz]ed|listed|registered|present|available|activated|on the server"
    r"|in (?:the |our |my )?(?:directory|list|database)|member of)|lookup (?:\w+ ){0,3}failed)"
)

NOT_FOUND = _any_of(
    rf"\b{_NO} (?:\w+ ){{0,2}}?{_WHO}\b(?! from)",
    r"\b(?:no|not any) such\b(?! (?:domain|host|sender|command))",
    rf"\b{_WHO}\b(?: \w+){{0,5}}? {_MISSING}\b",
    rf"^(?:sorry )?{_GONE}\b",
    r"\b(?:no ?one|nobody|anyone|no person|no account) (?:\w+ )?(?:by|with|at|here|named)\b",
    r"\b(?:doesnt|does not) have an? (?:\w+ ){0,2}account\b",
    r"\bnot (?:a |our )?(?:known|valid|local|registered|customer)\b(?! (?:host|gateway))",
    r"\bthis \w+ does not exist\b|\b(?:userunknown|badrcptto|validrcptto|badrecipientto|chkuser|badaddress)\b"
    r"|\bnot found in ldap\b",
    r"\bcant accept user\b|\buser missing\b|\bhas left the\b|\bhas been replaced by\b"
    r"|\bunable to find (?:\w+ ){0,2}user\b",
    r"\bdestination (?:server|mailbox) (?:rejected|address)\b|\bbad destination\b|\bhandle mail for that user\b",
    r"\bdoes not like recipient\b",
    # German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Czech, Hungarian
    r"\bunbekannt\w*|\bexistiert nicht\b|\bnicht gefunden\b|\bkein(?:e|en)? (?:solche\w* )?(?:benutzer|postfach"
    r"|empf\w+nger)",
    r"\binconnue?s?\b|\bintrouvable\b|\bnexiste pas\b|\bno existe\b|\bdesconocid[oa]\b|\binexistente\b",
    r"\binesistente\b|\bsconosciut[oa]\b|\bnessun utente\b|\bnon esiste\b|\berrato\b|\bn[aã]o existe\b"
    r"|\bdesconhecid[oa]\b",
    r"\bonbekend\b|\bbestaat niet\b|\bok[aä]nd\b|\bfinns inte\b|\bnie istnieje\b|\bnieznany\b|\bnie ma takiego\b",
    r"\bneexistuje\b|\bnezn[aá]m\w*|\bnem l[eé]tezik\b|\bismeretlen\b",
    # Russian, Chinese, Japanese, Korean
    r"не найден|не существует|неизвест|нет такого|такого (?:\w+ )?(?:пользователя|адреса|ящика)|не зарегистрирован",
    r"不存在|存在しません|見つかりません|该用户|존재하지|없는",
)
FULL = _any_of(
    r"\b(?:over|above|out of)(?: \w+){0,4}? (?:quota|storage|disk ?space)\b|\bover ?quota\b|\bout ?of ?quota\b",
    r"\b(?:exceed\w*|reached|exhausted)(?: \w+){0,4}? (?:quota|storage|disk ?space|storage space)\b",
    r"\b(?:quota|storage|disk ?space)(?: \w+){0,3}? (?:exceeded|full|violation|reached|exceeds|usage)\b"
    r"|\bquota violation\b",
    r"\b(?:user|domain)? ?(?:disk|diskspace|maildir|mailbox|disc) quota\b",
    r"\b(?:mail ?box|inbox|folder|account|maildir|box|mailfolder|destinataire|postfach)(?: \w+){0,3}? (?:is "
    r"|are |was )?"
    r"(?:over ?)?(?:full|pleine|voll)\b",
    r"\bfull (?:mailbox|inbox)\b",
    r"\b(?:mailbox|user|account|recipient)(?: \w+){0,4}? (?:exceeded|exceeds|exceeding|too many messages"
    r"|would exceed)\b",
    r"\b(?:not enough|does not have enough|insufficient|no|not sufficient)(?: \w+){0,2}? (?:space"
    r"|storage)\b(?! system)",
    r"\bspace (?:\w+ ){0,3}used up\b|\btoo much mail data\b|\bzu ?viele mails\b",
    r"\bboite (?:\w+ ){0,2}pleine\b|\bcasella piena\b|\bbuz[oó]n lleno\b|переполнен",
)
_OFF = (
    r"(?:disabled|suspended|deactivated|inactive|not active|frozen|locked|closed|terminated|expired|discontinued"
    r"|archived|archivee|blocked due to inactivity|cancel+ed|deleted|removed|withdrawn|dormant)"
)
DISABLED = _any_of(
    rf"\b{_WHO}\b(?: \w+){{0,7}}? {_OFF}\b",
    rf"\b{_OFF} (?:\w+ )?{_WHO}\b",
    rf"^(?:is |has been |was )?(?:now |currently |temporar(?:y|ily) )?{_OFF}\b(?! temporarily)",
    r"\bno longer accepts? (?:e ?)?mail\b|\bsuspend the service\b",
    r"\bdeaktiviert\b|\bgesperrt\b|\bd[eé]s?activ[eé]e?\b|\bdis?attt?ivat[oa]\b|\bdeshabilitad[oa]\b|\bdesativad[oa]\b",
    r"\binactiv[oa]\b|\bha expirado\b|\bbloccato\b|\bzablokowane\b|\bnieaktywn[ey]\b|\bboite (?:\w+ ){0,2}archivee\b",
    r"заблокирован|отключ[её]н",
)
NOT_HOSTED = _any_of(
    r"\b(?:no such|unknown|non ?existent) (?:\w+ )?(?:domain|host)\b(?! name lookup)",
    r"\b(?:domain|host)(?: name| or domain name)?(?: \w+){0,4}? (?:does ?n[o']?t exist|not exist|unknown|not found"
    r"|not hosted|not local|not configured|must exist|does not accept mail|doesnt accept)\b",
    r"\bun ?rout(?:e)?able (?:address|recipient)\b|\bno route for current request\b|\bmail receiving disabled\b",
    r"\bnull ?mx\b|\bdoes not accept mail\b|\bno mx record found\b|\bno longer hosted\b|\bname or service not known\b",
)
# What is said of us, of our message, or of how we send.
OURS = _any_of(
    r"\b(?:senders?|sending|throttl\w+|too many(?! messages on)|emetteur|expediteur|backscatter|batv|srs)\b",
    r"\b(?:envelope )?from (?:address|domain)\b|\bmail from\b|\breturn path\b|\breverse path\b|\bbounce messages?\b",
    r"\b(?:spf|dkim|dmarc|ptr|rdns|e?helo|ehlo|dns records?)\b|\breverse (?:dns|lookup)\b",
    r"\byour (?:ip|host|hostname|server|network|isp|domain|country|provider|remotehost|access|smtp server"
    r"|mail server)\b",
    r"\bspam|\bunsolicited\b|\bbulk\b|\bvirus|\bmalware\b|\bphish|\bjunk",
    r"\bblack ?list|\bblock ?list|\bdnsbl\b|\brbl\b|\bspamhaus\b|\bsorbs\b|\bbarracuda\b|\bspamcop\b|\bsurbl\b"
    r"|\bblagr\b",
    r"\breputation\b|\babuse\b|\bbanned\b|\bclient host\b|\bip address\b|\bdynamic\b|\bopen proxy\b",
    r"\bheaders?\b|\battachments?\b|\bmime\b|\bcontent\b|\b(?:message|daily|hourly|rate)(?: \w+)? quota\b",
    r"\bmessage (?:size|too|length|file|filtered|looping|rejected|refused|was|contains?)\b|(?<!mailbox )\bsize limit\b"
    r"|\baccess denied\b|\bmailing list\b|\bgateway\b",
)
# That we are refused, without a word on the mailbox.
REFUSED = _any_of(
    r"\bpolic(?:y|ies)\b|\brelay(?:ing|ed)?\b|\bauth\w*|\bcredentials?\b|\btls\b|\bencrypt\w*|\bstarttls\b",
    r"\bdenied\b|\bnot (?:permitted|allowed|accept(?:ed|ing)?)\b|\bprohibit\w*|\bforbidden\b|\brefus\w+|\brestrict\w*",
    r"\bblock(?:ed|ing|s)?\b|\bfilter\w*|\b(?:white|allow) ?list|\blisted (?:in|at|on|by)\b|\bgo away\b|\bquarantine\b",
    r"\bnon member\b|\bmailing list\b|\bsubscribe\w*|\bgroup\b|\bconfirm\w*|\bchallenge\b|\bverif\w+|\bsuspicious\b",
)
GREYLISTING = _any_of(
    r"\bgr[ea]y ?list\w*|\bpostgrey\b|\bsqlgrey\b",
    r"\btemporarily (?:deferred|delayed|refused)\b(?!.*(?:complaints|volume|blocked))",
    r"\bfirst (?:time|attempt|contact)\b|\bnew sender\b|\bunknown triplet\b|\bdelayed by\b",
    r"\b(?:try again|retry|come back|wait|try later|resend)(?: \w+){0,4}? \d+ ?(?:s|secs?|seconds?|m|mins?|minutes?)\b",
)
PATIENCE = _any_of(r"\btry again\b|\blater\b|\bin progress\b|\btemporary (?:failure|problem|error|lookup)")
LOAD = _any_of(
    r"\btoo (?:many|much|fast|quickly|frequent\w*)\b|\brate ?limit\w*|\brate exceeded\b|\bthrottl\w*|\bslower\b"
    r"|\bslow down\b",
    r"\b(?:connection|session|message|recipient|hourly|daily) (?:rate|limit|count)\b|\bexceeded the (?:max|rate)\b",
    r"\bmaximum (?:connection|sending|number)|\bunusual rate\b|\bexcessive\b|\bconcurrent\b|\btrop de connexions\b",
    r"\bresources\b|\bbusy\b|\boverload\w*|\bhigh load\b|\bload average\b|\bclosing (?:transmission channel"
    r"|connection)\b",
)
TOO_MANY_RECIPIENTS = _any_of(
    r"\btoo many (?:recipients|rcpts?)\b(?! (?:from|in this))",
    r"\bone recipient\b|\bsingle recipient\b|\bseparate transaction\b|\bmultiple destination domains\b",
)
BUSY_MAILBOX = _any_of(
    r"\b(?:user|recipient|mailbox)(?: \w+){0,6}? receiving (?:e ?)?mail (?:at a rate|too (?:quickly|fast))"
)
# What servers say when they say nothing more than RFC 5321 does.
_GENERIC = _any_of(
    r"^(?:requested )?(?:mail )?action not taken mailbox (?:is )?(?:unavailable|not available)$",
    r"^(?:address )?mailbox (?:is )?(?:currently )?(?:unavailable|not available)$",
    r"^(?:address )?(?:recipient|user|mailbox) (?:address )?rejected$",
)

# (operator, code, enhanced code or "", pattern) and what the operator is known to mean by it.
_PROVIDER_RULES = (
    ("microsoft", 550, "5.4.1", re.compile(r"\brecipient address rejected access denied\b"), "not_found"),
    ("google", 450, "4.2.1", re.compile(r"\breceiving mail\b"), "busy"),
    ("yahoo", 554, "", re.compile(r"^delivery error dd\b.*\b(?:no longer valid|disabled|discontinued)\b"), "disabled"),
    ("yahoo", 554, "", re.compile(r"^delivery error dd\b"), "not_found"),
)


def by_provider(provider: str, code: int, enhanced: str, text: str) -> str | None:
    """What the operator is known to mean: `not_found`, `disabled`, `busy`, or None where nothing is known."""
    for name, rule_code, rule_enhanced, pattern, meaning in _PROVIDER_RULES:
        if (name, rule_code, rule_enhanced) == (provider, code, enhanced) and pattern.search(text):
            return meaning
    return None


def kind_of(text: str) -> str:
    """What a refusal without a telling code speaks of.

    `not_found`, `full`, `disabled` and `not_hosted` are about the recipient, `us` about us, "" about nobody.
    """
    if _GENERIC.search(text):
        return "not_found"
    if OURS.search(text):
        return "us"
    for kind, pattern in _KINDS:
        if pattern.search(text):
            return "" if kind == "not_hosted" and PATIENCE.search(text) else kind
    return "us" if REFUSED.search(text) else ""


_KINDS = (("full", FULL), ("disabled", DISABLED), ("not_hosted", NOT_HOSTED), ("not_found", NOT_FOUND))
