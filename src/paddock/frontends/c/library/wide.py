"""Functions of the library on wide and multibyte characters. They have no models, and are refused by name."""

from __future__ import annotations

WIDE = frozenset(
    """
    wcscpy wcsncpy wcscat wcsncat wcscmp wcsncmp wcscoll wcsxfrm wcschr wcsrchr wcsspn wcscspn wcspbrk wcsstr wcstok
    wcslen wcsdup wcscasecmp wcsncasecmp wcsnlen wcpcpy wcpncpy wcswidth wcwidth
    wmemcpy wmemmove wmemset wmemcmp wmemchr wmempcpy
    wcstol wcstoll wcstoul wcstoull wcstod wcstof wcstold wcstoimax wcstoumax wcsftime
    btowc wctob mbsinit mbrlen mbrtowc wcrtomb mbsrtowcs wcsrtombs mblen mbtowc wctomb mbstowcs wcstombs
    mbrtoc16 c16rtomb mbrtoc32 c32rtomb
    fwprintf wprintf swprintf vfwprintf vwprintf vswprintf fwscanf wscanf swscanf vfwscanf vwscanf vswscanf
    fgetwc fgetws fputwc fputws getwc getwchar putwc putwchar ungetwc fwide
    iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit
    iswctype wctype towlower towupper towctrans wctrans
    """.split()
)
