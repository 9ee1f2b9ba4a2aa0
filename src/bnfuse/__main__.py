"""`python -m bnfuse` is the command `bnfuse`."""

from bnfuse.commands import main

if __name__ == "__main__":
    main()
