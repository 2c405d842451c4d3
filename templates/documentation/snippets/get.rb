require "json"
require "net/http"

answer = Net::HTTP.get_response(
  URI("{{ site_url }}/api/v1{{ path }}"),
  "Authorization" => "Bearer {{ key }}"
)
answer.value # raises an error for a refusal
puts JSON.pretty_generate(JSON.parse(answer.body))
