"""The command line: parses words, asks the engine or the store, prints. Headless."""
