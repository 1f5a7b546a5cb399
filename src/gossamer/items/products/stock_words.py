"""Words by which shops say that a product can be bought or not, in many languages, and cart buttons."""

import re

from gossamer.core.word_sets import word_set

IN_STOCK = re.compile(
    r"\b(?:in stock|available now|ready to ship|ships (?:today|within|in)|auf lager|lieferbar|"
    r"sofort verfügbar|"
    r"vorrätig|verfügbar|en stock|disponible|disponibile|disponibil|disponível|em estoque|em "
    r"stock|in voorraad|"
    r"op voorraad|leverbaar|skladem|na sklade|na sklad[eě]|na zalogi|na stanju|dostupn[éáoy]|w magazynie|"
    r"dostępny|dostępne|raktáron|készleten|în stoc|in stoc|på lager|i lager|varastossa|laos|"
    r"saadaval|noliktavā|"
    r"pieejams|yra sandėlyje|stokta|mevcut|в наличии|есть в наличии|є в наявності|в наявності|на складе|"
    r"налично|διαθέσιμο)\b|在庫あり|有货|有貨|现货|現貨|재고 있음|متوفر|במלאי|มีสินค้า|còn hàng",
    re.IGNORECASE,
)
OUT_OF_STOCK = re.compile(
    r"\b(?:out of stock|sold out|currently unavailable|temporarily unavailable|not available|no longer "
    r"(?:available|listed|for sale)|item is unavailable|discontinued|unavailable|listing (?:was|"
    r"has) (?:ended|been "
    r"removed)|(?:ad|listing|auction|item) (?:has )?(?:expired|ended)|this (?:ad|item) (?:has been|was|is) "
    r"sold|back ?ordered|nicht (?:auf lager|verfügbar|lieferbar|vorrätig|mehr (?:verfügbar|lieferbar))|"
    r"derzeit nicht (?:verfügbar|auf lager)|ausverkauft|vergriffen|leider vergriffen|rupture de stock|"
    r"en rupture|épuisé|indisponible|non disponible|agotado|sin stock|no disponible|sin existencias|esgotado|"
    r"indisponível|sem estoque|fora de estoque|non disponibile|esaurito|non disponibili|"
    r"terminato|uitverkocht|"
    r"niet (?:op voorraad|leverbaar|beschikbaar)|vyprodáno|není skladem|nedostupn[éýá]|"
    r"vypredané|nie je na sklade|"
    r"nie je skladom|razprodano|ni na zalogi|rasprodano|nije dostupno|nema na zalihi|"
    r"wyprzedan[eyo]|niedostępn[yea]|"
    r"brak w magazynie|chwilowo niedostępny|elfogyott|nincs (?:raktáron|készleten)|nem elérhető|stoc epuizat|"
    r"indisponibil|nu este în stoc|produs indisponibil|udsolgt|utsolgt|slutsåld|slut i lager|ikke på lager|"
    r"loppuunmyyty|loppu varastosta|ei saatavilla|läbi müüdud|otsas|ei ole saadaval|izpārdots|nav pieejams|"
    r"nav noliktavā|išparduota|nėra|tükendi|stokta yok|mevcut değil|нет в наличии|нет на складе|"
    r"распродано|товар закончился|снят с продажи|немає в наявності|изчерпан|няма наличност|εξαντλήθηκε|"
    r"μη διαθέσιμο)\b|品切れ|売り切れ|在庫切れ|在庫なし|缺货|缺貨|售罄|已售完|품절|매진|نفد|غير متوفر|"
    r"אזל מהמלאי|สินค้าหมด|hết hàng",
    re.IGNORECASE,
)
CART = re.compile(
    r"add to (?:cart|basket|bag|trolley)|\bbuy (?:it )?now\b|\bbuy\b|in den (?:warenkorb|"
    r"einkaufswagen)|jetzt kaufen|"
    r"\bkaufen\b|ajouter au panier|acheter|añadir (?:al carrito|a la cesta)|agregar al carrito|\bcomprar\b|"
    r"adicionar (?:ao carrinho|à sacola)|colocar no carrinho|aggiungi al carrello|acquista|in (?:winkelwagen|"
    r"winkelmandje)|bestellen|(?:do|vložit do) ko[sš][ií]k[ua]|přidat do košíku|kúpiť|koupit|"
    r"dodaj (?:do koszyka|"
    r"v košarico|u košaricu)|do koszyka|kup teraz|v košarico|kosárba|megveszem|adaug[aă] [iî]n "
    r"co[sș]|cump[aă]r[aă]|"
    r"læg i kurv|legg i handlekurv|lägg i varukorg|\bköp\b|lisää ostoskoriin|lisa "
    r"(?:ostu)?korvi|pievienot grozam|"
    r"pirkt|į krepšelį|sepete ekle|satın al|в корзину|купить|у кошик|в кошик|купити|купи|"
    r"προσθήκη στο καλάθι|カートに入れる|カゴに入れる|购物车|加入購物車|立即购买|立即購買|장바구니|구매하기|"
    r"바로구매|"
    r"أضف (?:إلى|الى) (?:السلة|العربة|الحقيبة)|اشتر|הוסף לסל|เพิ่มลงตะกร้า|thêm vào giỏ|mua "
    r"ngay|place bid|make offer|"
    r"contact seller|chat now",
    re.IGNORECASE,
)


def named_availability(value: str) -> str:
    """`InStock`, `OutOfStock`, `PreOrder` or `BackOrder`, for what structured data says; empty if it is none.

    >>> named_availability("http://schema.org/SoldOut"), named_availability("in stock")
    ('OutOfStock', 'InStock')
    """
    name = value.strip().rstrip("/#").rpartition("/")[2].rpartition("#")[2] or value
    plain = "".join(one for one in name.lower() if one.isalnum())
    for known, names in _NAMED.items():
        if plain in names:
            return known
    if OUT_OF_STOCK.search(value):
        return "OutOfStock"
    return "InStock" if IN_STOCK.search(value) else ""


_NAMED = {
    "InStock": word_set(
        "instock available instoreonly onlineonly limitedavailability true yes 1 instockonline "
        "availablefororder availableonline madetoorder"
    ),
    "OutOfStock": word_set(
        "outofstock soldout oos discontinued unavailable notavailable false no 0 outofstockonline "
        "reserved"
    ),
    "PreOrder": word_set("preorder presale"),
    "BackOrder": word_set("backorder pending"),
}
