"""Colours of errors, by their letters: `STYLES` in a terminal, `TINTS` in a notebook; pages have `colours.css`."""

STYLES = {"=": "", "S": "yellow", "I": "cyan", "D": "red", "*": "dim"}
# Of words that are taken out of turn.
MOVED = "magenta"

TINTS = {"S": "rgba(240,170,0,.32)", "I": "rgba(0,150,220,.3)", "D": "rgba(230,60,50,.32)"}
