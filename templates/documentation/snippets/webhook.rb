require "base64"
require "openssl"

# secret is the endpoint's whsec_…, body the bytes exactly as they came.
def ours?(secret, headers, body)
  id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
  return false if (Time.now.to_i - timestamp.to_i).abs > 300

  key = Base64.decode64(secret.delete_prefix("whsec_"))
  hash = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.#{body}")
  right = "v1,#{Base64.strict_encode64(hash)}"
  headers["webhook-signature"].split.any? { |one| OpenSSL.secure_compare(right, one) }
end
