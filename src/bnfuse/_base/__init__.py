"""What every package needs: texts, options declared once, safe writing, optional packages, SQLite files, processes."""
