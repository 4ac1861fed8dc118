#include "bindings/strings.h"

namespace fstmetrics {
namespace {

constexpr const char* kKeepSurrogates = "surrogatepass";

}  // namespace

std::string_view Utf8::view(nb::handle value) {
  if (!PyUnicode_Check(value.ptr())) throw nb::type_error("a word is a str");
  Py_ssize_t size = 0;
  if (const char* utf8 = PyUnicode_AsUTF8AndSize(value.ptr(), &size)) return {utf8, static_cast<std::size_t>(size)};
  PyErr_Clear();
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(value.ptr(), "utf-8", kKeepSurrogates));
  char* data = nullptr;
  if (!bytes.is_valid() || PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) throw nb::python_error();
  const nb::ft_lock_guard lock(mutex_);
  copies_.push_back(std::move(bytes));
  return {data, static_cast<std::size_t>(size)};
}

nb::object to_str(std::string_view utf8) {
  PyObject* str = PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), kKeepSurrogates);
  if (!str) throw nb::python_error();
  return nb::steal(str);
}

nb::object to_str_or_replaced(std::string_view id) {
  PyObject* const str = PyUnicode_DecodeUTF8(id.data(), static_cast<Py_ssize_t>(id.size()), kKeepSurrogates);
  if (str) return nb::steal(str);
  PyErr_Clear();
  return decoded(id);
}

nb::object decoded(std::string_view text) {
  PyObject* object = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (!object) throw nb::python_error();
  return nb::steal(object);
}

}  // namespace fstmetrics
