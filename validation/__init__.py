"""The product: it takes addresses and returns verdicts with evidence.

`engine` gives the verdict and `listfiles` reads files; both know no framework. `verifier` is the engine inside the
product, with its shared limits; `providers` asks outside services. `single` checks one address, `batches` a list in
chunks. `results`, `history`, `exports`, `reports` and `analytics` read the results, and `access` says who may;
`webhooks` notify customers' servers.
"""
