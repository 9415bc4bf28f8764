"""What pairs share, found without a critic: decodable information, and estimates from samples."""
