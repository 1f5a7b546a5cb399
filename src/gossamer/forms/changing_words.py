"""Words of buttons, addresses and operations that speak of a change, and words of buttons that do not.

Neither list can be whole: a button with words is trusted only if it speaks of searching or says nothing
(`says_nothing`); the words of a change are for those that speak of both, as `Save search`.
"""

from collections.abc import Iterable

from gossamer.core.word_sets import word_set

_WORDS = word_set(
    "delete deleted remove removed unsubscribe subscribe buy cart basket checkout logout logoff "
    "signout vote save update edit create add append insert post send upload kup publish unpublish "
    "approve reject ban unban block unblock follow unfollow like dislike unlike rate rsvp toggle "
    "enable disable activate deactivate erase purge flush truncate wipe destroy drop trash bin "
    "impersonate masquerade sudo restore archive cancel confirm accept decline pay purchase donate "
    "reserve enroll enrol join leave mark pin unpin lock unlock move merge rename reboot restart "
    "shutdown kill install uninstall execute import put patch sil ekle"
)
_BEGINNINGS = (
    # German, Dutch, Swedish, Danish, Norwegian, Finnish
    "lösche", "loesche", "entfern", "kaufen",
    "bestelle", "speicher", "hinzufüg", "bearbeit", "veröffentlich",
    "abmelde", "freigeben", "verwijder", "opslaan",
    "kopen", "uitlog", "toevoeg", "goedkeur", "plaatsen",
    "tabort", "radera", "spara", "gilla", "logga", "godkänn", "slett", "gemme", "poista", "tallenn",
    # French, Spanish, Portuguese, Italian, Romanian, Catalan
    "supprim", "achete", "acheter", "enregistr", "ajoute",
    "publier", "effac", "modifi", "déconn", "deconn",
    "eliminar", "borrar", "comprar", "guardar",
    "agregar", "añadir", "anadir", "publicar", "cerrarsesion",
    "excluir", "apagar", "salvar", "aprovar", "adicionar",
    "remover", "elimin", "acquist", "pubblic", "salva",
    "aggiung", "cancell", "șterge", "sterge", "salveaz",
    # Polish, Czech, Slovak, Hungarian, Turkish
    "usuń", "usun", "skasuj", "zapisz", "dodaj", "wylogu",
    "opublik", "smaz", "odstran", "ulož", "uloz", "odhlas",
    "odhlás", "vymaz", "přidat", "pridat", "schvál",
    "törl", "mentés", "kaydet", "satın", "onayla", "yayınla",
    # Russian, Ukrainian, Greek, Arabic, Persian, Hebrew
    "удал", "купить", "сохран", "добав", "опубл",
    "выйти", "видал", "придбат", "зберег", "вийти", "διαγραφ",
    "αποθήκ", "αγορ", "حذف", "شراء", "إضاف", "اضاف", "نشر",
    "حفظ", "خروج", "خرید", "ذخیره", "מחק", "קנה", "שמור",
)  # fmt: skip
_PIECES = (
    "删除", "刪除", "购买", "購買", "保存", "儲存", "发布",
    "發布", "提交", "退出", "点赞", "登出", "添加", "削除", "購入",
    "投稿", "カート", "追加", "送信", "삭제", "구매", "저장", "로그아웃", "추가", "ลบ", "บันทึก",
)  # fmt: skip
"""Of languages that write words without spaces."""
_SILENT = word_set(
    "go ok okay submit enter apply show view display see get result results all the me my now in on "
    "los ir ver mostrar anzeigen zeigen afficher voir mostra vedi tonen toon visa vis näytä pokaż "
    "zobrazit göster показать применить anwenden appliquer aplicar applica toepassen icon button btn "
    "image img arrow right next magnifier magnifying glass lupe lupa loupe valider"
)
_NAMES = word_set(
    "delete remove trash bin like unlike dislike heart thumbs cart basket checkout logout signout "
    "follow unfollow subscribe unsubscribe vote buy purge ban approve"
)
_OPERATIONS = word_set("action do op cmd command task act method func function operation verb")
"""Words in names of fields whose value says what shall be done."""


def speaks_of_change(words: Iterable[str]) -> bool:
    """Does one of these words, in lower case, speak of a change?

    >>> speaks_of_change(["save", "search"]), speaks_of_change(["verwijderen"]), speaks_of_change(["search"])
    (True, True, False)
    """
    return any(
        word in _WORDS
        or word.startswith(_BEGINNINGS)
        or (not word.isascii() and any(one in word for one in _PIECES))
        for word in words
    )


def is_named_for_change(words: Iterable[str]) -> bool:
    """Do these words of classes, ids and pictures speak of a change?

    Most that could do not: `edit-submit`, `btn-block`.
    """
    return not _NAMES.isdisjoint(words)


def says_nothing(words: Iterable[str]) -> bool:
    """Do these words of a button leave open what it does, as `Go`, `OK`, `»`?"""
    return all(
        one in _SILENT or not one.isalpha() or (len(one) == 1 and one.isascii()) for one in words
    )


def names_operation(words: Iterable[str]) -> bool:
    """Do these words of a field's name speak of what shall be done?"""
    return not _OPERATIONS.isdisjoint(words)
