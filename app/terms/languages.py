"""Which stemmer folds which language."""

#: Snowball's algorithms by the first part of a BCP 47 tag.
STEMMERS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "eo": "esperanto",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "st": "sesotho",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}

#: Folds a text whose language is unknown, or has no stemmer.
DEFAULT = "en"


def folding_language(language: str | None) -> str:
    """Return the key in `STEMMERS` that folds a text of this language (a BCP 47 tag, or None when unknown)."""
    primary = (language or DEFAULT).replace("_", "-").partition("-")[0].lower()
    return primary if primary in STEMMERS else DEFAULT
