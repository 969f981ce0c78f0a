"""Chat models behind the port `ChatModel`."""
