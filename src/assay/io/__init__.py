"""Input and output: sources, decompression, archives, remote files, atomic writes, escaping."""
