"""Kernels compiled ahead: from their signatures to the library `gossamer/core/_kernels.abi3.so`.

    signatures.txt       the types that each kernel is called with
    signature_types      one line of it, and Numba's types
    recording            the types with which kernels were called while tests ran, into signatures.txt
    objects              Numba compiles each kernel for each of its signatures
    kernel_table         C for their calls from Python
    kernel_module.c      what these calls have in common
    library              compiles and links all of it

`python -m tools.kernels` makes the library for a source tree; `setup.py` has it made for a wheel. A C
compiler and Numba are needed here, and nowhere else: a library that is there is loaded without either.
"""
