"""Spreadsheets: files to grids, grids to tables, tables cleaned and profiled, questions to plans, plans to answers.

Pure functions of files, tables and answers (tabular design): no database, no request, no clock. Reading rows back and
adding them up is the store's part, behind `app.ports.table_store`.
"""
