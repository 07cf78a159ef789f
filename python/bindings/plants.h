#pragma once

#include <thigmo/plant.h>

#include "common.h"

namespace thigmo::python {

// A grown plant, and what was warned of on the way.
struct GrownObject {
  GrownPlant plant = {};
  Diagnostics notes = {};
};

// A path as Python has it: str, bytes or os.PathLike.
struct PathText {
  std::string text;
};

}  // namespace thigmo::python

namespace pybind11::detail {

template <>
struct type_caster<thigmo::python::PathText> {
  PYBIND11_TYPE_CASTER(thigmo::python::PathText, const_name("str | os.PathLike"));

  bool load(handle source, bool) {
    PyObject* bytes = nullptr;
    if (!PyUnicode_FSConverter(source.ptr(), &bytes)) {
      PyErr_Clear();
      return false;
    }
    value.text = reinterpret_steal<pybind11::bytes>(bytes);
    return true;
  }
};

}  // namespace pybind11::detail
