require "json"
require "net/http"

emails = ["valid@test.emailcheck.app", "invalid@test.emailcheck.app"]
answer = Net::HTTP.post(
  URI("{{ site_url }}/api/v1/validate/bulk"),
  JSON.generate(emails: emails),
  "Authorization" => "Bearer {{ key }}",
  "Content-Type" => "application/json"
)
answer.value # raises an error for a refusal
JSON.parse(answer.body)["results"].each do |row|
  puts "#{row["email"]} #{row["category"]}"
end
