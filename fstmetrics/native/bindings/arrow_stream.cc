// A table as a stream of one batch. Its buffers are numpy's: nobody copies them. The structures are those of the Arrow
// C data interface and the Arrow C stream interface (arrow.apache.org/docs/format/CDataInterface.html,
// CStreamInterface.html); every `release` frees what its structure has of its own, and lets go of the arrays.
#include "bindings/arrow_stream.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace nb = nanobind;

extern "C" {
struct ArrowSchema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  ArrowSchema **children, *dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void** buffers;
  ArrowArray **children, *dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
  int (*get_next)(ArrowArrayStream*, ArrowArray*);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};
}

namespace fstmetrics {
namespace {

using namespace nb::literals;

constexpr std::int64_t kNullable = 2;  // ARROW_FLAG_NULLABLE

using Buffer = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct ArrowColumn {
  std::string name, format;
  std::int64_t nulls = 0;
  std::vector<std::optional<Buffer>> buffers;

  // Python's lock is held by nobody in particular where other libraries let go of a column.
  ~ArrowColumn() {
    const nb::gil_scoped_acquire locked;
    buffers.clear();
  }
};

struct ArrowTable {
  std::int64_t rows = 0;
  std::vector<std::shared_ptr<ArrowColumn>> columns;
};
using Table = std::shared_ptr<const ArrowTable>;

// What a schema or an array points to: its children, and what it views. Children may be moved out by a consumer, who
// marks that by taking their `release` away.
template <class Node>
struct Held {
  std::shared_ptr<const void> viewed;
  std::vector<Node> nodes;
  std::vector<Node*> children;
  std::vector<const void*> buffers;
};

template <class Node>
void release(Node* node) {
  auto* held = static_cast<Held<Node>*>(node->private_data);
  for (Node& child : held->nodes) {
    if (child.release) child.release(&child);
  }
  node->release = nullptr;
  delete held;
}

// Of a node whose children are as many nodes; fill(child, i) fills one.
template <class Node, class Fill>
Held<Node>* held_by(Node* node, std::size_t children, Fill fill) {
  auto held = std::make_unique<Held<Node>>();
  held->nodes.resize(children);
  for (std::size_t i = 0; i < children; ++i) {
    fill(&held->nodes[i], i);
    held->children.push_back(&held->nodes[i]);
  }
  node->n_children = static_cast<std::int64_t>(children);
  node->children = held->children.data();
  node->dictionary = nullptr;
  node->release = &release<Node>;
  node->private_data = held.get();
  return held.release();
}

void fill_schema(ArrowSchema* schema, const Table& table) {
  auto* held = held_by(schema, table->columns.size(), [&](ArrowSchema* child, std::size_t i) {
    held_by(child, 0, [](ArrowSchema*, std::size_t) {})->viewed = table->columns[i];
    child->format = table->columns[i]->format.c_str();
    child->name = table->columns[i]->name.c_str();
    child->metadata = nullptr;
    child->flags = kNullable;
  });
  held->viewed = table;
  schema->format = "+s";
  schema->name = "";
  schema->metadata = nullptr;
  schema->flags = 0;
}

void fill_array(ArrowArray* array, const Table& table) {
  auto* held = held_by(array, table->columns.size(), [&](ArrowArray* child, std::size_t i) {
    const ArrowColumn& column = *table->columns[i];
    auto* of_child = held_by(child, 0, [](ArrowArray*, std::size_t) {});
    of_child->viewed = table->columns[i];
    for (const std::optional<Buffer>& buffer : column.buffers)
      of_child->buffers.push_back(buffer ? buffer->data() : nullptr);
    child->length = table->rows;
    child->null_count = column.nulls;
    child->offset = 0;
    child->n_buffers = static_cast<std::int64_t>(of_child->buffers.size());
    child->buffers = of_child->buffers.data();
  });
  held->viewed = table;
  held->buffers = {nullptr};  // no row is missing
  array->length = table->rows;
  array->null_count = 0;
  array->offset = 0;
  array->n_buffers = 1;
  array->buffers = held->buffers.data();
}

struct Stream {
  Table table;
  bool is_read = false;
};

Stream& stream_of(ArrowArrayStream* stream) { return *static_cast<Stream*>(stream->private_data); }

int get_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
  try {
    fill_schema(schema, stream_of(stream).table);
    return 0;
  } catch (...) { return ENOMEM; }
}

int get_next(ArrowArrayStream* stream, ArrowArray* array) {
  Stream& own = stream_of(stream);
  try {
    if (own.is_read) {
      array->release = nullptr;  // there are no more
    } else {
      fill_array(array, own.table);
      own.is_read = true;
    }
    return 0;
  } catch (...) { return ENOMEM; }
}

const char* get_last_error(ArrowArrayStream*) { return nullptr; }

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<Stream*>(stream->private_data);
  stream->release = nullptr;
}

constexpr char kStreamName[] = "arrow_array_stream";

void free_capsule(PyObject* capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, kStreamName));
  if (stream->release) stream->release(stream);
  delete stream;
}

using ColumnBuffers = std::tuple<std::string, std::string, std::int64_t, std::vector<std::optional<Buffer>>>;

nb::object arrow_stream(std::int64_t rows, std::vector<ColumnBuffers> columns) {
  auto table = std::make_shared<ArrowTable>();
  table->rows = rows;
  for (auto& [name, format, nulls, buffers] : columns) {
    auto column = std::make_shared<ArrowColumn>();
    column->name = std::move(name);
    column->format = std::move(format);
    column->nulls = nulls;
    column->buffers = std::move(buffers);
    table->columns.push_back(std::move(column));
  }
  auto stream = std::make_unique<ArrowArrayStream>();
  *stream = {&get_schema, &get_next, &get_last_error, &release_stream, new Stream{std::move(table)}};
  PyObject* capsule = PyCapsule_New(stream.get(), kStreamName, &free_capsule);
  if (!capsule) {
    release_stream(stream.get());
    throw nb::python_error();
  }
  stream.release();
  return nb::steal(capsule);
}

}  // namespace

void bind_arrow_stream(nb::module_& m) {
  m.def("arrow_stream", &arrow_stream, "rows"_a, "columns"_a,
        nb::sig("def arrow_stream(rows: int, columns: Sequence[tuple[str, str, int, "
                "Sequence[numpy.typing.NDArray[typing.Any] | None]]]) "
                "-> object"),
        "A table as a capsule of Arrow's C stream: of each column its name, its format, how many values are missing, "
        "and its "
        "buffers as Arrow has them.");
}

}  // namespace fstmetrics
