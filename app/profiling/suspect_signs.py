"""Sentences by which a text tries to instruct an AI, as patterns over folded, lower-case text."""

import re
import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sign:
    """What gives an attempt away."""

    #: The pattern is only tried where one of these stands: most text has none.
    needles: tuple[str, ...]
    pattern: re.Pattern[str]


def _sign(needles: str, *alternatives: str) -> Sign:
    """Make a sign of patterns in which a blank is whatever stands between two words."""
    pattern = unicodedata.normalize("NFKC", "|".join(alternatives)).replace(" ", r"\W{1,6}")
    return Sign(tuple(unicodedata.normalize("NFKC", needles).split(",")), re.compile(pattern))


_AI = (
    r"(?:ai|a\.i\.|llms?|(?:large )?language models?|chatbots?|chatgpt|gpt)"
    r"(?: (?:assistants?|agents?|models?|systems?|reviewers?|bots?|crawlers?|tools?))?"
)
_SMALL = (
    r"(?: (?:all|any|every|each|of|the|your|my|our|these|those|other|and|or|absolutely|completely|just|please|"
    r"everything|in|from))"
)
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|former|past|original|initial|system|safety|developer)"
_INSTRUCTIONS = r"(?:instructions?|prompts?|directives?|guidelines|programming|training|guardrails|safeguards)"
_RULES = r"(?:rules|restrictions|constraints|programming|training|directives|guidelines)"
#: A manual says what not to do in some case; an attempt knows no case.
_ALWAYS = r"(?! (?:if|unless|when|where|in case)\b)"
_DROP = r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|(?:do not|don't|never|stop) (?:follow|obey)(?:ing)?)"
_NEVER = r"\b(?:do not|don't|never|must not)"
_USER = r"(?:the |your )?(?:end )?(?:user|human)"
_ASK = (
    r"\b(?:reveal|print|show|output|repeat|display|leak|disclose|expose|dump|recite|share|tell|give|write|send)"
    r"(?: (?:me|us|out|all|of|the|full|entire|exact))*"
)
_SEND = (
    r"\b(?:send|forward|post|transmit|exfiltrate|e-?mail|upload|leak|append)"
    r"(?: (?:the|all|any|of|this|your|entire|whole|full))*"
)
_PRIVATE = (
    r"(?:conversation(?: history)?|chat (?:history|log)|system prompt|ssh keys?|private keys?|environment variables|"
    r"user's (?:\w+ )?(?:data|messages?|e-?mails?|passwords?|credentials))"
)
_ELSEWHERE = r"(?:https?\b|\S+@|(?:the (?:following )?|this )(?:url|address|server)|the end of (?:the|this) url)"

_OVERRIDES = (
    _sign(
        "ignor,disregard,forget,follow,obey",
        rf"{_DROP}{_SMALL}{{0,6}}(?: {_EARLIER})+(?: \w+){{0,2}}? {_INSTRUCTIONS}\b{_ALWAYS}",
        rf"{_DROP}{_SMALL}{{0,3}} (?:all|any|your){_SMALL}{{0,3}}(?: {_EARLIER})* {_RULES}\b"
        r"(?= (?:and|you|from|given|above))",
        rf"{_DROP}{_SMALL}{{1,4}} instructions (?:above|before|you (?:were|have been) given)\b{_ALWAYS}",
        rf"{_DROP} (?:everything|anything|all|what)(?: that)? "
        r"(?:you(?: were|'ve been| have been) (?:told|given|instructed)|"
        r"(?:above|before this)(?=\s*(?:$|[.,;:!]|and\b)))",
    ),
    _sign(
        "overrid,bypass,overrul",
        rf"\b(?:override|bypass|overrule) (?:all )?your (?:\w+ )?{_INSTRUCTIONS}\b",
        r"\b(?:override|bypass|overrule) (?:all|any)(?: of)?(?: the)? "
        rf"(?:previous|prior|earlier|above) {_INSTRUCTIONS}\b",
    ),
)

_ROLES = (
    _sign(
        "you are,you're",
        rf"\byou(?:'re| are) now (?:an? |the )?(?:[\w-]+ ){{0,3}}?(?:{_AI}|assistant|dan|persona)\b"
        r"(?! (?:user|customer))",
        r"\byou(?:'re| are) now (?:free (?:from|of) (?:all|any|your)|unrestricted|jailbroken|unfiltered|uncensored)\b",
        r"\byou(?:'re| are) (?:no longer|not) (?:bound by (?:your|any|the) |restricted by |an? )?(?:\w+ )?"
        rf"(?:{_AI}|{_INSTRUCTIONS})\b(?= (?:you|and|but|by)|\s*[.,;!])",
        r"\byou(?:'re| are)(?: now)? in (?:god|jailbreak|unrestricted|dan) mode\b",
    ),
    _sign(
        "from now on,act as,behave as,respond as,answer as,operate as,pretend",
        r"\bfrom now on you (?:are going to|will|must|shall|should)(?: only| always| never| not)? "
        r"(?:respond|reply|answer|pretend|obey|behave as|act as|speak|output|ignore)\b",
        r"\b(?:act|behave|respond|answer|operate) as (?:if you (?:are|were) )?(?:an? )?"
        rf"(?:unrestricted|unfiltered|uncensored|jailbroken|evil|malicious) {_AI}\b",
        rf"\bpretend (?:to be|that you are|you are|you're) (?:an? )?(?:[\w-]+ ){{0,2}}?(?:{_AI}|dan)\b",
    ),
    _sign(
        "anything now,dan mode,jailbr,without",
        r"\bdo anything now\b|\bdan mode\b|\bjailbr(?:eak|oken) mode\b",
        r"\b(?:respond|answer|reply|act|speak|comply) without (?:any |all )?(?:ethical|moral|content|safety) "
        r"(?:restrictions|filters|guidelines|limitations|constraints)\b",
    ),
)

_SECRETS = (
    _sign(
        "prompt,instruction,your,above",
        rf"{_ASK} your (?:full |entire |exact |complete |own )?"
        r"(?:(?:system|initial|hidden|secret|original|internal|developer) (?:prompt|instructions?|message|rules)|"
        r"prompt verbatim)\b",
        r"\brepeat (?:all )?(?:of )?(?:the )?(?:words|text|everything) above\b",
        r"\b(?:new|updated|revised|real|actual) system (?:prompt|message|instructions?)\s*[:>\]]",
        r"\bsystem (?:prompt|message|instructions?) override\b",
        r"\byour (?:new|real|actual|true|updated) (?:system )?(?:instructions|directives?|prompt) (?:is|are)\b",
    ),
    _sign(
        "conversation,chat,system,ssh,private,environment,user's",
        rf"{_SEND} {_PRIVATE}(?: \w+){{0,3}}? to {_ELSEWHERE}",
    ),
    _sign(
        "user,human",
        rf"{_NEVER} (?:tell|inform)(?: (?:this|it|any of this|anything) to)? {_USER}\b",
        rf"{_NEVER} (?:mention|reveal|disclose|show|explain|admit) "
        rf"(?:this|it|that|any of this|these instructions)(?: \w+)? to {_USER}s?\b",
        rf"\b(?:keep|hide) (?:this|these|it)(?: \w+)?(?: (?:secret|hidden|confidential))? from {_USER}s?\b",
        rf"{_NEVER} let {_USER} know\b",
    ),
)

_TURNS = (
    _sign("<|", r"<\|(?:im_start|im_end|system|user|assistant|eot_id|start_header_id|end_header_id)\|>"),
    _sign("inst],sys>>,_of_turn>", r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>"),
    _sign(
        "system,assistant,developer",
        r"(?:^|\n)[^\w\n]{0,4}(?:system|assistant|developer)[^\w\n]{0,3}:\s*[^\w\n]{0,3}"
        r"(?:ignore|disregard|you are now|new instructions?|override|from now on|"
        r"(?:sure |understood |okay |of course )?i (?:will|shall) (?:now )?(?:ignore|comply|reveal|send|disregard))\b",
    ),
    _sign(
        "<system>,<important>,<admin>",
        r"<(?:system|important|admin)>\s*"
        r"(?:you (?:are|must|will)|ignore|disregard|from now on|before (?:using|answering)|new instructions)\b",
    ),
)

_ADDRESSED = (
    _sign(
        "ai,a.i.,llm,language model,chatbot,gpt",
        rf"\b(?:note|notice|message|instructions?|important|memo) (?:to|for) (?:all |any |the |every )?{_AI}\s*[:,!—]",
        rf"\b(?:attention|dear|hey|hello)(?: to)?(?: all| any| the)? {_AI}\s*[:,!—]",
        rf"\bif you(?:'re| are) (?:an? )?{_AI}(?:\s*[,:]| "
        r"(?:reading|processing|summari[sz]ing|parsing|reviewing|evaluating|then|please|you|ignore|do|and)\b)",
        rf"\b{_AI} (?:reading|processing|summari[sz]ing|parsing|indexing) (?:this|the) \w+ "
        r"(?:must|should|shall|are (?:required|instructed))\b",
    ),
    _sign(
        "summar,positive,negative,reviewers",
        r"\bwhen (?:you )?summari[sz](?:e|ing) (?:this|the) \w+ (?:always |you must )?"
        r"(?:say that|append|output|claim|recommend)\b",
        r"\bgive a positive review only\b|\bdo not highlight any negatives\b",
    ),
)

_GAP, _SHORT_GAP = r"[^.!?\n]{0,40}", r"[^.!?\n]{0,20}"

#: "Ignore the previous instructions" in other languages.
_ABROAD = (
    _sign(
        "anweisung,instruktion,befehl,vorgabe,prompt",
        rf"\b(?:ignorier\w*|vergiss|vergessen sie|missachte\w*|verwirf)\b{_GAP}"
        rf"\b(?:vorherig|bisherig|obig|vorangegangen|früher|vorig)\w*{_SHORT_GAP}"
        r"(?:anweisung|instruktion|befehl|vorgabe|prompt)",
    ),
    _sign(
        "instruction,consigne,directive",
        rf"\b(?:ignore[zr]?|oublie[zr]?|ne ten(?:ez|s) pas compte)\b{_GAP}(?:instruction|consigne|directive)s?"
        rf"{_SHORT_GAP}(?:précédent|antérieur|ci-dessus|plus haut)",
    ),
    _sign(
        "instruc,instruç,indicaci,istruzion,orienta,ordenes,órdenes,comando",
        rf"\b(?:ignor[aeo]\w*|olvid\w+|haz caso omiso|descart\w+|esque[cç]\w+|desconsider\w+|dimentic\w+)\b{_GAP}"
        rf"(?:instrucci|indicaci|istruzion|instruç|orienta[cç]|[oó]rdenes|comando)\w*{_SHORT_GAP}"
        r"(?:anterior|previ|prévi|precedent)",
    ),
    _sign(
        "instructie,opdracht,aanwijzing",
        rf"\b(?:negeer|vergeet)\b{_GAP}\b(?:vorige|voorgaande|eerdere|bovenstaande)\b{_SHORT_GAP}"
        r"(?:instructie|opdracht|aanwijzing)",
    ),
    _sign(
        "instrukcj,poleceni",
        rf"\b(?:z?ignoruj|zapomnij)\b{_GAP}\b(?:poprzedni|wcześniejsz)\w*{_SHORT_GAP}(?:instrukcj|poleceni)",
    ),
    _sign(
        "talimat,komut",
        rf"\b(?:önceki|yukarıdaki)\b{_GAP}(?:talimat|komut)\w*{_SHORT_GAP}"  # noqa: RUF001 - Turkish
        r"(?:yok say|görmezden gel|unut|dikkate alma)",
    ),
    _sign(
        "инструкц,указани,команд",
        rf"\b(?:(?:про)?игнорируй|забудь|не обращай\w* внимани)\w*{_GAP}\b(?:предыдущ|прежн|вышеуказанн)\w*"
        rf"{_SHORT_GAP}(?:инструкц|указани|команд)",
    ),
    _sign(
        "指令,指示,说明,說明,提示,命令,プロンプト",
        r"(?:忽略|无视|忽視|無視|忘记|忘記|不要理会).{0,12}(?:之前|以前|先前|上述|以上|前面|此前).{0,8}"
        r"(?:指令|指示|说明|說明|提示|命令)",
        r"(?:以前|これまで|上記|前).{0,8}(?:指示|命令|プロンプト).{0,8}(?:無視|忘れ|従わない)",
    ),
    _sign("지시,명령,지침,프롬프트", r"(?:이전|위의|앞의|기존).{0,10}(?:지시|명령|지침|프롬프트).{0,8}(?:무시|잊)"),
    _sign("تعليمات,أوامر", r"(?:تجاهل|انس).{0,20}(?:التعليمات|الأوامر).{0,15}(?:السابقة|أعلاه)"),
    _sign("निर्देश", r"(?:पिछले|पूर्व).{0,15}निर्देश.{0,20}(?:अनदेखा|नज़रअंदाज़|भूल)"),
)

SIGNS = (*_OVERRIDES, *_ROLES, *_SECRETS, *_TURNS, *_ADDRESSED, *_ABROAD)
