# Recompute the signature of a message by hand, and compare it with what follows "v1," in webhook-signature.
# SECRET is the endpoint's whsec_…; ID and TIMESTAMP are the headers webhook-id and webhook-timestamp.
KEY=$(printf %s "${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
printf '%s.%s.%s' "$ID" "$TIMESTAMP" "$BODY" \
  | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary \
  | base64
