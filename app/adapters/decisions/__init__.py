"""Who answers typed questions: a server that speaks System One, or the offline engine."""
