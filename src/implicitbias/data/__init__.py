"""Points and tables from CSV files."""
