#include "support/poll.h"

namespace fstmetrics {
namespace {

thread_local constinit Watch* watching = nullptr;

}  // namespace

namespace polling {

thread_local constinit std::int64_t left = kWorkBetweenLooks;

void look_again() {
  left = kWorkBetweenLooks;
  look();
}

}  // namespace polling

Watch::Watch() : outer_(watching) { watching = this; }
Watch::~Watch() { watching = outer_; }

void look() {
  if (!watching) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < watching->next_) return;
  watching->ask();
  watching->next_ = now + kPatience;
}

}  // namespace fstmetrics
