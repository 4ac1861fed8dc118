// Files of one text a line, all lines at once: columns of views of their bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/line_form.h"
#include "text/text_column.h"

namespace fstmetrics {

struct TextLines {
  TextColumn ids, texts;
};

// The lines of a text without the white space at their ends. The bytes outlive what `holder` keeps.
TextColumn text_lines(std::string_view bytes, std::shared_ptr<const void> holder);

// The lines of a text in Kaldi's form, `id word word ...`, but for blank ones at its end. Nothing where another line is
// blank, or an id comes twice, unless the caller knows that none does.
std::optional<TextLines> id_lines(std::string_view bytes, std::shared_ptr<const void> holder,
                                  bool are_different = false);

// The lines of a text in sclite's form, `word word ... (id)`, but for blank ones and comments; white space becomes
// single spaces. Nothing where a line has no id, a text has a character with a meaning in that form, or an id comes
// twice, unless the caller knows (`is_known`) that there is no such line.
std::optional<TextLines> trn_lines(std::string_view bytes, std::shared_ptr<const void> holder, bool is_known = false);

// A line of that form; the text is not looked at for what only the reader in Python tells if the caller knows that it
// is plain.
LineItem trn_line(std::string_view line, bool is_plain = false);

class TrnForm : public LineForm {
 public:
  std::unique_ptr<LineReader> reader(bool is_known) const override;
};

// The first word of a text, empty where there is none; the text is what follows it then.
std::string_view first_word(std::string_view& text);

// The first two words of every line but the blank ones at the end; empty where a line has none. The first ones are
// `ids`.
TextLines first_words(std::string_view bytes, std::shared_ptr<const void> holder);

// What words have in common that may be ids, as fstmetrics/io/ids.py has it; of those in ASCII, and of names of files.
struct IdLooks {
  bool all_fit =
      true;  // every word looks like an id, or has other characters; nothing else is told where that is false
  bool all_certain =
      true;  // every word has _, two hyphens and a digit, or is the name of a file of sound or text (abc.wav)
  bool all_bare = true;     // every word has a letter or digit at both ends
  bool one_form = true;     // all have a digit, and are the same but for which letters and digits they have: u-1, u-12
  bool all_decimal = true;  // every word is a number
  std::string form;         // of the first word
  TextColumn others;        // those with other characters, each once

  // Takes a word into account, as long as all fit; false for one with other characters, which the caller keeps.
  bool add(std::string_view word);
};
IdLooks id_looks(const TextColumn& words);

}  // namespace fstmetrics
