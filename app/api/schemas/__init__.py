"""Request and response bodies, one file per router. Pydantic stays at this edge."""
