"""Words for next, previous, first, last and page in many languages, as pagers have them.

Labels are compared without arrows, punctuation and numbers, in lower case. A word stands for a whole
label, or begins one that goes on with the word for a page, an entry, a result.
"""

import re

from gossamer.core.word_sets import word_set

NEXT = frozenset(
    """
    next|next page|next pg|next >|nxt|forward|forwards|continue|continued|continue reading|go to next page|
    more|more results|load more|show more|view more|see more|more posts|more articles|more news|more items|
    more stories|next results|next set|next entries|next posts|next articles|next items|older|older posts|
    older entries|older articles|older stories|older news|older comments|older topics|previous years|
    next items|view next|następna|następna strona|następne|następny|dalej|starsze|starsze posty|
    starsze wpisy|weiter|weiter >|nächsten|nächste|nächste seite|naechste|naechste seite|nächster|
    nächstes|vor|vorwärts|
    ältere beiträge|ältere einträge|ältere artikel|mehr|mehr laden|mehr anzeigen|weitere|
    suivant|suivante|suivants|suivantes|page suivante|la suite|suite|articles précédents|plus anciens|
    voir plus|charger plus|articles plus anciens|anciens articles|messages plus anciens|
    siguiente|siguientes|página siguiente|pagina siguiente|próxima|próximo|proxima|proximo|adelante|sig|
    entradas antiguas|entradas anteriores|más|ver más|mostrar más|cargar más|más antiguos|
    próxima página|proxima pagina|seguinte|seguintes|página seguinte|avançar|mais|carregar mais|ver mais|
    postagens mais antigas|mensagens antigas|postagens antigas|publicações mais antigas|
    successiva|successivo|successive|successivi|pagina successiva|avanti|prossima|prossimo|prossima pagina|
    seguente|articoli precedenti|post più vecchi|più vecchi|altro|mostra altri|carica altro|
    volgende|volgende pagina|vorige berichten|oudere berichten|oudere|meer|meer laden|
    далее|дальше|следующая|следующая страница|следующие|следующий|след|след.|вперед|вперёд|ещё|еще|
    показать ещё|показать еще|загрузить еще|старые записи|более старые|предыдущие записи|
    наступна|наступна сторінка|далі|вперед|наступні|следваща|следваща страница|напред|
    nästa|nästa sida|äldre inlägg|äldre|fler|visa fler|neste|neste side|eldre innlegg|eldre|
    næste|næste side|ældre indlæg|ældre|seuraava|seuraava sivu|vanhemmat|vanhemmat artikkelit|lisää|
    další|následující|další stránka|starší|starší příspěvky|ďalšia|ďalej|ďalší|nasledujúca|ďalšia strana|
    következő|következő oldal|tovább|régebbi|régebbi bejegyzések|următoarea|următorul|următor|înainte|
    pagina următoare|articole mai vechi|sljedeća|sljedeća stranica|sljedeće|dalje|naslednja|naslednja stran|
    sledeća|sledeća strana|следећа|следна|järgmine|edasi|nākamā|nākošā|nākamais|tālāk|kitas|kitas puslapis|
    toliau|sonraki|sonraki sayfa|ileri|daha eski|eski yazılar|daha fazla|
    επόμενη|επόμενο|επόμενη σελίδα|επόμενα|παλαιότερα|παλαιότερες αναρτήσεις|הבא|הבאה|לעמוד הבא|
    التالي|التالية|الصفحة التالية|القادم|الأقدم|رسائل أقدم|المزيد|بعدی|صفحه بعد|صفحه بعدی|قدیمی تر|
    اگلا|अगला|अगला पृष्ठ|পরবর্তী|அடுத்த|下一页|下一頁|下页|下頁|下一个|后一页|下一章|後一頁|更多|加载更多|
    次へ|次のページ|次ページ|次|次の|次頁|次の20件|もっと見る|続きを読む|다음|다음 페이지|다음페이지|더보기|
    ถัดไป|หน้าถัดไป|ต่อไป|tiếp|trang sau|sau|tiếp theo|trang tiếp|cũ hơn|bài đăng cũ hơn|xem thêm|
    berikutnya|selanjutnya|lanjut|halaman berikutnya|posting lama|lebih lama|seterusnya|següent|seqüent|
    hurrengoa|seguinte páxina|susunod|tjetra|näytä lisää|næsta|næsta síða|següent|sekvanta
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
PREVIOUS = frozenset(
    """
    previous|previous page|prev|prev page|prev.|previous pg|back|go back|go to previous page|backward|
    previous results|previous set|previous entries|previous posts|previous articles|previous items|
    newer|newer posts|newer entries|newer articles|newer stories|newer news|newer comments|newer topics|
    poprzednia|poprzednia strona|poprzednie|poprzedni|wstecz|wróć|nowsze|nowsze posty|nowsze wpisy|
    zurück|zurueck|vorherigen|vorherige|vorherige seite|vorheriger|vorige|vorige seite|voriger|neuere
    beiträge|
    neuere einträge|neuere artikel|
    précédent|précédente|précédents|précédentes|page précédente|precedent|retour|articles suivants|
    plus récents|articles plus récents|messages plus récents|
    anterior|anteriores|página anterior|pagina anterior|atrás|ant|entradas más recientes|más recientes|
    entradas siguientes|voltar|postagens mais recentes|mensagens mais recentes|
    precedente|precedenti|pagina precedente|indietro|post più recenti|più recenti|articoli successivi|
    vorige pagina|terug|nieuwere berichten|nieuwere|vorig|
    назад|предыдущая|предыдущая страница|предыдущие|предыдущий|пред|пред.|новые записи|более новые|
    следующие записи|попередня|попередня сторінка|попередні|предишна|предишна страница|
    föregående|föregående sida|tidigare|bakåt|nyare inlägg|nyare|forrige|forrige side|nyere innlegg|nyere|
    tilbake|tilbage|nyere indlæg|edellinen|edellinen sivu|takaisin|uudemmat|uudemmat artikkelit|
    předchozí|předchozí stránka|novější|novější příspěvky|zpět|predchádzajúca|predošlá|predchádzajúci|späť|
    előző|előző oldal|vissza|újabb|újabb bejegyzések|anterioară|precedenta|precedentă|înapoi|
    pagina anterioară|prethodna|prethodna stranica|prethodne|natrag|prejšnja|prejšnja stran|nazaj|
    претходна|eelmine|tagasi|iepriekšējā|iepriekšējais|atpakaļ|ankstesnis|ankstesnis puslapis|atgal|
    önceki|önceki sayfa|geri|daha yeni|yeni yazılar|
    προηγούμενη|προηγούμενο|προηγούμενη σελίδα|προηγούμενα|νεότερα|νεότερες αναρτήσεις|הקודם|הקודמת|
    لעמוד הקודם|السابق|السابقة|الصفحة السابقة|الأحدث|رسائل أحدث|قبلی|صفحه قبل|صفحه قبلی|جدیدتر|
    پچھلا|पिछला|पिछला पृष्ठ|পূর্ববর্তী|முந்தைய|上一页|上一頁|上页|上頁|上一个|前一页|上一章|前一頁|
    前へ|前のページ|前ページ|前|前の|前頁|戻る|이전|이전 페이지|이전페이지|
    ก่อนหน้า|หน้าก่อนหน้า|ย้อนกลับ|trước|trang trước|mới hơn|bài đăng mới hơn|
    sebelumnya|halaman sebelumnya|posting lebih baru|lebih baru|kembali|anteriors|aurrekoa|nakaraan|
    fyrri|fyrri síða
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
FIRST = frozenset(
    """
    first|first page|start|begin|beginning|erste|ersten|erste seite|anfang|zum anfang|première|premier|début|
    première page|primera|primero|primera página|inicio|primeira|primeiro|primeira página|início|prima|primo|
    prima pagina|inizio|eerste|eerste pagina|первая|первая страница|начало|к началу|в начало|начало|
    перша|pierwsza|
    pierwsza strona|első|první|prvá|prima pagină|prva|esimene|pirmā|pirmas|ilk|ilk sayfa|πρώτη|ראשון|
    الأولى|الأول|نخست|اولین|صفحه اول|首页|首頁|第一页|第一頁|最初|最初のページ|最初へ|先頭|처음|맨앞|
    หน้าแรก|đầu|trang đầu|pertama|awal|första|första sidan|første|ensimmäinen|primer
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
LAST = frozenset(
    """
    last|last page|end|letzte|letzten|letzte seite|ende|zum ende|dernière|dernier|fin|dernière page|
    última|último|
    última página|ultima|ultimo|ultima pagina|final|fine|laatste|laatste pagina|последняя|
    последняя страница|в конец|конец|остання|ostatnia|ostatnia strona|utolsó|poslední|posledná|ultima pagină|
    zadnja|posljednja|poslednja|viimane|pēdējā|paskutinis|son|son sayfa|τελευταία|אחרון|الأخيرة|الأخير|
    آخر|آخرین|صفحه آخر|末页|末頁|尾页|尾頁|最后一页|最後|最後へ|最後のページ|마지막|맨끝|맨뒤|
    หน้าสุดท้าย|cuối|trang cuối|terakhir|akhir|sista|sista sidan|siste|sidste|viimeinen|darrer|darrera
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
PAGE_WORDS = re.compile(
    r"^(?:go to |goto |zu |ir a la |aller à la |vai alla )?(?:page|pages|pág(?:ina)?|pagina|pag|seite|sivu|"
    r"sida|side|strona|stránka|strana|stran|stranica|oldal|trang|halaman|hal|sayfa|стр(?:аница)?|сторінка|"
    r"страница|lapa|puslapis|lehekülg|σελίδα|صفحة|صفحه|第|p|n°|nr|#)(?=[\s.:#]|\d|$)",
    re.IGNORECASE,
)
_AROUND = re.compile(r"[\s\W\d_]+", re.UNICODE)
FORWARD = frozenset("»›>→▶►⇒⟩≫❯➔➜⟶⇨▸➤➞»⏩⏭⮕⯈ᐳ▷")
BACKWARD = frozenset("«‹<←◀◄⇐⟨≪❮⟵⇦◂⏪⏮⬅⯇ᐸ◁")


def plain_label(text: str) -> str:
    """A label without arrows, numbers and punctuation around it, in lower case.

    >>> plain_label("Next page (2) »")
    'next page'
    """
    return " ".join(_AROUND.sub(" ", text.lower()).split())


def _known(words: frozenset[str]) -> frozenset[str]:
    return frozenset(plain_label(one) for one in words) - {""}


_KINDS = (
    ("first", _known(FIRST)),
    ("last", _known(LAST)),
    ("previous", _known(PREVIOUS)),
    ("next", _known(NEXT)),
)


_NOUNS = word_set(
    "page pages pg seite seiten página pagina páginas pág pag sivu sida sidan side siden "
    "strona strony stránka strana stran stranica strane oldal trang halaman hal sayfa стр "
    "страница страницу страницы сторінка lapa puslapis lehekülg σελίδα صفحه صفحة الصفحة ページ "
    "페이지 หน้า results result entries posts articles items topics threads comments messages "
    "news stories products records hits beiträge einträge artikel ergebnisse treffer themen "
    "résultats articles messages sujets entradas resultados artículos noticias temas "
    "postagens risultati articoli notizie результаты записи темы сообщения товары новости "
    "resultaten berichten wyniki wpisy tematy to the go zur zu der die das la le les el los a "
    "à il"
)


def named_kind(text: str) -> str:
    """The kind of link that a label names: first, last, previous, next, or none.

    >>> named_kind("« Zurück"), named_kind("Next entries »"), named_kind("Imprint")
    ('previous', 'next', '')
    """
    first = re.split(r"\s[-–—:|(]\s?|[:(]", text.strip(), maxsplit=1)[0]
    for piece in dict.fromkeys((text, first)):
        label = plain_label(piece)
        if not label or len(label) > 40:
            continue
        without = " ".join(one for one in label.split() if one not in _NOUNS)
        for kind, words in _KINDS:
            if label in words or without in words:
                return kind
    return ""


def arrow_kind(text: str) -> str:
    """The direction of the arrows in a label: forward or backward, doubled or not.

    >>> arrow_kind(">>"), arrow_kind("‹ Older"), arrow_kind("a")
    ('forward2', 'backward', '')
    """
    forward = sum(1 for one in text if one in FORWARD)
    backward = sum(1 for one in text if one in BACKWARD)
    if bool(forward) == bool(backward):
        return ""
    number = forward or backward
    return ("forward" if forward else "backward") + ("2" if number > 1 or "|" in text else "")
