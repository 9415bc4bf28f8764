"""The SQL of a text that goes to a terminal."""

# Of a store that somebody else wrote, or an earlier version: control characters would command the
# terminal. Tabs and ends of lines stay.
SHOWN = r"regexp_replace({}, '[\x00-\x08\x0b-\x1f\x7f]', '?', 'g')"
