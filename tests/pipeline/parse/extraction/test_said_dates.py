"""Dates of publication that pages say in words."""

from datetime import UTC, datetime
from random import Random

import pytest
from msgspec.structs import replace

from gossamer.core.records import Document
from gossamer.pipeline.parse.extraction import read_page
from gossamer.pipeline.parse.extraction.said_dates import (
    _SAYING,
    find_dateline,
    find_said_date,
    said_words,
)
from tests.pipeline.parse.parse_pages import page_of

DAY = datetime(2023, 2, 15, tzinfo=UTC)
TEA = "Tea is hot, and it is good for you" + ", and for me" * 10 + "."


def published(body: str) -> datetime | None:
    return read_page(Document(replace(page_of(body), started=1.7e9))).published


@pytest.mark.parametrize(
    "text",
    [
        "Published on February 15, 2023", "Posted: 15.02.2023", "First published 15 February 2023",
        "Veröffentlicht am Mittwoch, den 15. Februar 2023", "Veröffentlichungsdatum: 15.02.2023",
        "Publié le 15 février 2023", "Date de publication : 15/02/2023",
        "• Mise en ligne\n\n      15 février 2023",
        "Fecha de publicación: 15/02/2023", "Publicado em 15 de fevereiro de 2023",
        "Pubblicato il 15 febbraio 2023",
        "Data di pubblicazione: 15 febbraio 2023", "Gepubliceerd op 15 februari 2023",
        "Publicerad 15 februari 2023",
        "Publisert 15. februar 2023", "Offentliggjort den 15. februar 2023", "Julkaistu 15.2.2023",
        "Data publikacji: 15.02.2023", "Publikováno 15. února 2023", "Zveřejněno dne 15. února 2023",
        "Опубликовано 15 февраля 2023", "Дата публікації: 15 лютого 2023", "Publicat 15 februarie 2023",
        "Megjelent: 2023. február 15.", "Yayınlanma Tarihi: 15 Şubat 2023",
        "Δημοσιεύθηκε: 15 Φεβρουαρίου 2023",
        "Diterbitkan 15 Februari 2023", "发布时间：2023年2月15日", "投稿日：2023年2月15日",
        "등록일 2023년 2월 15일",
        "Datum:\n15.02.2023\nAutor:\nAnn", "Fecha: 15/02/2023", "日期：2023-02-15",
        "Der Artikel \"Tee\" wurde am 15.02.2023 in Getränke von Ann veröffentlicht.",
    ],
)  # fmt: skip
def test_a_day_is_said(text: str) -> None:
    assert find_said_date(text, "", True) == DAY.timestamp()


@pytest.mark.parametrize(
    "text",
    [
        "It was on February 15, 2023", "Published on 15 February 2023\nPublished on 16 February 2023",
        "Date: 15.02.2023\nVenue: Vienna", "Datum: 15.02.2023\nUhrzeit: 19:30", "The update: 15.02.2023",
        "Der Krieg wurde am 15.02.2023 beendet.", "Copyright: 15.02.2023", "Data: 15 of 2023",
        "Published in 2023",
        "Das Gesetz wurde am 15.02.2023 veröffentlicht.",
    ],
)  # fmt: skip
def test_no_day_is_said(text: str) -> None:
    assert find_said_date(text, "", True) is None


@pytest.mark.parametrize(
    "begin",
    [
        "VIENNA, Feb. 15, 2023 /Newswire/ -- ", "Wien, 15. Februar 2023 – ", "Berlin, den 15.02.2023 - ",
        "WASHINGTON, D.C., February 15, 2023 (Wire) ", "(15. Februar 2023) ", "15. Februar 2023. ",
        "15.02.2023: ",
        "São Paulo, 15 de fevereiro de 2023 – ", "(Wien, 15.02.2023) ",
    ],
)  # fmt: skip
def test_an_article_begins_with_its_day(begin: str) -> None:
    assert find_dateline(f"Tea\nBy Ann\n{begin}{TEA}\n{TEA}") == DAY.timestamp()
    assert published(f"<h1>Tea</h1><p>By Ann</p><p>{begin}{TEA}</p><p>{TEA}</p>") == DAY


@pytest.mark.parametrize(
    "begin",
    [
        "On 15 February 2023 ", "15.02.2023 - 17.02.2023: ", "15 February 2023 was cold. ",
        "At noon on 15.02.2023: ",
        "Ann was born in Vienna, 15 February 2023. ", "Born on Monday, 15 February 2023. ", "In 2023 – ",
    ],
)  # fmt: skip
def test_an_article_begins_with_another_day(begin: str) -> None:
    assert find_dateline(f"{begin}{TEA}\n15.02.2023 – {TEA}") is None
    assert published(f"<h1>Tea</h1><p>{begin}{TEA}</p><p>{TEA}</p>") is None


def test_data_for_scripts_names_the_day_of_publication() -> None:
    data = (
        '<h1>Tea</h1><p>Hot.<script>a = {"publicationDate": "2023-02-15T14:27:32+01:00"%s}</script>'
    )
    day = datetime(2023, 2, 15, 13, 27, 32, tzinfo=UTC)
    assert published(data % "") == day
    assert published(data % ', "publicationDate": "2023-02-15T23:00:00+01:00"') == day
    assert published(data % ', "teaser": {"publishedAt": "2023-01-01"}') is None
    assert published(data.replace("publication", "expiry") % "") is None
    assert published(data.replace("2023", "2090") % "") is None


def test_the_language_of_a_text_says_which_number_is_the_day() -> None:
    text = (
        "El té es una bebida que se toma caliente o fría en todo el mundo desde hace muchos siglos. Las "
        "hojas vienen de una planta que crece en las montañas, donde llueve mucho y el sol no quema. Se "
        "recogen a mano, se dejan secar y se guardan en cajas de madera, para que no pierdan su aroma."
    )
    said = f"<h1>El té</h1><p>{text}</p><p>Publicado: 02/03/2023</p>"
    assert published(said) == datetime(2023, 3, 2, tzinfo=UTC)
    assert published(f"<html lang=es>{said}") == datetime(2023, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    "piece",
    ["published on 1", "date: ", "der artikel wurde am ", '{"publishedAt": "', "a, ", "1. mai "],
)
def test_much_that_is_no_day(piece: str) -> None:
    text = piece * 20_000
    assert find_said_date(text) is None
    assert find_dateline(text) is None
    assert published(f"<script>{text}</script><h1>Tea</h1>{text}") is None


def test_all_words_are_found_at_once() -> None:
    """Also those that hold each other, begin within each other, or stand twice."""
    draw = Random(7)
    for _ in range(300):
        text = draw.choice(["", " ", "x"]).join(draw.choices(_SAYING, k=draw.randrange(6)))
        cut = text[draw.randrange(3) : len(text) - draw.randrange(3)]
        assert sorted(said_words(cut)) == sorted(word for word in _SAYING if word in cut)


def test_a_word_that_is_common_counts_with_the_next_one_only() -> None:
    assert find_said_date("Paru le 15 février 2023") == DAY.timestamp()
    assert find_said_date("Paru 15 février 2023") is None
