"""Long recordings and streams: cutting a hypothesis into segments, latency, partial results."""
