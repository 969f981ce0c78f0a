"""The outside world, one adapter per technology. `app.wiring` alone picks them."""
