#!/usr/bin/env python3
"""Run a command that may not execute memory it has written, as on hardened systems.

usage: without_code.py COMMAND [ARGUMENT...]

A filter for system calls lets mprotect with PROT_EXEC fail; tests/circuit/forbid_code.h has the
same in C.
"""
import ctypes
import errno
import os
import platform
import struct
import sys

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD, JUMP_EQUAL, JUMP_SET, RETURN = 0x20, 0x15, 0x45, 0x06
RETURN_ERRNO, RETURN_ALLOW = 0x00050000, 0x7FFF0000
NUMBER_AT, THIRD_ARGUMENT_AT, PROT_EXEC = 0, 32, 4
MPROTECT = {"x86_64": 10, "aarch64": 226}


class Program(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def main():
    instructions = [
        (LOAD, 0, 0, NUMBER_AT),
        (JUMP_EQUAL, 0, 3, MPROTECT[platform.machine()]),
        (LOAD, 0, 0, THIRD_ARGUMENT_AT),
        (JUMP_SET, 0, 1, PROT_EXEC),
        (RETURN, 0, 0, RETURN_ERRNO | errno.EACCES),
        (RETURN, 0, 0, RETURN_ALLOW),
    ]
    code = b"".join(struct.pack("HBBI", *i) for i in instructions)
    libc = ctypes.CDLL(None, use_errno=True)
    program = Program(len(instructions), code)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or \
            libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program)):
        sys.exit("without_code.py: " + os.strerror(ctypes.get_errno()))
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
