"""What is written in the PDF of an invoice."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
import time_machine
from pypdf import PdfReader
from reportlab.pdfbase import pdfmetrics

from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.invoices import pdf
from billing.invoices.models import DocumentKind, Invoice, InvoiceLine
from billing.invoices.wording import format_money
from billing.refunds import services as refunds
from billing.tests.paid import captured
from emailcheck.common.pdf import pdf_fonts

pytestmark = pytest.mark.django_db
NOW = datetime(2030, 1, 31, 4, 5, 6, tzinfo=UTC)


def read(document: Invoice) -> PdfReader:
    return PdfReader(BytesIO(pdf.render_pdf(Invoice.objects.get(pk=document.pk))))


def text_of(document: Invoice) -> str:
    return "\n".join(page.extract_text() for page in read(document).pages)


def paid(user: User, **profile: str) -> Invoice:
    User.objects.filter(pk=user.pk).update(name=profile.pop("name", user.name))
    if profile:
        Organisation.objects.filter(holder=user).update(**profile)
    with time_machine.travel(NOW, tick=False):
        invoice = captured(user, "5O190127TN364715T").invoice
    return Invoice.objects.select_related("payment", "cancels").prefetch_related("lines").get(pk=invoice.pk)


def paid_again(user: User) -> Invoice:
    """Another one, in other letters; all of it is read, so that threads need no database."""
    User.objects.filter(pk=user.pk).update(name="Żaneta Ğüneş")
    Organisation.objects.filter(holder=user).update(company="東京")
    invoice = captured(User.objects.get(pk=user.pk), "CAP-2").invoice
    return Invoice.objects.select_related("payment", "cancels").prefetch_related("lines").get(pk=invoice.pk)


@pytest.mark.spec("INV-016")
def test_it_says_all_that_an_invoice_must(alice: User, settings: Any) -> None:
    settings.INVOICE_TAX_RATE = Decimal("19")
    invoice = paid(alice, company="Alder & Ash <GmbH>", address="1 Quay, Hull", vat_id="GB123456789")
    text = text_of(invoice)
    wanted = [
        "EmailCheck", "Invoice", "PAID", "INV-2030-000001", "31 January 2030", "PayPal", "5O190127TN364715T",
        "EmailCheck Sandbox Ltd. (simulated, not a real", "1 Sandbox Street", "VAT ID SANDBOX-000000000",
        "Alder & Ash <GmbH>", "Alice Alder", "1 Quay", "Hull", "alice@alder.com", "VAT ID GB123456789",
        "5,000 credits", "Subtotal", "$49.58", "VAT 19%", "$9.42", "Total", "$59.00", "Page 1 of 1",
    ]  # fmt: skip
    assert [part for part in wanted if part not in text] == []


@pytest.mark.spec("INV-016")
def test_without_a_rate_there_is_no_tax_line(alice: User) -> None:
    text = text_of(paid(alice))
    assert ("VAT 0" in text, "Subtotal" in text, "Total" in text) == (False, False, True)


@pytest.mark.spec("INV-016")
def test_names_of_many_scripts_are_written_by_embedded_fonts(alice: User) -> None:
    invoice = paid(alice, name="Żaneta Ångström-Ğüneş", company="Ольга & Παπαδόπουλος", address="東京都千代田区, カナ")
    reader = read(invoice)
    text = reader.pages[0].extract_text()
    for part in ("Żaneta Ångström-Ğüneş", "Ольга & Παπαδόπουλος", "東京都千代田区", "カナ"):
        assert part in text
    resources: Any = reader.pages[0]["/Resources"]
    used = {str(font.get_object()["/BaseFont"]).partition("+")[2] for font in resources["/Font"].values()}
    assert {"Inter-Regular", "Inter-SemiBold", "IBMPlexMono-Regular", "DroidSansFallback"} <= used
    assert "Latin letters" not in text


@pytest.mark.spec("INV-016")
def test_scripts_that_no_font_has_are_written_in_latin_letters_and_it_says_so(alice: User) -> None:
    text = text_of(paid(alice, name="김민준", company="محمد"))
    assert "GimMinJun" in text
    assert "mhmd" in text
    assert "Some names are written in Latin letters" in text


def test_the_same_invoice_is_the_same_file_and_has_title_and_language(alice: User) -> None:
    invoice = paid(alice)
    with time_machine.travel("2031-05-05T05:05:05Z", tick=False):
        later = pdf.render_pdf(Invoice.objects.get())
    assert pdf.render_pdf(invoice) == later
    reader = PdfReader(BytesIO(later))
    assert reader.metadata is not None
    assert reader.metadata.title == "Invoice INV-2030-000001"
    assert str(reader.root_object["/Lang"]) == "en"


def test_sixteen_at_once_get_the_same_file_as_one_alone(alice: User) -> None:
    """Documents share their fonts, which only one of them at a time can read."""
    invoice = paid(alice, name="Ольга 山田", company="Παπαδόπουλος")
    other = paid_again(alice)
    alone = [pdf.render_pdf(invoice), pdf.render_pdf(other)]
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(lambda n: pdf.render_pdf([invoice, other][n % 2]), range(32))) == alone * 16


def test_many_lines_go_on_over_pages_with_their_head(alice: User) -> None:
    invoice = paid(alice)
    InvoiceLine.objects.bulk_create(
        InvoiceLine(
            invoice=invoice, position=n, description=f"Line {n} " + "w" * 190, unit_price=n, net=Decimal("1234567.89")
        )
        for n in range(2, 60)
    )
    pages = [page.extract_text() for page in read(invoice).pages]
    assert len(pages) > 3
    assert all("Description" in page for page in pages[:-1])
    assert [f"Page {n} of {len(pages)}" in page for n, page in enumerate(pages, 1)] == [True] * len(pages)
    assert all(f"Line {n} " in "".join(pages) for n in range(2, 60))


@pytest.mark.spec("INV-019")
def test_a_credit_note_says_what_it_cancels_and_why(alice: User) -> None:
    invoice = paid(alice)
    with time_machine.travel(NOW, tick=False):
        refund = refunds.complete_refund(payment_id=invoice.payment_id or 0, reason="Not what was expected")
    assert refund is not None
    text = text_of(refund.credit_note)
    wanted = [
        "Credit note", "CN-2030-000001", "INV-2030-000001 of 31 January", "REFUNDED", "−$59.00",
        "Reason: Not what was expected",
    ]  # fmt: skip
    assert [part for part in wanted if part not in text] == []
    assert "PAID" in text_of(invoice)


def test_an_invoice_that_is_not_paid_says_so_and_a_deleted_customer_is_not_named(db: None) -> None:
    zero = {"net": Decimal(5), "tax_rate": Decimal(0), "tax": Decimal(0), "total": Decimal(5), "paid_with": "PayPal"}
    seller = {"name": "EmailCheck", "company": "Ltd", "address": "Here", "email": "a@b.co", "vat_id": ""}
    due = date(2030, 2, 14)
    open_one = Invoice.objects.create(
        kind=DocumentKind.INVOICE, number="INV-1", seller=seller, buyer={}, due_on=due, **zero
    )
    text = text_of(open_one)
    assert ("PAYMENT PENDING" in text, "Name and address are not kept any more." in text) == (True, True)
    assert "Please pay by 14 February 2030, with PayPal, at " in text


@pytest.mark.parametrize(
    ("amount", "currency", "words"),
    [
        ("1234567.5", "USD", "$1,234,567.50"),
        ("-59", "USD", "−$59.00"),
        ("0", "USD", "$0.00"),
        ("10", "CHF", "CHF\N{NO-BREAK SPACE}10.00"),
    ],
)
def test_money_in_words(amount: str, currency: str, words: str) -> None:
    assert format_money(Decimal(amount), currency) == words


@pytest.mark.parametrize("font", [pdf_fonts.REGULAR, pdf_fonts.BOLD, pdf_fonts.MONO])
def test_sums_stand_in_columns(font: str) -> None:
    pdf_fonts.register_fonts()
    assert len({pdfmetrics.stringWidth(f"${digit * 4}.00", font, 10) for digit in "0123456789"}) == 1


def test_an_id_is_set_in_mono_and_inert() -> None:
    assert pdf_fonts.build_code("INV-<1>") == '<font name="IBMPlexMono-Regular">INV-&lt;1&gt;</font>'
    assert pdf_fonts.build_code("東京") == '<font name="DroidSansFallback">東京</font>'


def test_markup_is_inert() -> None:
    assert pdf_fonts.build_markup('<b onclick="x">&amp;\x00\u202e') == '&lt;b onclick="x"&gt;&amp;amp;'
