"""Virtual years of crawls that never end: how fresh does each revisit policy keep its copies?

In: a web whose changes are known (`freshness_webs.py`: the living web, or histories of real pages), and a
policy by name. Out: every visit of a year, made by the estimator, the plan and the schedule of a real
crawl on a virtual clock (`year.py`), and what these visits are worth (`freshness_measures.py`). No page
is written or read: a visit sees what the table of changes says.

    schedule ─▶ due in this hour ─▶ visits ─▶ sights ─▶ Timetable ─▶ days until the next visit ─▶ schedule

`freshness_trials.py` tries all policies, each with rates that it has to learn, and with the true ones.
`freshness_page.py` and `freshness_plots.py` write down what came out.

Invariants: no more visits begin than the budget allows; the same web, policy and settings give the same
visits.
"""
