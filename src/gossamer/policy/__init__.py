"""Judgement: no network, no clock, no randomness that was not passed in.

Some orders and the budgets know more than fits into memory: they keep it in a folder that is passed in, too.
"""
