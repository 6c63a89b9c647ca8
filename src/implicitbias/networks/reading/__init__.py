"""Networks from modules, state dicts, safetensors, ONNX, JSON and CSV."""
