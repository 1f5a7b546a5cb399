"""The words a simulated web is made of: sixteen topics, three foreign tongues, names for domains.

A topic is three lists: things, qualities, and doings (in the third person). They are put together
by `prose`.
"""

from typing import NamedTuple


class Vocabulary(NamedTuple):
    """The words of one topic."""

    name: str
    nouns: tuple[str, ...]
    adjectives: tuple[str, ...]
    verbs: tuple[str, ...]


def _split(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def _words(name: str, nouns: str, adjectives: str, verbs: str) -> Vocabulary:
    return Vocabulary(name, _split(nouns), _split(adjectives), _split(verbs))


TOPICS = (
    _words(
        "sailing",
        "harbour anchor mast sail rudder keel tide compass deck rope buoy lighthouse crew skipper "
        "regatta dinghy chart breeze hull cabin mooring jetty lagoon channel cleat winch",
        "calm salty windward leeward coastal stormy nautical buoyant offshore tidal brisk seaworthy",
        "steers trims anchors hoists crosses rounds follows signals tows outruns",
    ),
    _words(
        "cooking",
        "oven recipe dough butter pepper onion broth skillet whisk flour garlic basil stew roast "
        "pastry lemon vinegar kettle ladle simmer crust sauce cumin noodle dumpling platter",
        "savoury golden crisp tender spicy buttery fragrant rustic slow-cooked sweet tangy fresh",
        "seasons kneads roasts stirs glazes warms fills thickens sweetens garnishes",
    ),
    _words(
        "gardening",
        "seedling compost trellis orchard rose hedge lawn spade bulb mulch greenhouse pruning "
        "tulip fern herb blossom soil root meadow ivy lavender sprout pear vine hose wheelbarrow",
        "leafy shady fertile perennial budding wild evergreen mossy sunlit hardy woody early",
        "shelters feeds shades waters climbs borders covers outgrows nourishes protects",
    ),
    _words(
        "astronomy",
        "comet galaxy telescope nebula orbit eclipse planet crater satellite pulsar meteor horizon "
        "spectrum constellation moon asteroid observatory quasar dust parallax supernova transit "
        "gravity probe halo cluster",
        "distant luminous stellar lunar faint rotating cosmic infrared dense elliptic nearby cold",
        "orbits reflects outshines attracts circles reveals absorbs eclipses illuminates deflects",
    ),
    _words(
        "music",
        "violin chord melody rhythm choir sonata drum trumpet overture tempo piano refrain cello "
        "harmony guitar concerto octave quartet ballad conductor bassline encore flute anthem "
        "score rehearsal",
        "melodic quiet baroque improvised resonant acoustic lyrical syncopated solemn lively minor",
        "echoes accompanies opens repeats resolves carries answers leads softens colours",
    ),
    _words(
        "railways",
        "locomotive platform signal tunnel viaduct carriage timetable junction sleeper whistle "
        "station freight gauge conductor siding bridge steam track points buffet express depot "
        "level-crossing turntable boiler ticket",
        "narrow punctual electric rural overnight double-tracked restored regional busy underground",
        "connects carries passes crosses delays serves joins bypasses pulls reaches",
    ),
    _words(
        "medicine",
        "clinic patient vaccine symptom nurse therapy dosage surgeon diagnosis fever tissue artery "
        "recovery hormone allergy bandage ward antibody pulse immunity trial syringe muscle "
        "pharmacy specialist infection",
        "chronic acute preventive mild clinical surgical viral healthy rare cardiac gentle routine",
        "treats relieves detects reduces monitors prevents examines supports restores indicates",
    ),
    _words(
        "history",
        "empire treaty castle archive dynasty siege chronicle merchant parliament manuscript "
        "monastery rebellion coin province throne guild census charter fortress pilgrim revolution "
        "scribe herald legion harvest market",
        "medieval ancient royal imperial forgotten feudal colonial bronze disputed walled early",
        "conquers records founds inherits besieges unites taxes survives abolishes crowns",
    ),
    _words(
        "software",
        "compiler kernel buffer thread socket parser cache pointer module library branch commit "
        "queue scheduler packet database server client token stack index syntax function variable "
        "release patch",
        "concurrent portable static dynamic lazy recursive immutable asynchronous typed embedded",
        "compiles parses caches schedules imports returns locks allocates tests replaces",
    ),
    _words(
        "cycling",
        "saddle pedal gear chain sprint peloton brake tyre helmet summit descent frame spoke "
        "handlebar pannier cadence puncture route climb stage jersey wheel crank cobbles lane tour",
        "steep muddy aerodynamic lightweight winding gravel alpine downhill flat breathless early",
        "overtakes climbs chases descends leads drops catches finishes repairs rides",
    ),
    _words(
        "geology",
        "basalt fossil glacier sediment volcano quartz mantle fault granite limestone magma canyon "
        "mineral erosion crystal strata plateau quarry marble delta earthquake cave moraine ore "
        "sandstone ridge",
        "volcanic layered porous igneous jagged glacial molten coastal metamorphic deep dry",
        "erodes uplifts folds covers cuts forms dissolves exposes buries fractures",
    ),
    _words(
        "theatre",
        "stage curtain actor script costume rehearsal audience comedy tragedy playwright spotlight "
        "monologue scenery props chorus applause mask balcony dialogue premiere understudy act "
        "director orchestra cue wings",
        "dramatic comic tragic whispered candlelit experimental classical witty touring silent",
        "performs directs rehearses opens surprises prompts interrupts revives improvises plays",
    ),
    _words(
        "weather",
        "thunderstorm forecast barometer drizzle humidity cyclone frost hail blizzard cloud "
        "rainfall drought rainbow gust front fog thermometer monsoon sunshine lightning snowfall "
        "dew season pressure heatwave sleet",
        "overcast humid freezing windy sudden seasonal tropical mild unsettled hazy northern",
        "brings follows cools drenches delays warms covers approaches clears predicts",
    ),
    _words(
        "chess",
        "bishop knight gambit endgame opening pawn rook queen checkmate tournament blunder tempo "
        "sacrifice defence grandmaster clock diagonal castling exchange stalemate tactic combination "
        "notation rank file study",
        "positional tactical doubled passed isolated solid sharp quiet forced poisoned early central",
        "captures attacks defends pins blocks promotes exchanges threatens develops sacrifices",
    ),
    _words(
        "pottery",
        "kiln glaze clay wheel vase porcelain bowl slip teapot firing stoneware handle rim bisque "
        "studio celadon pitcher tile terracotta urn mould pigment cup sculpture shard workshop",
        "glazed earthen fragile hand-thrown matte speckled salt-fired delicate unglazed round",
        "shapes fires glazes throws dries trims decorates holds polishes stacks",
    ),
    _words(
        "birds",
        "heron falcon nest feather migration wetland sparrow owl plumage beak flock swallow warbler "
        "egg woodpecker marsh binoculars hide song crane puffin wing kestrel lapwing roost chick",
        "migratory nocturnal crested rare coastal speckled shy noisy juvenile nesting northern",
        "hunts circles feeds calls guards builds returns crosses hides sings",
    ),
)

FOREIGN = {
    "ru": _words(
        "ru",
        "река дорога город книга погода музыка корабль письмо берег вечер мастер школа площадь "
        "деревня история зима огонь мост поезд остров сад звезда вокзал художник хлеб язык",
        "старый тихий далёкий новый зелёный северный большой тёплый светлый узкий",
        "видит помнит строит находит открывает хранит ведёт ждёт пишет знает",
    ),
    "ja": _words(
        "ja",
        "海 山 町 図書館 電車 音楽 天気 料理 庭 星 学校 歴史 手紙 橋 春 港 船 言葉 絵 祭り 花 川",
        "静かな 古い 新しい 遠い 明るい 小さな 大きな 美しい",
        "読む 歩く 見る 作る 開く 待つ 書く 渡る",
    ),
    "fr": _words(
        "fr",
        "forêt château rivière marché été fenêtre théâtre musée île pâtisserie chêne hôtel école "
        "lumière plage fête événement siècle élève bibliothèque fleur époque poème gâteau",
        "ancien léger français général célèbre étroit privé régional élégant",
        "traverse préfère éclaire protège répète découvre célèbre achète révèle",
    ),
}
"""Vocabularies of other languages, for pages in other encodings."""

DOMAIN_BEGINNINGS = _split(
    "amber birch cedar clover copper coral crystal dawn dove ember fern flint frost glen golden "
    "granite green harbor hazel heather hollow iron ivory jade juniper kestrel lake lantern laurel "
    "lime linden lunar maple marble meadow mellow mint misty moss north oak ocean olive opal orchid "
    "otter pearl pebble pine plum prairie quartz quill raven red river robin rowan saffron sage "
    "sandy silver sky slate snow solar south spring star stone summer sun swift tall thistle timber "
    "umber velvet violet walnut west wild willow winter wren"
)
DOMAIN_ENDINGS = _split(
    "acre bank barn bay beacon bend bloom bluff board books bridge brook burrow cabin camp cliff "
    "corner cove craft creek crest dale den ditch dock dune edge fall farm field fjord ford forge "
    "gate glade grange grove guild hall harvest haven hill house isle journal junction key kiln "
    "labs lane leaf ledge light line lodge loft marsh mead mill moor nest notes orchard park pass "
    "path peak pier pond port press quarry reach ridge rise road rock root shelf shore spring "
    "station stead stream studio tide times tower trail vale valley view village ward watch water "
    "way well wharf wood works yard"
)
HOST_PREFIXES = _split("www blog docs shop news forum wiki help dev media archive mail")
