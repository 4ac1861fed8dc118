"""What a file is: one table of rules, `formats_and_refusals`, which gives a format, or a refusal with advice.

To have a new format recognised, or a new kind of file refused, add a rule there. A rule looks for a sign: of the first
bytes beside the table, of objects of JSON in `json_signs`, of tables in `table_signs`, of lines in `text_signs`; all
look at `head`, what a file begins with. `io.file_format` asks the table, and formats of other packages behind it.
Marks inside texts that only one side has are refused by `io.marks`.
"""
