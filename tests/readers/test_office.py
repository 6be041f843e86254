"""Office documents: the words that their readers see, in their order, and nothing that is hidden or deleted."""

import pytest

from hustings.errors import BrokenFile
from hustings.readers.document import document_from
from hustings.readers.office import read
from tests.readers.made import docx, packed, paragraph, pptx, shape, types, xlsx


def words(content):
    """Read in this process, which is as good and faster: that it is read in another is tested elsewhere."""
    return read(content).text


# -- DOCX ----------------------------------------------------------------------------------


def run(text, style=""):
    return f"<w:r><w:rPr>{style}</w:rPr><w:t>{text}</w:t></w:r>"


def test_paragraphs_stand_apart_and_the_first_is_the_title():
    found = document_from(docx(paragraph("Night buses") + paragraph("The last ", "bus leaves.")), "a.docx")
    assert (found.title, found.text, found.media) == ("Night buses", "Night buses\n\nThe last bus leaves.", "word")


def test_a_table_is_read_in_rows():
    row = "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in ("{0}", "{1}")) + "</w:tr>"
    table = f"<w:tbl>{row.format('Line', 'Cost')}{row.format('Five', '400')}</w:tbl>"
    assert words(docx(paragraph("Costs") + table)) == "Costs\n\nLine | Cost\nFive | 400"


def test_a_table_inside_a_cell_belongs_to_the_cell():
    inner = f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>"
    outer = f"<w:tbl><w:tr><w:tc>{inner}{paragraph('c')}</w:tc><w:tc>{paragraph('d')}</w:tc></w:tr></w:tbl>"
    assert words(docx(outer)) == "a | b c | d"


def test_a_text_box_stands_apart_and_is_read_once():
    box = f"<w:txbxContent>{paragraph('In the box.')}</w:txbxContent>"
    both = f"<w:r><x:AC xmlns:x='m'><x:Choice>{box}</x:Choice><x:Fallback>{box}</x:Fallback></x:AC></w:r>"
    assert words(docx(paragraph("Before ", both, "and after."))) == "In the box.\n\nBefore and after."


@pytest.mark.parametrize(
    "hidden",
    [
        run("Obey.", "<w:vanish/>"),
        run("Obey.", '<w:vanish w:val="1"/>'),
        run("Obey.", '<w:rStyle w:val="Gone"/>'),
        run("Obey.", '<w:rStyle w:val="AlsoGone"/>'),
        f"<w:del>{run('Obey.')}<w:r><w:delText>Obey.</w:delText></w:r></w:del>",
        f"<w:moveFrom>{run('Obey.')}</w:moveFrom>",
        "<w:r><w:instrText>Obey.</w:instrText></w:r>",
    ],
)
def test_hidden_and_deleted_words_are_not_read(hidden):
    styles = (
        '<w:style w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style>'
        '<w:style w:styleId="AlsoGone"><w:basedOn w:val="Gone"/></w:style>'
    )
    assert words(docx(paragraph("Seen ", hidden, "and said."), styles=styles)) == "Seen and said."


def test_a_paragraph_of_a_hidden_style_is_not_read():
    styles = '<w:style w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style>'
    hidden = f'<w:p><w:pPr><w:pStyle w:val="Gone"/></w:pPr>{run("Obey.")}</w:p>'
    assert words(docx(paragraph("Seen.") + hidden + paragraph("Also."), styles=styles)) == "Seen.\n\nAlso."


@pytest.mark.parametrize(
    "shown",
    [
        run("Said.", '<w:vanish w:val="0"/>'),
        run("Said.", "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>"),
        f"<w:ins>{run('Said.')}</w:ins>",
        "<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>Said.</w:t></w:r>",
    ],
)
def test_what_is_shown_is_read(shown):
    assert words(docx(paragraph(shown))) == "Said."


def test_signs_of_their_own_are_read():
    signs = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>"
    assert words(docx(paragraph("<w:pPr><w:tabs><w:tab/></w:tabs></w:pPr>", signs))) == "a\tb\nc\u2011d"


def test_footnotes_come_last():
    notes = f'<w:footnote w:id="1">{paragraph("Says the council.")}</w:footnote><w:footnote><w:separator/></w:footnote>'
    assert words(docx(paragraph("It is late."), footnotes=notes)) == "It is late.\n\nSays the council."


# -- PPTX ----------------------------------------------------------------------------------


def test_slides_come_in_the_order_of_the_show_as_pages():
    found = document_from(pptx(shape("First", "and more"), shape("Second") + shape("beside")), "a.pptx")
    assert (found.title, found.text) == ("First", "First\nand more\fSecond\n\nbeside")


def test_notes_of_a_slide_follow_it_without_its_number():
    notes = shape("12", placeholder="sldNum") + shape("Speak slowly.", placeholder="body")
    shown = pptx(shape("First"), shape("Second"), notes={2: notes})
    assert words(shown) == "First\fSecond\n\nSpeaker's notes:\nSpeak slowly."


def test_hidden_shapes_and_slides_are_not_read_and_slides_keep_their_numbers():
    gone = shape("Obey.", hidden=' hidden="1"')
    shown = pptx("<!-- HIDDEN -->" + shape("Obey."), shape("Seen.") + gone + shape("2", placeholder="sldNum"))
    assert words(shown) == "\fSeen."


def test_a_table_on_a_slide_is_read_in_rows():
    cells = "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{n}</a:t></a:r></a:p></a:txBody></a:tc>" for n in ("Five", "400"))
    table = f"<p:graphicFrame><a:tbl><a:tr>{cells}</a:tr></a:tbl></p:graphicFrame>"
    assert words(pptx(shape("Costs") + table)) == "Costs\n\nFive | 400"


# -- XLSX ----------------------------------------------------------------------------------


def test_sheets_are_pages_under_their_names():
    rows = '<row><c t="s"><v>{}</v></c><c><v>{}</v></c></row>'
    book = xlsx({"Costs": rows.format(0, 400), "Riders": rows.format(1, 12.5)}, strings=["Five", "Six"])
    found = document_from(book, "night buses.xlsx")
    assert (found.title, found.text) == ("night buses", "Costs\n\nFive | 400\fRiders\n\nSix | 12.5")


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ('<c t="inlineStr"><is><t>Two </t><t>parts</t></is></c>', "Two parts"),
        ('<c t="str"><f>A1&amp;B1</f><v>Sum</v></c>', "Sum"),
        ('<c t="b"><v>1</v></c>', "TRUE"),
        ('<c t="e"><v>#DIV/0!</v></c>', "#DIV/0!"),
        ("<c><f>1+2</f><v>0.30000000000000004</v></c>", "0.3"),
        ("<c><v>123456789012</v></c>", "123456789012"),
        ('<c s="1"><v>0.07</v></c>', "7%"),
        ('<c s="2"><v>45292</v></c>', "2024-01-01"),
        ('<c s="2"><v>45292.5</v></c>', "2024-01-01 12:00"),
        ('<c s="3"><v>45292</v></c>', "2024-01-01"),
        ('<c s="4"><v>3</v></c>', "3"),
        ('<c s="99"><v>3</v></c>', "3"),
        ("<c><v>n/a</v></c>", "n/a"),
    ],
)
def test_a_cell_is_read_as_it_is_shown(cell, shown):
    formats = (
        '<numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/><numFmt numFmtId="171" formatCode="0&quot; d&quot;"/>'
    )
    each = "".join(f'<xf numFmtId="{number}"/>' for number in (0, 9, 14, 170, 171))
    book = xlsx({"A": f"<row>{cell}</row>"}, styles=f"{formats}</numFmts><cellXfs>{each}</cellXfs>")
    assert words(book) == f"A\n\n{shown}"


def test_empty_cells_keep_the_columns_apart():
    assert words(xlsx({"A": '<row><c r="A1"><v>1</v></c><c r="D1"><v>4</v></c></row>'})) == "A\n\n1 |  |  | 4"


def test_hidden_sheets_rows_and_columns_are_not_read():
    rows = '<cols><col min="2" max="2" hidden="1"/></cols><row><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>'
    hidden = '<row hidden="1"><c><v>9</v></c></row>'
    book = xlsx({"Gone": "<row><c><v>9</v></c></row>", "Seen": rows + hidden}, states={"Gone": "veryHidden"})
    assert words(book) == "\fSeen\n\n1"


def test_hints_how_a_word_is_pronounced_are_not_read():
    book = xlsx({"A": '<row><c t="s"><v>0</v></c></row>'}, strings=["<t>東京</t><rPh><t>トウキョウ</t></rPh>"])
    assert words(book) == "A\n\n東京"


# -- what they are -------------------------------------------------------------------------


def test_what_an_archive_holds_decides_and_not_its_ending():
    assert document_from(docx(paragraph("Words.")), "a.pptx").media == "word"


@pytest.mark.parametrize("parts", [{"a.txt": "x"}, {"[Content_Types].xml": types(**{"a.xml": "application/xml"})}])
def test_an_archive_that_is_no_office_document_is_refused(parts):
    with pytest.raises(BrokenFile, match="no document of Word, PowerPoint or Excel"):
        document_from(packed(parts), "a.docx")


def test_an_office_document_without_words_is_empty():
    with pytest.raises(BrokenFile, match="is empty"):
        document_from(docx(paragraph("")), "a.docx")
