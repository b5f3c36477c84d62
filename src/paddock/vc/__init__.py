"""From procedures to formulas: passive form, templates, instances."""
