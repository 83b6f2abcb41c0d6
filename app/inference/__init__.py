"""Models that run on the device: the embedder, and the pack that it is read from.

This package alone imports onnxruntime and the tokenizer. It knows texts and vectors; it does not know entries, the
database or who asks.
"""
