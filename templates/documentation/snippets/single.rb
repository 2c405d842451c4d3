require "json"
require "net/http"

answer = Net::HTTP.post(
  URI("{{ site_url }}/api/v1/validate/single"),
  JSON.generate(email: "valid@test.emailcheck.app"),
  "Authorization" => "Bearer {{ key }}",
  "Content-Type" => "application/json"
)
answer.value # raises an error for a refusal
verdict = JSON.parse(answer.body)
puts "#{verdict["category"]} #{verdict["safe_to_send"]}"
