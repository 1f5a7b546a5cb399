"""Types of items: the general type of what schema.org and microformats call by many names."""

from gossamer.core.word_sets import word_set

_ARTICLES = (
    "Article NewsArticle BlogPosting TechArticle ScholarlyArticle Report ReportageNewsArticle "
    "AnalysisNewsArticle "
    "OpinionNewsArticle ReviewNewsArticle BackgroundNewsArticle AskPublicNewsArticle LiveBlogPosting "
    "SatiricalArticle AdvertiserContentArticle APIReference MedicalScholarlyArticle h-entry h-news"
)
_PRODUCTS = (
    "Product IndividualProduct ProductModel SomeProducts ProductGroup Vehicle Car Motorcycle "
    "h-product"
)
_EVENTS = (
    "Event BusinessEvent ChildrensEvent ComedyEvent CourseInstance DanceEvent DeliveryEvent EducationEvent "
    "EventSeries ExhibitionEvent Festival FoodEvent Hackathon LiteraryEvent MusicEvent "
    "PublicationEvent SaleEvent "
    "ScreeningEvent SocialEvent SportsEvent TheaterEvent VisualArtsEvent h-event"
)
_ORGANIZATIONS = (
    "Organization Corporation NewsMediaOrganization NGO EducationalOrganization GovernmentOrganization "
    "LocalBusiness Store OnlineStore OnlineBusiness ProfessionalService Restaurant Hotel School Library"
)
_GENERAL = {
    **dict.fromkeys(_ARTICLES.split(), "Article"),
    **dict.fromkeys(_PRODUCTS.split(), "Product"),
    **dict.fromkeys(_EVENTS.split(), "Event"),
    **dict.fromkeys(_ORGANIZATIONS.split(), "Organization"),
    **dict.fromkeys(("Offer", "AggregateOffer", "h-listing"), "Offer"),
    **dict.fromkeys(("JobPosting",), "JobPosting"),
    **dict.fromkeys(("Recipe", "h-recipe"), "Recipe"),
    **dict.fromkeys(
        ("DiscussionForumPosting", "SocialMediaPosting", "Question"), "DiscussionForumPosting"
    ),
    **dict.fromkeys(("Comment", "Answer", "UserComments", "h-cite"), "Comment"),
    **dict.fromkeys(
        ("Review", "CriticReview", "UserReview", "EmployerReview", "h-review"), "Review"
    ),
    **dict.fromkeys(("Person", "Patient", "h-card", "h-resume"), "Person"),
}
_LOWER = {name.lower(): general for name, general in _GENERAL.items()}
PERSONAL_TYPES = frozenset({"Person"})
PERSONAL_FIELDS = word_set(
    "author creator contributor editor accountableperson reviewer reviewedby sender recipient "
    "email telephone faxnumber birthdate deathdate givenname familyname additionalname "
    "commenter user username article:author book:author video:actor video:director "
    "video:writer twitter:creator twitter:creator:id profile:first_name profile:last_name "
    "profile:username profile:gender nickname bday tel lister"
)


def general_type(types: tuple[str, ...]) -> str:
    """The type that an item is listed under: of ours if it is of one, else its own.

    >>> general_type(("NewsArticle",)), general_type(("product",)), general_type(("BreadcrumbList",))
    ('Article', 'Product', 'BreadcrumbList')
    """
    for one in types:
        name = one.rpartition("/")[2].rpartition("#")[2] or one
        if (found := _LOWER.get(name.lower())) is not None:
            return found
    return types[0] if types else "Thing"
