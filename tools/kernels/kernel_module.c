/* Kernels as functions that Python calls: the module gossamer.core._kernels.

   Kernels are compiled to objects by Numba when a wheel is built; what surrounds them is here, and in
   kernel_table.c, which is written for their signatures. Only the stable interface of Python 3.11 is used, so one
   library serves all later versions. Of an array NumPy's own record is read, whose layout is the same since
   NumPy 1.0; a call costs a tenth of a microsecond, and arguments that no signature has go to a function in
   Python. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* NumPy's records, as far as they are needed. */

typedef struct {
    PyObject_HEAD
    PyTypeObject *scalar;
    char kind, letter, byte_order, flags;
    int number;
} Dtype;

typedef struct {
    PyObject_HEAD
    char *data;
    int dimensions;
    intptr_t *shape, *strides;
    PyObject *base;
    Dtype *dtype;
    int flags;
} Array;

enum { CONTIGUOUS = 0x1, ALIGNED = 0x100, WRITEABLE = 0x400 };

typedef struct {
    PyObject_HEAD
    int64_t value;
} Scalar;

enum { BOOL, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, TYPES };

static const struct {
    const char *name, *letters; /* of a dtype; long and long long are the same here */
    int size;
} of_type[TYPES] = {
    {"bool_", "?", 1},  {"int8", "b", 1},    {"uint8", "B", 1},   {"int16", "h", 2},
    {"uint16", "H", 2}, {"int32", "i", 4},   {"uint32", "I", 4},  {"int64", "lq", 8},
    {"uint64", "LQ", 8}, {"float32", "f", 4}, {"float64", "d", 8},
};

static PyTypeObject *array_type, *scalar_types[TYPES], *memory_type;
static PyObject *from_buffer, *make_empty;

/* Arguments. Each function says whether an object is one of a type. */

typedef struct {
    void *data;
    int64_t items, shape[4], strides[4];
} Taken;

static int take_array(PyObject *given, int type, int dimensions, int is_written, Taken *taken)
{
    if (Py_TYPE(given) != array_type && !PyType_IsSubtype(Py_TYPE(given), array_type))
        return 0;
    const Array *array = (const Array *)given;
    const int needed = CONTIGUOUS | ALIGNED | (is_written ? WRITEABLE : 0);
    if (array->dimensions != dimensions || (array->flags & needed) != needed)
        return 0;
    if (!strchr(of_type[type].letters, array->dtype->letter) || !array->dtype->letter)
        return 0;
    if (array->dtype->byte_order == (PY_BIG_ENDIAN ? '<' : '>'))
        return 0;
    taken->data = array->data;
    taken->items = 1;
    for (int axis = 0; axis < dimensions; axis++) {
        taken->items *= array->shape[axis];
        taken->shape[axis] = array->shape[axis];
        taken->strides[axis] = array->strides[axis];
    }
    return 1;
}

static int take_bool(PyObject *given, uint8_t *taken)
{
    if (given == Py_True || given == Py_False)
        *taken = given == Py_True;
    else if (Py_TYPE(given) == scalar_types[BOOL])
        *taken = *(const uint8_t *)&((const Scalar *)given)->value;
    else
        return 0;
    return 1;
}

static int take_integer(PyObject *given, int type, void *taken)
{
    if (Py_TYPE(given) == scalar_types[type]) {
        memcpy(taken, &((const Scalar *)given)->value, of_type[type].size);
        return 1;
    }
    if ((type != I64 && type != U64) || Py_TYPE(given) != &PyLong_Type)
        return 0;
    int overflows;
    const long long value = PyLong_AsLongLongAndOverflow(given, &overflows);
    if (type == I64) {
        *(int64_t *)taken = value;
        return !overflows;
    }
    if (overflows <= 0) /* a number that fits into both is a signed one for Numba */
        return 0;
    *(uint64_t *)taken = PyLong_AsUnsignedLongLong(given);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return 0;
    }
    return 1;
}

static int take_double(PyObject *given, double *taken)
{
    if (Py_TYPE(given) != &PyFloat_Type && Py_TYPE(given) != scalar_types[F64])
        return 0;
    *taken = PyFloat_AsDouble(given);
    return 1;
}

static inline int take_single(PyObject *given, float *taken)
{
    if (Py_TYPE(given) != scalar_types[F32])
        return 0;
    memcpy(taken, &((const Scalar *)given)->value, sizeof *taken);
    return 1;
}

/* Memory that kernels ask for: what Numba's runtime has, without what nobody here uses. */

typedef struct {
    size_t references;
    void (*destroy)(void *, size_t, void *);
    void *about, *data;
    size_t size;
    void *allocator;
} Memory;

void *NRT_Allocate(size_t size)
{
    return malloc(size);
}

void NRT_Free(void *address)
{
    free(address);
}

Memory *NRT_MemInfo_alloc_aligned(size_t size, unsigned align)
{
    if (size > SIZE_MAX - sizeof(Memory) - align)
        return NULL;
    Memory *memory = malloc(sizeof(Memory) + size + align);
    if (memory == NULL)
        return NULL;
    const uintptr_t first = (uintptr_t)(memory + 1);
    const uintptr_t place = align ? (first + align - 1) / align * align : first;
    *memory = (Memory){1, NULL, NULL, (void *)place, size, NULL};
    return memory;
}

Memory *NRT_MemInfo_alloc(size_t size)
{
    return NRT_MemInfo_alloc_aligned(size, 0);
}

Memory *NRT_MemInfo_alloc_safe(size_t size)
{
    return NRT_MemInfo_alloc_aligned(size, 0);
}

Memory *NRT_MemInfo_alloc_safe_aligned(size_t size, unsigned align)
{
    return NRT_MemInfo_alloc_aligned(size, align);
}

void NRT_MemInfo_call_dtor(Memory *memory)
{
    free(memory);
}

/* Another shape of an array that has no gaps; 0: it has some. */
int numba_attempt_nocopy_reshape(intptr_t dimensions, const intptr_t *shape, const intptr_t *strides,
                                 intptr_t wanted, const intptr_t *new_shape, intptr_t *new_strides,
                                 intptr_t size, int is_fortran)
{
    intptr_t expected = size;
    for (intptr_t axis = dimensions - 1; axis >= 0; axis--) {
        if (shape[axis] != 1 && strides[axis] != expected)
            return 0;
        expected *= shape[axis];
    }
    expected = size;
    for (intptr_t axis = wanted - 1; axis >= 0; axis--) {
        new_strides[axis] = expected;
        expected *= new_shape[axis];
    }
    return !is_fortran;
}

static void release(Memory *memory)
{
    if (memory != NULL && __atomic_sub_fetch(&memory->references, 1, __ATOMIC_ACQ_REL) == 0)
        free(memory);
}

/* An array that a kernel has made is NumPy's over this object, which keeps its memory. */

typedef struct {
    PyObject_HEAD
    Memory *memory;
    void *data;
    Py_ssize_t size;
} Kept;

static void kept_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    release(((Kept *)self)->memory);
    PyObject_Free(self);
    Py_DECREF(type);
}

static int kept_buffer(PyObject *self, Py_buffer *view, int flags)
{
    const Kept *kept = (const Kept *)self;
    return PyBuffer_FillInfo(view, self, kept->data, kept->size, 0, flags);
}

static PyType_Slot kept_slots[] = {
    {Py_tp_dealloc, kept_dealloc},
    {Py_bf_getbuffer, kept_buffer},
    {0, NULL},
};

static PyType_Spec kept_spec = {
    "gossamer.core._kernels.Memory", sizeof(Kept), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, kept_slots,
};

static PyObject *shape_of(int dimensions, const int64_t *shape)
{
    PyObject *made = PyTuple_New(dimensions);
    for (int axis = 0; made != NULL && axis < dimensions; axis++) {
        PyObject *length = PyLong_FromLongLong(shape[axis]);
        if (length == NULL || PyTuple_SetItem(made, axis, length) < 0)
            Py_CLEAR(made);
    }
    return made;
}

/* Takes over the reference to the memory. */
static PyObject *give_array(Memory *memory, void *data, int64_t items, int type, int dimensions,
                            const int64_t *shape)
{
    if (memory == NULL && items != 0) /* it would outlive the argument that it is a part of */
        return PyErr_Format(PyExc_RuntimeError, "a kernel has returned a part of an argument");
    PyObject *sides = shape_of(dimensions, shape), *flat = NULL, *made = NULL;
    PyObject *dtype = (PyObject *)scalar_types[type];
    if (sides != NULL && items == 0) {
        made = PyObject_CallFunctionObjArgs(make_empty, sides, dtype, NULL);
    } else if (sides != NULL) {
        Kept *kept = PyObject_New(Kept, memory_type);
        if (kept != NULL) {
            kept->memory = memory;
            kept->data = data;
            kept->size = items * of_type[type].size;
            memory = NULL;
            flat = PyObject_CallFunctionObjArgs(from_buffer, (PyObject *)kept, dtype, NULL);
            Py_DECREF(kept);
        }
        if (flat != NULL && dimensions == 1)
            made = Py_NewRef(flat);
        else if (flat != NULL)
            made = PyObject_CallMethod(flat, "reshape", "(O)", sides);
    }
    release(memory);
    Py_XDECREF(sides);
    Py_XDECREF(flat);
    return made;
}

/* Calls. */

static PyObject *call_python(PyObject *function, PyObject *const *given, Py_ssize_t count)
{
    PyObject *arguments = PyTuple_New(count), *result;
    for (Py_ssize_t place = 0; arguments != NULL && place < count; place++)
        PyTuple_SetItem(arguments, place, Py_NewRef(given[place]));
    if (arguments == NULL)
        return NULL;
    result = PyObject_CallObject(function, arguments);
    Py_DECREF(arguments);
    return result;
}

static PyObject *fail(const char *name)
{
    return PyErr_Format(PyExc_RuntimeError, "%s: the kernel has raised an error", name);
}

#include "kernel_table.c"

/* The module. */

static PyObject *bind(PyObject *module, PyObject *const *given, Py_ssize_t count)
{
    PyObject *text = count == 2 ? PyUnicode_AsUTF8String(given[0]) : NULL;
    PyObject *found = NULL;
    if (text == NULL)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "bind(name, otherwise)");
    const char *name = PyBytes_AsString(text);
    for (size_t place = 0; found == NULL && kernels[place].name != NULL; place++)
        if (strcmp(kernels[place].name, name) == 0)
            found = PyCFunction_NewEx(&kernels[place].definition, given[1], NULL);
    Py_DECREF(text);
    return found != NULL || PyErr_Occurred() ? found : Py_NewRef(Py_None);
}

static PyObject *is_supported(PyObject *module, PyObject *ignored)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return PyBool_FromLong(__builtin_cpu_supports("sse3") && __builtin_cpu_supports("ssse3") &&
                           __builtin_cpu_supports("sse4.1") && __builtin_cpu_supports("sse4.2") &&
                           __builtin_cpu_supports("popcnt"));
#else
    return PyBool_FromLong(1);
#endif
}

static PyMethodDef methods[] = {
    {"bind", (PyCFunction)(void *)bind, METH_FASTCALL,
     "The kernel of a name, or None; `otherwise` is called with arguments that it was not compiled for."},
    {"is_supported", is_supported, METH_NOARGS, "Does this processor have the instructions?"},
    {NULL, NULL, 0, NULL},
};

static int take_numpy(void)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (numpy == NULL)
        return -1;
    array_type = (PyTypeObject *)PyObject_GetAttrString(numpy, "ndarray");
    from_buffer = PyObject_GetAttrString(numpy, "frombuffer");
    make_empty = PyObject_GetAttrString(numpy, "empty");
    int is_there = array_type != NULL && from_buffer != NULL && make_empty != NULL;
    for (int type = 0; is_there && type < TYPES; type++) {
        scalar_types[type] = (PyTypeObject *)PyObject_GetAttrString(numpy, of_type[type].name);
        is_there = scalar_types[type] != NULL;
    }
    Py_DECREF(numpy);
    return is_there ? 0 : -1;
}

static int fill(PyObject *module)
{
    PyObject *made = PyDict_New();
    for (size_t place = 0; made != NULL && stamps[place].package != NULL; place++) {
        PyObject *stamp = PyUnicode_FromString(stamps[place].stamp);
        if (stamp == NULL || PyDict_SetItemString(made, stamps[place].package, stamp) < 0)
            Py_CLEAR(made);
        Py_XDECREF(stamp);
    }
    const int status = made == NULL ? -1 : PyModule_AddObjectRef(module, "stamps", made);
    Py_XDECREF(made);
    return status;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernels", "Kernels that were compiled ahead.", -1, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernels(void)
{
    PyObject *module = PyModule_Create(&definition);
    memory_type = (PyTypeObject *)PyType_FromSpec(&kept_spec);
    if (module == NULL || memory_type == NULL || take_numpy() < 0 || fill(module) < 0)
        Py_CLEAR(module);
    return module;
}
