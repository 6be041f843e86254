"""Files that want more than they may have, or break what reads them. Each is made when it is needed."""

import os
import socket
import struct
import zipfile
import zlib
from io import BytesIO

from tests.readers.made import (
    SMALL,
    WORD,
    R,
    W,
    docx,
    eml,
    objects,
    packed,
    paragraph,
    pdf,
    pptx,
    relations,
    shape,
    stream,
    types,
    xlsx,
)

CANARY = "words-of-another-file"
"""What stands in the file beside the given one."""
ROW = '<row><c t="s"><v>{}</v></c></row>'


def document(body, before=""):
    return f'{before}<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'.encode()


def said(words):
    return f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"


# -- archives and XML ----------------------------------------------------------------------


def bomb(megabytes, inside):
    """A part that unpacks to megabytes of one letter, in a few kilobytes."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", types(**{"word/document.xml": WORD}))
        with archive.open("word/document.xml", "w", force_zip64=True) as part:
            before, after = document(inside.format("\0")).split(b"\0")
            part.write(before)
            for _ in range(megabytes):
                part.write(b" A" * 500_000)
            part.write(after)
    return out.getvalue()


def lying(size):
    """The archive's list says that its last part has this size."""
    raw = bytearray(docx(paragraph("word " * 5_000)))
    place = raw.rfind(b"PK\x01\x02")
    raw[place + 24 : place + 28] = struct.pack("<I", size)
    return bytes(raw)


def flagged(place, value, content=None):
    """The archive with a changed field in every entry of its list."""
    raw, at = bytearray(content or SMALL["plan.docx"]), 0
    while (at := raw.find(b"PK\x01\x02", at)) >= 0:
        raw[at + place : at + place + 2] = struct.pack("<H", value)
        at += 1
    return bytes(raw)


def entities(count, size, last):
    each = [f"<!ENTITY a0 '{'a' * size}'>"]
    each += [f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, count)]
    return docx(document(said(last), f"<!DOCTYPE d [{''.join(each)}]>"))


def many_entries(count):
    return packed({"[Content_Types].xml": types(), **{f"{n}": "" for n in range(count)}})


def broken_sum():
    raw = bytearray(packed({"[Content_Types].xml": types(**{"word/document.xml": WORD})}, zipfile.ZIP_STORED))
    raw[raw.index(b"Override")] ^= 1
    return bytes(raw)


def nested_tables(depth):
    return "<w:tbl><w:tr><w:tc>" * depth + said("x") + "</w:tc></w:tr></w:tbl>" * depth


def in_itself():
    content = SMALL["plan.docx"]
    for _ in range(50):
        content = packed({"word/document.xml": content}, zipfile.ZIP_STORED)
    return content


def looped_styles():
    each = "".join(f'<w:style w:styleId="s{n}"><w:basedOn w:val="s{(n + 1) % 9}"/></w:style>' for n in range(9))
    return docx('<w:p><w:pPr><w:pStyle w:val="s1"/></w:pPr><w:r><w:t>Words.</w:t></w:r></w:p>', styles=each)


ARCHIVES = {
    "zip bomb of words.docx": lambda: bomb(30, said("{}")),
    "zip bomb inside an attribute.docx": lambda: bomb(2, '<w:p w:x="{}"/>'),
    "archives in archives.docx": in_itself,
    "archive that says ten bytes.docx": lambda: lying(10),
    "archive that says four gigabytes.docx": lambda: lying(2**32 - 2),
    "many entries.docx": lambda: many_entries(5_000),
    "protected archive.docx": lambda: flagged(8, 1),
    "unknown packing.docx": lambda: flagged(10, 99),
    "wrong sum.docx": broken_sum,
    "packed by lzma.docx": lambda: packed(
        {"[Content_Types].xml": types(**{"word/document.xml": WORD}), "word/document.xml": "x"}, zipfile.ZIP_LZMA
    ),
    "names that lead out.docx": lambda: docx(
        said("Words."),
        **{
            "../../../../etc/passwd": "x",
            "/etc/passwd": "x",
            "word/_rels/document.xml.rels": relations(
                a=("styles", "../../../../../canary.txt"), b=("footnotes", "/canary.txt")
            ),
        },
    ),
    "billion laughs.docx": lambda: entities(10, 10, "&a9;"),
    "one long entity.docx": lambda: entities(1, 100_000, "&a0;" * 1_000),
    "entity of a file.docx": lambda: docx(document(said("&e;"), '<!DOCTYPE d [<!ENTITY e SYSTEM "canary.txt">]>')),
    "definition from outside.docx": lambda: docx(document(said("x"), '<!DOCTYPE d SYSTEM "http://127.0.0.1:9/d.dtd">')),
    "deep xml.docx": lambda: docx("<w:x>" * 100_000),
    "deep tables.docx": lambda: docx(nested_tables(200)),
    "many attributes.docx": lambda: docx("<w:p " + " ".join(f'a{n}=""' for n in range(100_000)) + "/>"),
    "half a document.docx": lambda: SMALL["plan.docx"][: len(SMALL["plan.docx"]) // 2],
    "xml that ends early.docx": lambda: docx(document("<w:p><w:r><w:t>Words")[:-30]),
    "xml of another coding.docx": lambda: docx(b"<?xml version='1.0' encoding='cp500'?><d/>"),
    "no xml.docx": lambda: docx(b"\0\1\2\3"),
    "a part that is missing.docx": lambda: packed({"[Content_Types].xml": types(**{"word/document.xml": WORD})}),
    "beginning of an archive.docx": lambda: b"PK\x03\x04" + b"\xff" * 1_000,
    "styles in a circle.docx": looped_styles,
}

# -- sheets and slides ---------------------------------------------------------------------


def far_cells(rows):
    return xlsx({"A": '<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>' * rows})


def slides_again(count):
    ids = "".join(f'<p:sldId id="{n}" r:id="r1"/>' for n in range(count))
    show = f'<p:presentation xmlns:p="x" xmlns:r="{R}"><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>'
    return pptx(shape("word " * 2_000), **{"ppt/presentation.xml": show})


def notes_of_themselves():
    loop = relations(n=("notesSlide", "slide1.xml"), m=("notesSlide", "../presentation.xml"))
    return pptx(shape("Words."), **{"ppt/slides/_rels/slide1.xml.rels": loop})


SHEETS = {
    "column beyond all.xlsx": lambda: xlsx({"A": '<row><c r="ZZZZZZZZZ1"><v>1</v></c></row>'}),
    "text that is not there.xlsx": lambda: xlsx({"A": ROW.format(7)}, strings=["a"]),
    "text before the first.xlsx": lambda: xlsx({"A": ROW.format(-1)}, strings=["a"]),
    "text of five thousand digits.xlsx": lambda: xlsx({"A": ROW.format("9" * 5_000)}, strings=["a"]),
    "long text a thousand times.xlsx": lambda: xlsx({"A": ROW.format(0) * 1_000}, strings=["word " * 100_000]),
    "cells far apart.xlsx": lambda: far_cells(5_000),
    "numbers that are none.xlsx": lambda: xlsx(
        {"A": "".join(f'<row><c s="1"><v>{n}</v></c></row>' for n in ("1e300", "-1", "nan", "inf", "1e999"))},
        styles='<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
    ),
    "columns without end.xlsx": lambda: xlsx(
        {"A": "<cols>" + "<col min='1' max='99999999999' hidden='1'/>" * 999 + "</cols>" + ROW.format(0)}, strings=["a"]
    ),
    "columns of words.xlsx": lambda: xlsx(
        {"A": '<cols><col min="x" hidden="1"/></cols>' + ROW.format(0)}, strings=["a"]
    ),
    "one slide ten thousand times.pptx": lambda: slides_again(10_000),
    "notes of themselves.pptx": notes_of_themselves,
    "no slides.pptx": pptx,
}

# -- PDF -----------------------------------------------------------------------------------

PAGE = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R >>"
CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"


def pages(stream_, count=1):
    kids = " ".join(f"{n + 4} 0 R" for n in range(count))
    tree = f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode()
    return objects([CATALOG, tree, stream_, *([PAGE] * count)])


def packed_again(times):
    """A stream that is unpacked several times over."""
    content = b"BT (x) Tj ET\n" * 1_000_000
    for _ in range(times):
        content = zlib.compress(content, 9)
    filters = " ".join(["/FlateDecode"] * times)
    return pages(f"<< /Length {len(content)} /Filter [{filters}] >>\nstream\n".encode() + content + b"\nendstream")


def drawn_in_itself():
    form = stream(b"/X Do", "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 3 0 R >> >>")
    page = PAGE.replace(b"/Contents 3 0 R", b"/Contents 5 0 R /Resources << /XObject << /X 3 0 R >> >>")
    tree = b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>"
    return objects([CATALOG, tree, form, page, stream(b"/X Do " * 100)])


def protected():
    codes = "/Filter /Standard /V 1 /R 2 /O <" + "28" * 32 + "> /U <" + "31" * 32 + "> /P -4"
    return pdf("Words.").replace(b"/Root 1 0 R", f"/Root 1 0 R /Encrypt << {codes} >> /ID [<00> <00>]".encode())


def acting():
    does = b"/OpenAction << /S /Launch /F (/bin/sh) >> /AA << /O << /S /JavaScript /JS (x) >> >>"
    parts = [b"<< /Type /Catalog /Pages 2 0 R " + does + b" >>", b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>"]
    return objects([*parts, stream(b"BT (x) Tj ET"), PAGE])


PDFS = {
    "stream of twenty megabytes.pdf": lambda: pages(stream(b"BT (x) Tj ET\n" * 1_600_000)),
    "many pages of one stream.pdf": lambda: pages(stream(b"q Q\n" * 500_000), 3_000),
    "stream unpacked five times.pdf": lambda: packed_again(5),
    "page tree in a circle.pdf": lambda: objects([CATALOG, b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>"]),
    "two billion pages.pdf": lambda: objects([CATALOG, b"<< /Type /Pages /Kids [] /Count 2000000000 >>"]),
    "catalogue of itself.pdf": lambda: objects([b"<< /Type /Catalog /Pages 1 0 R >>"]),
    "no catalogue.pdf": lambda: objects([b"<< >>"], root=9),
    "drawing of itself.pdf": drawn_in_itself,
    "deep lists.pdf": lambda: objects([CATALOG, b"[" * 500_000]),
    "half a document.pdf": lambda: SMALL["plan.pdf"][: len(SMALL["plan.pdf"]) // 2],
    "protected.pdf": protected,
    "acts when it is opened.pdf": acting,
    "beginning alone.pdf": lambda: b"%PDF-1.7\n" + b"1 0 obj << /Kids [1 0 R] >>" * 1_000,
    "list of places that lies.pdf": lambda: pdf("Words.").replace(b"startxref\n", b"startxref\n9999999999"),
    "page of no size.pdf": lambda: pdf("Words.").replace(b"[0 0 612 792]", b"[0 0 1e9 -1e9]"),
    "length that lies.pdf": lambda: pdf("Words.").replace(b"/Length ", b"/Length 99999999"),
}

# -- e-mail --------------------------------------------------------------------------------


def typed(kind, body, **more):
    return eml(body, **{"MIME-Version": "1.0", "Content-Type": kind, **more})


def nested(depth):
    parts = (f'--{n}\r\nContent-Type: multipart/mixed; boundary="{n + 1}"\r\n\r\n' for n in range(depth))
    return typed('multipart/mixed; boundary="0"', "".join(parts) + "words")


def attached(count):
    part = '--x\r\nContent-Type: application/pdf; name="a.pdf"\r\n\r\nx\r\n'
    return typed('multipart/mixed; boundary="x"', part * count)


MAILS = {
    "ten thousand parts in each other.eml": lambda: nested(10_000),
    "ten thousand attachments.eml": lambda: attached(10_000),
    "headers without end.eml": lambda: eml("x", **{f"X-{n}": "y" for n in range(50_000)}),
    "a subject of megabytes.eml": lambda: eml("x", subject="=?utf-8?q?a?= " * 200_000),
    "a header of brackets.eml": lambda: eml("x", To="(" * 100_000 + "<" * 100_000),
    "quoted-printable of signs.eml": lambda: typed(
        "text/plain", "=" * 3_000_000, **{"Content-Transfer-Encoding": "quoted-printable"}
    ),
    "base64 of rubbish.eml": lambda: typed("text/plain", "%$" * 100_000, **{"Content-Transfer-Encoding": "base64"}),
    "uuencoded rubbish.eml": lambda: typed(
        "text/plain", "begin 644 x\r\n~~~", **{"Content-Transfer-Encoding": "x-uuencode"}
    ),
    "unknown coding.eml": lambda: typed("text/plain; charset=../../canary", "Words."),
    "coding that unpacks.eml": lambda: typed("text/plain; charset=zlib", "Words."),
    "coding of names.eml": lambda: typed("text/plain; charset=punycode", "a-" + "b" * 20_000),
    "no boundary.eml": lambda: typed("multipart/mixed", "Words."),
    "boundary of signs.eml": lambda: typed('multipart/mixed; boundary="(a+)+$"', "--" + "a" * 50_000),
    "html in great depth.eml": lambda: typed("text/html", "<div hidden>" * 50_000),
    "zero bytes.eml": lambda: eml("wor\0ds"),
    "body from outside.eml": lambda: typed(
        "message/external-body; access-type=local-file; name=canary.txt", "Content-Type: text/plain\r\n\r\n"
    ),
    "no mail.eml": lambda: b"\xff\xfe\x00" * 1_000,
}

# -- text and names ------------------------------------------------------------------------

TEXTS = {
    "zero bytes.txt": lambda: b"wor\0ds",
    "not utf-8.txt": lambda: b"caf\xe9 \xff\xfa" * 100,
    "not utf-16.txt": lambda: b"\xff\xfe" + b"\x00\xd8" * 99 + b"x",
    "nothing.txt": lambda: b"",
    "nothing.pdf": lambda: b"",
    "nothing.eml": lambda: b"",
    "nothing to see.md": lambda: "\u200b\u202e\ufeff\U000e0041".encode() * 1_000,
    "great depth.html": lambda: b"<div hidden>" * 200_000,
    "open tags.html": lambda: b"<a " * 300_000,
    "a picture.pdf": lambda: b"\x89PNG\r\n\x1a\n" + bytes(100),
    "a text.docx": lambda: b"Just words.",
    "a page.pdf": lambda: b"<html>words</html>",
    "an old document.docx": lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512),
    "a text for a typewriter.txt": lambda: b"{\\rtf1 words}",
    "a document.pdf": lambda: SMALL["plan.docx"],
    "a print.docx": lambda: SMALL["plan.pdf"],
    "a document.txt": lambda: SMALL["plan.xlsx"],
    "old.doc": lambda: b"x",
    "open.odt": lambda: b"PK\x03\x04",
    "outlook.msg": lambda: b"\xd0\xcf\x11\xe0",
}

FILES = {**ARCHIVES, **SHEETS, **PDFS, **MAILS, **TEXTS}
AT_NIGHT = {
    "more characters than allowed.txt": lambda: b"a" * 20_000_001,
    "zip bomb of four hundred megabytes.docx": lambda: bomb(420, "<w:x>{}</w:x>"),
    "stream of 260 megabytes.pdf": lambda: pages(stream(b"BT (x) Tj ET\n" * 20_000_000)),
    "many pages of a large stream.pdf": lambda: pages(stream(b"q Q\n" * 2_000_000), 3_000),
    "two hundred thousand entries.docx": lambda: many_entries(200_000),
    "attribute of a hundred megabytes.docx": lambda: bomb(100, '<w:p w:x="{}"/>'),
    "a million cells far apart.xlsx": lambda: far_cells(500_000),
}
ODD = (
    "pipe.pdf",
    "device.pdf",
    "folder.pdf",
    "link to itself.docx",
    "socket.eml",
    "more bytes than allowed.pdf",
    "missing.pdf",
)
"""What is no regular file, or too long to be made."""


def laid(folder, name):
    """The file in a folder, beside another that nothing may read."""
    path, canary = folder / name, folder / "canary.txt"
    canary.write_text(CANARY)
    if name in ODD:
        _odd(path)
    else:
        made = (FILES.get(name) or AT_NIGHT[name])()
        path.write_bytes(made)
    return path


def _odd(path):
    match path.stem:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()
        case "link to itself":
            path.symlink_to(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as bound:
                bound.bind(str(path))
        case "more bytes than allowed":
            with path.open("wb") as out:
                out.write(b"%PDF-1.7")
                out.truncate(120_000_001)
        case _:
            pass
