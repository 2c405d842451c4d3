"""The words by which a header cell is known, in the languages of those who send lists."""

import re
import unicodedata

_LONGEST_HEADER = 200
_PLAIN_NAMES = frozenset({"email", "mail", "emailaddress", "mailaddress", "email address", "mail address"})

_CAMEL = re.compile(r"(?<=[a-zа-я])(?=[A-ZА-Я])")
_HYPHENED = re.compile(r"\be[\s_-]*(?=mail|post)")
_CUT = re.compile(r"[,;\t|]")
_WORD = re.compile(r"[^\W\d_]+")


def split_words(text: str) -> list[str]:
    """The words of a cell in lower case, without accents and digits; `E-Mail` is one word."""
    parts = unicodedata.normalize("NFKD", _CAMEL.sub(" ", text[:_LONGEST_HEADER].strip())).casefold()
    plain = "".join(char for char in parts if not unicodedata.combining(char))
    return _WORD.findall(_HYPHENED.sub("e", unicodedata.normalize("NFC", plain)))


def _read_words(table: str) -> frozenset[str]:
    return frozenset(word for entry in table.split() for word in split_words(entry))


# Each of these words alone says "e-mail"; accents and case are taken off before a word is looked up.
_EMAIL_WORDS = _read_words(
    """
    email emails mail mails emailaddress emailaddresses mailaddress mailaddresses emailaddr useremail contactemail
    emailadresse emailadressen mailadresse mailadressen emailadres mailadres emailid mailid mailto emailadress
    electronic electronica electronico electronique
    correo correos correoelectronico courriel courriels adressemail adresseemail posta postaelettronica
    indirizzoemail epost epostadresse epostadress epostadresser eposta epostadresi sahkoposti sahkopostiosoite
    poczta adresemail почта эл электронная имейл емейл пошта
    メール メールアドレス eメール 电子邮件 邮件 邮箱 電子郵件 郵件 信箱 电邮 電郵
    电子邮件地址 邮件地址 电子邮箱 邮箱地址 電子郵件地址 電子信箱 이메일 메일
    البريد الايميل
    """
)
# A header holds them beside a word for e-mail, or alone above a column of addresses.
_HEADER_WORDS = _read_words(
    """
    address addresses addr adresse adressen adresses adress adres adresy adresi direccion direcciones endereco
    enderecos indirizzo indirizzi osoite elettronica elektronisch
    elektroniczna elektroniczny адрес адреса электронной электронный почты
    アドレス 地址 주소 الالكتروني
    contact contacts newsletter name names nom nombre nome liste lista verteiler
    kontakt kontakte kontakty contacto contactos contatto contatti contato contatos контакт контакты primary
    secondary main other alternate alternative additional second first work business office company corporate
    private personal home professional pro billing invoice shipping account login user username users customer
    customers client clients member members subscriber subscribers recipient recipients lead leads person people
    employee staff buyer guest owner your my current new old valid required mandatory optional id num number field
    value list of the for de des du d l la le el del di da do von der die das den dem und geschaftlich geschaftliche
    dienstlich dienstliche privat haupt zweite kunde kunden kundin mitglied mitglieder empfanger teilnehmer abonnent
    abonnenten nutzer benutzer firma cliente clientes clienti abonne abonnes membre membres destinataire
    destinataires destinatario destinatarios destinatari usuario usuarios utilisateur utilisateurs suscriptor
    suscriptores socio socios principal principale ihre ihr meine deine votre vos tu su sua seu vostra pflichtfeld
    obligatoire professionnel professionnelle personnel personnelle travail trabajo lavoro perso
    """
)
# A cell with one of these stands for an address that is missing; it is no header.
_MISSING_WORDS = _read_words(
    """
    none no na nil null unknown missing empty nothing not without deleted removed undefined nan tbd kein keine
    keinen ohne unbekannt leer fehlt sans aucun aucune inconnu vide sin ninguno ninguna desconocido vacio senza
    nessuno nessuna sconosciuto nenhum sem нет geen onbekend brak ingen saknas
    """
)
# A line above the header that holds one of these tells whom to write to; its address is none of the list.
_CONTACT_WORDS = _read_words(
    """
    contact contacts kontakt kontakte contacto contatto contato question questions fragen frage preguntas domande
    support help hilfe ayuda aide assistance write schreiben reply owner author autor auteur created creator
    erstellt prepared exported export generated report sent sender from by von ansprechpartner responsible
    verantwortlich responsable feedback info information
    """
)


def is_plain_email_name(text: str) -> bool:
    """Whether a header cell says `email` or `e-mail address` and no more."""
    return " ".join(split_words(text)) in _PLAIN_NAMES


def names_email(text: str) -> bool:
    """Whether all of a cell is the header of an e-mail column: `Contact e-mail`, `Correo electrónico`."""
    words = split_words(text)
    return not _EMAIL_WORDS.isdisjoint(words) and _is_header(words) and not is_missing(text)


def is_header_text(text: str) -> bool:
    """Whether a cell stands above addresses: `Contacts`, `Adresse`, an unsplit `name;email`."""
    return (_is_header(split_words(text)) and not is_missing(text)) or any(
        map(names_email, _CUT.split(text[:_LONGEST_HEADER]))
    )


def _is_header(words: list[str]) -> bool:
    return bool(words) and all(word in _EMAIL_WORDS or word in _HEADER_WORDS for word in words)


def is_missing(text: str) -> bool:
    """Whether a cell says that there is no address: `n/a`, `no email`."""
    words = split_words(text)
    return not words or words == ["n", "a"] or not _MISSING_WORDS.isdisjoint(words)


def tells_contact(text: str) -> bool:
    """Whether a cell says whom to write to: `Questions: support@firm.com`, `Contact`."""
    return not _CONTACT_WORDS.isdisjoint(split_words(text))
