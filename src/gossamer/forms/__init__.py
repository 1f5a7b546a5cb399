"""Forms of a page: their kinds, their fields, and whether a crawl may submit them.

A page comes in as HTML with its URL; `classify_page` returns its forms in document order:

- `page_forms` reads forms with their fields, labels and surroundings from the tree of the page;
- `form_features` and `field_features` turn them into named features, with the words of `form_words.txt`;
- `classified_forms` asks the two models that come with the package; `form_training` made them, and
  makes others from a user's own labels;
- `submission_rules` decides whether a form may be submitted. Its rules are hard: the model cannot
  lift one.
"""
