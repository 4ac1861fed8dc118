// The least that scoring two files of text takes: their bytes read, split into lines and words, and each word hashed once into
// a number. Prints the number of words and of different ones.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::string content_of(const char* path) {
  std::string content;
  if (std::FILE* file = std::fopen(path, "rb")) {
    std::fseek(file, 0, SEEK_END);
    content.resize(static_cast<std::size_t>(std::ftell(file)));
    std::rewind(file);
    content.resize(std::fread(content.data(), 1, content.size(), file));
    std::fclose(file);
  }
  return content;
}

// Words to numbers from 1, by open addressing.
class Table {
 public:
  Table() : slots_(1 << 20) {}

  std::uint32_t number(std::string_view word) {
    for (std::size_t at = hash(word);; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.number == 0) {
        slot = {word, ++size_};
        return size_;
      }
      if (slot.word == word) return slot.number;
    }
  }
  std::uint32_t size() const { return size_; }

 private:
  struct Slot {
    std::string_view word;
    std::uint32_t number = 0;
  };

  static std::size_t hash(std::string_view word) {
    std::uint64_t hash = word.size();
    while (word.size() >= 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, word.data(), 8);
      hash = (hash ^ bytes) * 0x9E3779B97F4A7C15ULL;
      word.remove_prefix(8);
    }
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, word.data(), word.size());
    hash = (hash ^ bytes) * 0x9E3779B97F4A7C15ULL;
    return hash >> 40;
  }

  std::vector<Slot> slots_;
  std::uint32_t size_ = 0;
};

}  // namespace

int main(int count, char** paths) {
  Table table;
  std::vector<std::string> contents;  // which the table views
  contents.reserve(static_cast<std::size_t>(count));
  std::uint64_t words = 0, sum = 0;
  for (int i = 1; i < count; ++i) {
    const std::string& content = contents.emplace_back(content_of(paths[i]));
    const char* begin = content.data();
    const char* const end = begin + content.size();
    for (const char* at = begin;; ++at) {
      if (at != end && static_cast<unsigned char>(*at) > ' ') continue;
      if (at > begin) {
        sum += table.number({begin, static_cast<std::size_t>(at - begin)});
        ++words;
      }
      if (at == end) break;
      begin = at + 1;
    }
  }
  std::printf("%llu %u %llu\n", static_cast<unsigned long long>(words), table.size(), static_cast<unsigned long long>(sum));
}
