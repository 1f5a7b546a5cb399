"""Words of actions, in a few languages. They are spelled as `plain` does: small letters, nothing between."""

import re

_BETWEEN = re.compile(r"[\s_.\-'’]+")
_RUNS = re.compile(r"[^\W\d_]+")
_PARTS = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")


def plain(text: str) -> str:
    """One spelling of a word, however its parts are joined.

    >>> plain("Log-out"), plain("add_to_cart"), plain("Se déconnecter")
    ('logout', 'addtocart', 'sedéconnecter')
    """
    return _BETWEEN.sub("", text).lower()


def parts(text: str) -> list[str]:
    """The words that a name is made of.

    >>> parts("user.logout"), parts("DeletePage"), parts("bulk_delete2")
    (['user', 'logout'], ['delete', 'page'], ['bulk', 'delete'])
    """
    runs = (run.lower() if run.isupper() else run for run in _RUNS.findall(text))
    return [part.lower() for run in runs for part in _PARTS.findall(run)]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LOGOUT = _words(
    """logout logoff signout signoff userlogout logmeout abmelden ausloggen déconnexion deconnexion
    sedéconnecter sedeconnecter cerrarsesión cerrarsesion desconectar desconectarse terminarsessão
    disconnetti disconnettersi uitloggen afmelden wyloguj wylogujsię odhlásit odhlasit loggaut
    loggut logud kirjauduulos çıkışyap выйти выход ログアウト 退出登录 登出 로그아웃"""
)
"""What ends a session."""

STRONG = LOGOUT | _words(
    """delete del destroy erase trash untrash undelete purge unsubscribe upvote downvote unvote
    unlike unfollow unwatch approve unapprove ban unban rollback addtocart removefromcart
    removeitem markread markasread markunread markallread markallasread löschen loeschen entfernen
    supprimer effacer eliminar borrar elimina cancella excluir apagar verwijderen usuń usun smazat
    radera slett slet удалить 削除 删除 刪除 삭제"""
)
"""Words that hardly stand for anything else where actions have their place."""

MILD = _words(
    "remove like dislike vote favorite favourite unfavorite fave unfave subscribe star unstar edit"
)
"""Words that need a number beside them, for they may also name what a page shows."""

VERBS = (
    STRONG
    | MILD
    | _words(
        """spam unspam block unblock kick suspend lock unlock pin unpin stick unstick sticky bump
        move archive unarchive publish unpublish activate deactivate enable disable install
        uninstall upgrade restore revert undo reset mark watch follow bookmark unbookmark rate
        thank thanks flag unflag report hide unhide join leave poke dismiss protect unprotect save
        rename cancel clear empty add buy switch patrol markpatrolled abonnieren bearbeiten
        modifier editar"""
    )
)
"""All words that say what to do, where a parameter or a token makes clear that something is done."""

BEGINNINGS = tuple(
    _words(
        """delete remove destroy erase trash untrash purge logout unsubscribe subscribe unapprove
        approve markread markasread markall rollback revert restore activate deactivate uninstall
        upgrade unban upvote downvote addtocart"""
    )
)
"""Beginnings of names of actions: `deletemsg`, `markasread2` …"""

STATES = _words("d ed r rs s ers ions list log")
"""… unless this is what follows: `deleted`, `subscribers` are things to look at."""

ACTIONS = _words(
    "action act do op cmd task operation subaction doaction action2 sa todo bulkaction _method"
)
"""Parameters that say what is to be done."""

LOOKS = _words("view show list get search display browse find")
"""First words of what is only looked at: a report is viewed, not made."""

MAYBE_ACTIONS = _words("mode a ac sub")
"""Parameters that may say so, or something else."""

TOKEN = re.compile(
    r"nonce$|csrf|xsrf|^sectok$|^sesskey$|^authenticity_token$|requestverificationtoken$|^form_?(key|token)$"
    r"|^my_post_key$|^logout(key|hash)$|^markreadhash$|^security_?token$|^_token$"
)
"""Names of tokens that protect actions from forged requests. A link with one does something."""

MAYBE_TOKENS = _words("token hash auth sid sesc")
"""Names that such tokens have, and other things have, too."""

ABOUT = _words(
    """wiki w docs doc documentation manual manuals man help hilfe aide ayuda guide guides handbook
    reference ref api apidocs sdk spec tag tags category categories kategorie glossary kb faq
    support learn learning tutorial tutorials search suche dictionary definition define word words
    wort command commands lexikon thesaurus t topic topics thread threads blog news article
    articles artikel"""
)
"""Folders of pages that are about words."""

OFFICES = _words(
    "admin administrator administration manage account accounts user users my moderation dashboard bin"
)
"""Folders in which a word is what is done."""

SCRIPTS = _words("php php3 php5 phtml asp aspx ashx jsp jspx jsf do action cgi pl py cfm")
"""Endings of names of programs; every other ending is one of a document."""

CARTS = _words("cart basket warenkorb panier carrito carrello winkelwagen")

PHRASES = STRONG | _words(
    """remove edit bearbeiten modifier editar modifica deletepost deletecomment deletethis deletepage
    deletetopic movetotrash vote like voteup votedown indenwarenkorb ajouteraupanier
    añadiralcarrito aggiungialcarrello alsgelesenmarkieren allealsgelesenmarkieren marquercommelu
    toutmarquercommelu marcarcomoleído abonnieren abbestellen sedésabonner subscribe
    watchthistopic stopwatching subscribetopic unsubscribetopic"""
)
"""Anchor texts that say what a link does, when its URL is one of a thing with a number."""
