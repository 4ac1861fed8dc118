// Several texts as one graph, of which each is a path.
#pragma once

#include "search/graph.h"
#include "search/item.h"

namespace fstmetrics {

// Labels number the words of all texts as they come, repeated ones once. The graph views the words.
Graph text_union(const Texts& texts);

}  // namespace fstmetrics
