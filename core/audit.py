"""The audit: what is measured, in which order, and the one result it leaves.

`audit` is the only function that knows the order of things. Every number of the
result is computed once, here or in the measure it calls; the page and the reports
only show it.
"""
