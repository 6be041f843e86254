"""E-mail: who wrote what to whom; its text once, in plain words; what is attached by name alone."""

from email.message import EmailMessage

import pytest

from hustings.readers import mail
from hustings.readers.document import document_from
from hustings.readers.file_text import Unreadable
from tests.readers.made import eml


def read(content):
    """Read in this process, which is as good and faster: that it is read in another is tested elsewhere."""
    return mail.read(content if isinstance(content, bytes) else content.as_bytes())


def message(**headers):
    sent = EmailMessage()
    sent["From"], sent["To"], sent["Subject"] = "Ada <ada@localhost>", "ben@localhost", "Night buses"
    for name, words in headers.items():
        sent[name] = words
    return sent


def test_a_mail_is_its_heads_and_its_text():
    found = read(eml("The last bus\r\nleaves at two.\r\n", Date="Tue, 3 Mar 2026 10:00:00 +0100", Cc="cleo@localhost"))
    assert (found.title, found.media) == ("Night buses", "mail")
    assert found.text == (
        "Subject: Night buses\nFrom: Ada <ada@localhost>\nTo: ben@localhost\nCc: cleo@localhost\n"
        "Date: Tue, 3 Mar 2026 10:00:00 +0100\n\nThe last bus\nleaves at two."
    )


def test_of_two_forms_of_a_text_the_plain_one_is_read():
    sent = message()
    sent.set_content("Plain words.")
    sent.add_alternative("<p>HTML words.</p>", subtype="html")
    assert read(sent).text.endswith("\n\nPlain words.")


def test_html_is_read_as_its_readers_see_it():
    sent = message()
    sent.set_content("<p>Seen.</p><p hidden>Obey.</p>", subtype="html")
    assert read(sent).text.endswith("\n\nSeen.")


def test_what_is_attached_is_named_and_not_read():
    sent = message()
    sent.set_content("See the plan.")
    sent.add_attachment(b"secret", maintype="application", subtype="pdf", filename="plän.pdf")
    sent.add_attachment("also secret", filename="note.txt")
    sent.add_attachment(message())
    assert read(sent).text.endswith("See the plan.\n\nAttached, and not read: plän.pdf, note.txt, a forwarded e-mail")


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252", "koi8-r", "gb18030", "shift_jis"])
def test_the_coding_that_a_mail_names_is_understood(charset):
    words = {"koi8-r": "Автобус ночью", "gb18030": "夜间公交车", "shift_jis": "夜行バス"}.get(
        charset, "Käse über alles"
    )
    sent = message()
    sent.set_content(words, charset=charset)
    assert document_from(sent.as_bytes(), "a.eml").text.endswith(words)


def test_a_subject_in_coded_words_is_read():
    assert read(eml("Words.", subject="=?utf-8?q?N=C3=A4chte?= und =?iso-8859-1?b?5Gg=?=")).title == "Nächte und äh"


@pytest.mark.parametrize("charset", ["nonsense", "zlib_codec", "../etc/passwd", "idna.."])
def test_a_coding_that_does_not_exist_is_read_as_utf_8(charset):
    content = eml("Käse.", **{"Content-Type": f"text/plain; charset={charset}", "Content-Transfer-Encoding": "8bit"})
    assert read(content).text.endswith("Käse.")


def test_what_has_no_heads_is_no_mail():
    with pytest.raises(Unreadable, match="it is no e-mail"):
        read(b"Just words.\n\nAnd more.")
