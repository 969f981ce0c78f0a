"""FastAPI lives here and in `app.main`: routes, schemas, problem documents. Nothing here decides anything."""
