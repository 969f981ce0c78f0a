"""The arq workers: settings, job functions, upkeep. What a job does is in `app.operations`; nothing here does it."""
