// Python's strings as UTF-8, and back. Lone surrogates, which UTF-8 does not have, are written as if it had.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

namespace fstmetrics {

namespace nb = nanobind;

// Views of strings that stay valid while the strings and this object live. Any number of threads may use one.
class Utf8 {
 public:
  // Throws nb::type_error if `value` is no str.
  std::string_view view(nb::handle value);

 private:
  nb::ft_mutex mutex_;              // holds what is below, where Python has no lock of its own
  std::vector<nb::object> copies_;  // of strings with lone surrogates
};

nb::object to_str(std::string_view utf8);

// The id of an item, which may be the name of a file, and that need not be UTF-8.
struct ItemId {
  std::string bytes;
};
// Such a one again; what is not even that is replaced.
nb::object to_str_or_replaced(std::string_view id);

// A string of UTF-8 in which anything else is replaced. Text that has been checked may hold escapes of SLF, which make
// any bytes.
nb::object decoded(std::string_view text);

inline std::string_view view(const nb::bytes& data) { return {data.c_str(), data.size()}; }

// Whether a side is a tuple of tuples of words.
inline bool are_texts(nb::handle side) {
  return PyTuple_Check(side.ptr()) && PyTuple_Size(side.ptr()) > 0 && PyTuple_Check(PyTuple_GetItem(side.ptr(), 0));
}

// Calls visit(item) for every item of a list or tuple; throws nb::type_error for anything else.
template <class Visit>
void for_each_item(nb::handle sequence, Visit visit) {
  if (nb::isinstance<nb::list>(sequence)) {
    for (nb::handle item : nb::borrow<nb::list>(sequence)) visit(item);
  } else if (nb::isinstance<nb::tuple>(sequence)) {
    for (nb::handle item : nb::borrow<nb::tuple>(sequence)) visit(item);
  } else {
    throw nb::type_error("a string, a list or a tuple is expected");
  }
}

}  // namespace fstmetrics

namespace nanobind::detail {

template <>
struct type_caster<fstmetrics::ItemId> {
  NB_TYPE_CASTER(fstmetrics::ItemId, const_name("str"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
    if (!PyUnicode_Check(source.ptr())) return false;
    try {
      value.bytes = fstmetrics::Utf8().view(source);
    } catch (...) { return false; }
    return true;
  }
};

}  // namespace nanobind::detail
