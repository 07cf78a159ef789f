#include "simulation/save/timeline_fields.h"

namespace thigmo {
namespace {

template <std::size_t... Kinds>
Edit make_edit(std::size_t kind, std::index_sequence<Kinds...>) {
  Edit edit;
  static_cast<void>(((kind == Kinds ? (edit.emplace<Kinds>(), true) : false) || ...));
  return edit;
}

}  // namespace

Edit edit_of_kind(std::size_t kind) {
  return make_edit(kind, std::make_index_sequence<std::variant_size_v<Edit>>{});
}

}  // namespace thigmo
