"""Statistics, figures and reports over stores and frames."""
