"""Which labels an entry gets, by rules that are data (G8.2, G2.8): scope, acl and sensitivity. Pure."""
