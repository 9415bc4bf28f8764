"""What lies around the training loop: agents as pure functions, minibatches, checkpoints."""
