"""Compiles the kernel for GPUs: compile.py LIBNVRTC SOURCE PTX."""

import ctypes
import hashlib
import sys

# What every GPU since 2018 understands; the driver makes the rest of it.
OPTIONS = [b"--gpu-architecture=compute_75", b"--std=c++17", b"--restrict"]


def main(library, source, target):
    nvrtc = ctypes.CDLL(library)
    nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p

    def check(code):
        if code != 0:
            raise SystemExit(f"NVRTC: {nvrtc.nvrtcGetErrorString(code).decode()}")

    program = ctypes.c_void_p()
    with open(source, "rb") as file:
        text = file.read()
    check(nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"kernel.cu", 0, None, None))
    options = (ctypes.c_char_p * len(OPTIONS))(*OPTIONS)
    compiled = nvrtc.nvrtcCompileProgram(program, len(OPTIONS), options)
    size = ctypes.c_size_t()
    check(nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size)))
    log = ctypes.create_string_buffer(size.value)
    check(nvrtc.nvrtcGetProgramLog(program, log))
    print(log.value.decode(), end="", file=sys.stderr)
    check(compiled)
    check(nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)))
    ptx = ctypes.create_string_buffer(size.value)
    check(nvrtc.nvrtcGetPTX(program, ptx))
    # A test compares this with the source, so that neither changes alone.
    head = f"// sha256 of kernel.cu: {hashlib.sha256(text).hexdigest()}\n"
    with open(target, "wb") as file:
        file.write(head.encode() + ptx.value)


main(*sys.argv[1:])
