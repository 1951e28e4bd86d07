"""Where bytes come from and go to: sources, decompression, archives, remote files, atomic writes, escaping."""
