"""What computes and stores. Headless: nothing here imports the terminal application."""
