"""Chat logs: bytes to items, items to messages, messages to blocks (conversations design, section a).

One module per log or export format, all of which yield `messages.Message`; what they share is in the others. Pure
functions of the bytes; nothing is fetched or opened. The reader of format `chat` calls this package.
"""
