"""What a request is for (L3.3), how its writer feels, and which words carry it (A5.3): small models in the process."""
