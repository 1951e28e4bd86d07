"""`python -m assay`: the command line."""

from assay.cli import console

if __name__ == "__main__":
    console()
