from app.text.whitespace import squash


def test_squash_trims_and_makes_one_space_of_each_run() -> None:
    assert squash("  a\u00a0\u2003b\t\n c ") == "a b c"
    assert squash("\n \t") == ""
