"""PDF: page by page, as it is printed; what is scanned, protected or damaged is refused with a fix."""

import re
import shutil
import subprocess
import sys

import pypdfium2
import pytest

from hustings.errors import BrokenFile
from hustings.readers.document import document_from
from tests.readers.made import objects, pdf, stream


def test_pages_are_parted_by_form_feeds_and_the_first_line_is_the_title():
    found = document_from(pdf("Night buses\nThe last bus.", "It costs 400,000."), "a.pdf")
    assert (found.title, found.text, found.media) == (
        "Night buses",
        "Night buses\nThe last bus.\fIt costs 400,000.",
        "pdf",
    )


def test_an_empty_page_keeps_its_number():
    assert document_from(pdf("", "Second page, with words.", ""), "a.pdf").text == "\fSecond page, with words.\f"


def test_what_comes_before_the_beginning_does_not_matter():
    assert document_from(b"\r\n\r\n" + pdf("Words of the plan."), "a.pdf").text == "Words of the plan."


def picture(pages, words=""):
    """A PDF whose pages are pictures, as a scanner makes them."""
    kids = " ".join(f"{5 + n} 0 R" for n in range(pages))
    facts = "/Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    page = (
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /XObject << /I 3 0 R >> /Font << /F1 " + font + b" >> >> >>"
    )
    shown = f"q 600 0 0 700 0 0 cm /I Do Q BT /F1 9 Tf 72 20 Td ({words}) Tj ET".encode()
    return objects(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode(),
            stream(bytes(4), facts),
            stream(shown),
            *([page] * pages),
        ]
    )


@pytest.mark.parametrize("words", ["", "Scan 0012"])
def test_a_scanned_document_is_refused_with_a_fix(words):
    with pytest.raises(BrokenFile, match=r"hardly any text.*as a scanner makes them.*have its text recognised"):
        document_from(picture(3, words), "a.pdf")


def test_a_picture_beside_enough_words_is_no_scan():
    words = "Thirty percent of the night shift has no other way home."
    assert document_from(picture(1, words), "a.pdf").text == words


def test_a_picture_less_page_of_few_words_is_no_scan():
    assert document_from(pdf("Buses."), "a.pdf").text == "Buses."


def test_a_protected_document_is_refused_with_a_fix():
    codes = "/Filter /Standard /V 1 /R 2 /O <" + "28" * 32 + "> /U <" + "31" * 32 + "> /P -4"
    whole = pdf("Words.").replace(b"/Root 1 0 R", f"/Root 1 0 R /Encrypt << {codes} >> /ID [<00> <00>]".encode())
    with pytest.raises(BrokenFile, match=r"protected by a password.*save it without one"):
        document_from(whole, "a.pdf")


def test_without_its_package_a_pdf_is_refused_with_the_cure(tmp_path):
    (tmp_path / "a.pdf").write_bytes(pdf("Words."))
    code = (
        "import sys; sys.modules['pypdfium2'] = None\nfrom pathlib import Path\n"
        "from hustings.readers.document import read_document\n"
        f"try: read_document(Path({str(tmp_path / 'a.pdf')!r}))\nexcept Exception as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert re.search(r"pip install .*'pypdfium2>=", done.stdout)


def test_the_words_are_those_that_the_library_finds():
    pages = [
        f"Page {n} of the plan.\nThe bus of line {n} leaves at {n} (or later), for {n * 7} riders." for n in range(3)
    ]
    content = pdf(*pages)
    with pypdfium2.PdfDocument(content) as document:
        bare = [page.get_textpage().get_text_range().replace("\r\n", "\n").strip() for page in document]
    assert document_from(content, "a.pdf").text.split("\f") == bare


@pytest.mark.nightly("starts a browser")
@pytest.mark.skipif(not shutil.which("chromium-headless-shell"), reason="needs chromium (make browser)")
def test_a_printed_page_with_hyphens_reads_as_it_was_written(tmp_path):
    text = (
        "Unquestionably, administrative responsibilities disproportionately overburden understaffed departments. " * 20
    )
    style = "html{hyphens:auto} p{width:180px; text-align:justify}"
    (tmp_path / "a.html").write_text(f"<html lang=en><style>{style}</style><p>{text}</p></html>")
    command = [
        "chromium-headless-shell",
        "--no-sandbox",
        "--disable-gpu",
        "--no-pdf-header-footer",
        f"--print-to-pdf={tmp_path / 'a.pdf'}",
    ]
    subprocess.run([*command, str(tmp_path / "a.html")], check=True, capture_output=True, timeout=60)
    found = document_from((tmp_path / "a.pdf").read_bytes(), "a.pdf").text
    assert " ".join(found.replace("\f", "\n").replace("-\n", "").split()) == text.strip()
