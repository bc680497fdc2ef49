"""Pages assembled from the roles of a title's columns."""
