"""What all titles share; knows none of them."""
