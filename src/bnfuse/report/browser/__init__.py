"""The empty page: networks are dropped on it, and it reads them, finds their consensus and shows it in the browser."""
