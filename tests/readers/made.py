"""Small real files for tests of readers: PDF byte by byte, office documents as archives, e-mail as it is sent."""

import zipfile
import zlib
from io import BytesIO

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
MAIN = "application/vnd.openxmlformats-officedocument.{}.main+xml"
WORD = MAIN.format("wordprocessingml.document")
SHOW = MAIN.format("presentationml.presentation")
BOOK = MAIN.format("spreadsheetml.sheet")


def packed(parts, method=zipfile.ZIP_DEFLATED):
    """An archive of these parts."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, words in parts.items():
            archive.writestr(name, words)
    return out.getvalue()


def types(**parts):
    each = "".join(f'<Override PartName="/{name}" ContentType="{kind}"/>' for name, kind in parts.items())
    return f'<Types xmlns="{TYPES}">{each}</Types>'


def relations(**targets):
    each = (
        f'<Relationship Id="{name}" Type="{R}/{kind}" Target="{target}"/>' for name, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{RELATIONS}">{"".join(each)}</Relationships>'


# -- PDF -----------------------------------------------------------------------------------


def objects(parts, root=1, extra=""):
    """A PDF of these objects, the first of which has number 1."""
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + part + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(parts) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    out += f"trailer << /Size {len(parts) + 1} /Root {root} 0 R {extra} >>\nstartxref\n{start}\n%%EOF".encode()
    return bytes(out)


def stream(content, facts=""):
    small = zlib.compress(content, 9)
    return f"<< /Length {len(small)} /Filter /FlateDecode {facts} >>\nstream\n".encode() + small + b"\nendstream"


def pdf(*pages, extra=b""):
    """A PDF whose pages show these lines."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for n, page in enumerate(pages):
        facts = "/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>"
        parts.append(f"<< /Type /Page /Parent 2 0 R {facts} /Contents {5 + 2 * n} 0 R >>".encode())
        parts.append(stream(shown(page) + extra))
    return objects(parts)


def shown(page):
    lines = (line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") for line in page.split("\n"))
    return ("BT /F1 11 Tf 72 720 Td 14 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET").encode("cp1252")


# -- office documents ----------------------------------------------------------------------


def docx(body, *, styles="", footnotes="", **more):
    """A Word document with this XML in its body."""
    related = {}
    if styles:
        related["s"] = ("styles", "styles.xml")
        more["word/styles.xml"] = f'<w:styles xmlns:w="{W}">{styles}</w:styles>'
    if footnotes:
        related["f"] = ("footnotes", "footnotes.xml")
        more["word/footnotes.xml"] = f'<w:footnotes xmlns:w="{W}">{footnotes}</w:footnotes>'
    document = body if isinstance(body, bytes) else f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>'
    return packed(
        {
            "[Content_Types].xml": types(**{"word/document.xml": WORD}),
            "word/_rels/document.xml.rels": relations(**related),
            "word/document.xml": document,
            **more,
        }
    )


def paragraph(*runs):
    return f"<w:p>{''.join(run if run.startswith('<') else f'<w:r><w:t>{run}</w:t></w:r>' for run in runs)}</w:p>"


def pptx(*slides, notes=None, **more):
    """A show of these slides, each the XML of its shapes; `notes` by the number of their slide."""
    parts, related = {}, {}
    for number, shapes in enumerate(slides, 1):
        # Names of parts say nothing about their order.
        name = f"slide{len(slides) - number + 1}"
        related[f"r{number}"] = ("slide", f"slides/{name}.xml")
        parts[f"ppt/slides/{name}.xml"] = slide(shapes)
        if notes and number in notes:
            parts[f"ppt/slides/_rels/{name}.xml.rels"] = relations(n=("notesSlide", f"../notesSlides/{name}.xml"))
            parts[f"ppt/notesSlides/{name}.xml"] = slide(notes[number], "notes")
    ids = "".join(f'<p:sldId id="{n}" r:id="r{n}"/>' for n in range(1, len(slides) + 1))
    show = f'<p:presentation xmlns:p="{P}" xmlns:r="{R}"><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>'
    return packed(
        {
            "[Content_Types].xml": types(**{"ppt/presentation.xml": SHOW}),
            "ppt/presentation.xml": show,
            "ppt/_rels/presentation.xml.rels": relations(**related),
            **parts,
            **more,
        }
    )


def slide(shapes, kind="sld"):
    hidden = ' show="0"' if "HIDDEN" in shapes else ""
    tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
    return f'<p:{kind} xmlns:p="{P}" xmlns:a="{A}"{hidden}>{tree}</p:{kind}>'


def shape(*lines, placeholder="", hidden=""):
    ph = f'<p:ph type="{placeholder}"/>' if placeholder else ""
    about = f'<p:nvSpPr><p:cNvPr id="1" name="x"{hidden}/><p:nvPr>{ph}</p:nvPr></p:nvSpPr>'
    each = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
    return f"<p:sp>{about}<p:txBody>{each}</p:txBody></p:sp>"


def xlsx(sheets, *, strings=(), styles="", states=None, **more):
    """A workbook of these sheets, by name, each the XML of its rows."""
    parts, related, listed = {}, {}, []
    for number, (name, rows) in enumerate(sheets.items(), 1):
        related[f"r{number}"] = ("worksheet", f"/xl/worksheets/s{number}.xml")
        head, _, data = rows.rpartition("</cols>")
        cols = f"{head}</cols>" if head else ""
        parts[f"xl/worksheets/s{number}.xml"] = (
            f'<worksheet xmlns="{S}">{cols}<sheetData>{data}</sheetData></worksheet>'
        )
        state = (states or {}).get(name, "visible")
        listed.append(f'<sheet name="{name}" sheetId="{number}" state="{state}" r:id="r{number}"/>')
    if strings:
        related["t"] = ("sharedStrings", "sharedStrings.xml")
        each = "".join(f"<si>{one if one.startswith('<') else f'<t>{one}</t>'}</si>" for one in strings)
        parts["xl/sharedStrings.xml"] = f'<sst xmlns="{S}">{each}</sst>'
    if styles:
        related["s"] = ("styles", "styles.xml")
        parts["xl/styles.xml"] = f'<styleSheet xmlns="{S}">{styles}</styleSheet>'
    return packed(
        {
            "[Content_Types].xml": types(**{"xl/workbook.xml": BOOK}),
            "xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="{R}"><sheets>{"".join(listed)}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(**related),
            **parts,
            **more,
        }
    )


# -- e-mail --------------------------------------------------------------------------------


def eml(body, *, subject="Night buses", **headers):
    """An e-mail of one text."""
    given = {"From": "Ada <ada@localhost>", "To": "ben@localhost", "Subject": subject, **headers}
    return "".join(f"{name}: {words}\r\n" for name, words in given.items()).encode() + b"\r\n" + body.encode()


SMALL = {
    "plan.pdf": pdf("Night buses\nThe last bus leaves at two.", "It costs 400,000 a year."),
    "plan.docx": docx(paragraph("Night buses") + paragraph("The last bus leaves at two.")),
    "plan.pptx": pptx(
        shape("Night buses"), shape("It costs 400,000 a year."), notes={1: shape("Smile.", placeholder="body")}
    ),
    "plan.xlsx": xlsx({"Costs": '<row><c t="s"><v>0</v></c><c><v>400000</v></c></row>'}, strings=["Night buses"]),
    "plan.eml": eml("The last bus leaves at two.\r\n"),
}
"""One of each format, as small as it gets."""
