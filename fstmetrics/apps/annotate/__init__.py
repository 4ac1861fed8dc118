"""The annotation tool [H12 §2.1]: people write networks of meaning equivalents in a browser.

To read the code, begin with `target_units` (what words are cut into), `typed_alternatives` (what is typed into a card)
and `sentence_cards` (the cards of a sentence, and changes to them). Then `change_history` (undo and redo),
`project_file` and `project_store` (the folder), `annotation_import` and `project_export`, `typing_feedback` (what is
shown while somebody types), and last `api_routes` (the JSON interface, documented in `README.md` beside it),
`request_guard` and `project_server`.

Only the last three need Starlette and uvicorn (extra `annotate`).
"""
