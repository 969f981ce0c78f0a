"""One file per thing a caller may ask for; the only code that combines features.

What belongs here is a frozen dataclass that takes ports and has one public async method, readable top to bottom.
"""
