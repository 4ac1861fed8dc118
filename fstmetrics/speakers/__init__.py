"""Error rates of sessions with several speakers.

`meetings` has what users call (`cpwer` and its siblings) and the four metrics; `given_sessions` makes sessions of what
users give; `chains` makes automata of utterances in a row, and times of words; `assignment` pairs speakers.
"""
