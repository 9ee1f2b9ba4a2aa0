"""Pictures of networks: layout, SVG, PNG and PDF."""
